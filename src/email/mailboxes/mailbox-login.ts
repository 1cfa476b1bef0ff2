import type { MailAccounts } from '../../integrations/index.ts'
import { ImapFailure, type ImapMailbox, type ImapServer, openMailbox } from '../../outgoing/imap-mailbox.ts'
import type { AllowedHosts } from '../../outgoing/target-address.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Configs, EffectiveConfig } from '../configs/config.service.ts'
import type { MailboxCause } from '../configs/mailbox-health.rules.ts'

/** Why a mailbox is not read now, beside what its server says. */
export class MailboxFailure extends Error {
  readonly reason: MailboxCause

  constructor(reason: MailboxCause, message: string) {
    super(message)
    this.reason = reason
  }
}

export type LoginDeps = {
  configs: Pick<Configs, 'openPassword'>
  accounts(): Pick<MailAccounts, 'find' | 'open'>
  allowedHosts: AllowedHosts
}

/** Logs in to the mailbox of an owner. Rejects with MailboxFailure and ImapFailure. */
export async function openOwnMailbox(
  scope: TenantScope,
  config: EffectiveConfig,
  deps: LoginDeps,
): Promise<ImapMailbox> {
  const { host, port, security, userName } = config.inbound
  if (host === null) return openByIntegration(scope, config, deps)
  const password = deps.configs.openPassword(scope, 'inbound', config.stored)
  if (port === null || security === null || userName === null || password === null)
    throw new MailboxFailure('LOGIN_FAILED', 'The user or the password of the mailbox is not set.')
  return openMailbox({ host, port, security, user: userName, secret: { password } }, deps.allowedHosts)
}

/** By a token (XOAUTH2). One that the server refuses is renewed once. */
async function openByIntegration(
  scope: TenantScope,
  { orgId }: EffectiveConfig,
  { accounts, allowedHosts }: LoginDeps,
): Promise<ImapMailbox> {
  const account = orgId === null ? null : await accounts().find(scope, orgId)
  if (account === null) throw new MailboxFailure('NOT_CONNECTED', 'No integration that has mail is connected.')
  const loginWith = async (refusedToken: string | null): Promise<ImapServer> => {
    const login = await accounts().open(scope, account.id, refusedToken)
    if (login.kind === 'failed') throw new MailboxFailure('NOT_CONNECTED', `The integration failed: ${login.cause}.`)
    const { imap, address, accessToken } = login
    return { ...imap, user: address, secret: { accessToken } }
  }
  const server = await loginWith(null)
  try {
    return await openMailbox(server, allowedHosts)
  } catch (error) {
    if (!(error instanceof ImapFailure) || error.reason !== 'LOGIN_FAILED' || !('accessToken' in server.secret))
      throw error
    return openMailbox(await loginWith(server.secret.accessToken), allowedHosts)
  }
}
