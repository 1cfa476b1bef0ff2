import type { MailAccounts } from '../../integrations/index.ts'
import type { SmtpSettings } from '../../outgoing/smtp-connection.ts'
import {
  type MailTransport,
  platformTransport,
  tenantTransport,
  tokenTransport,
} from '../../outgoing/smtp-transport.ts'
import type { AllowedHosts } from '../../outgoing/target-address.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Configs, EffectiveConfig } from '../configs/config.service.ts'

/** Why a mail is not sent now. */
export class NotSendable extends Error {}

/** The account of an organization at a provider of mail; null: it has none. */
export type FindAccount = MailAccounts['find']

export type TransportDeps = {
  configs: Pick<Configs, 'openPassword'>
  /** The mail server of the installation; null: there is none. */
  smtp: SmtpSettings | null
  allowedHosts: AllowedHosts
  accounts(): Pick<MailAccounts, 'find' | 'open'>
}

/** The server that sends an owner's mails. Throws NotSendable. */
export function ownerTransport(scope: TenantScope, config: EffectiveConfig, deps: TransportDeps): MailTransport {
  const { transport, transportFrom } = config
  if (transport.kind === 'smtp') {
    const { host, port, security, userName } = transport
    if (host === null || port === null || security === null) throw new NotSendable('The mail server is not set.')
    const pass = deps.configs.openPassword(scope, 'transport', transportFrom)
    const login = userName === null || pass === null ? null : { user: userName, pass }
    return tenantTransport({ host, port, security, login }, deps.allowedHosts)
  }
  if (transport.kind === 'integration') return integrationTransport(scope, config, deps)
  if (transport.kind !== 'platform') throw new NotSendable(`The transport is ${transport.kind}.`)
  if (deps.smtp === null) throw new NotSendable('The installation has no mail server.')
  return platformTransport(deps.smtp)
}

/** The account that sends an owner's mails; null where no integration does. */
export async function senderAccount(
  scope: TenantScope,
  { transport, transportFrom }: Pick<EffectiveConfig, 'transport' | 'transportFrom'>,
  { findAccount }: { findAccount: FindAccount },
): Promise<{ id: string; address: string } | null> {
  const { orgId } = transportFrom
  return transport.kind !== 'integration' || orgId === null ? null : findAccount(scope, orgId)
}

function integrationTransport(
  scope: TenantScope,
  config: EffectiveConfig,
  { accounts, allowedHosts }: TransportDeps,
): MailTransport {
  return tokenTransport(async (refusedToken) => {
    const account = await senderAccount(scope, config, { findAccount: accounts().find })
    if (account === null) throw new NotSendable('The organization has no integration with mail.')
    const login = await accounts().open(scope, account.id, refusedToken)
    if (login.kind === 'failed') throw new NotSendable(`The integration failed: ${login.cause}.`)
    return { ...login.smtp, user: login.address, accessToken: login.accessToken }
  }, allowedHosts)
}
