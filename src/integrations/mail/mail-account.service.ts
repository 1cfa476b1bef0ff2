import type { Clock } from '../../kernel/clock.ts'
import { isId } from '../../kernel/ids.ts'
import { providers } from '../../providers/provider-table.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { type MailServer, type MailServers, serversOfProviders } from '../mail-servers.ts'
import { type FailureReason, GrantFailure } from '../tokens/grant-failure.ts'
import type { Tokens } from '../tokens/token.service.ts'
import { findMailIntegration, findMailIntegrationOf, type MailIntegration } from './mail-account.store.ts'

/** What logs in to a mail server by XOAUTH2. */
export type MailLogin = {
  kind: 'open'
  provider: MailIntegration['provider']
  address: string
  accessToken: string
  smtp: MailServer
  imap: MailServer
}
/** `NOT_CONNECTED`: there is no active integration with the feature `mail`. */
export type MailLoginFailure = { kind: 'failed'; cause: FailureReason | 'NOT_CONNECTED'; retryAt: Date | null }

export type MailAccounts = ReturnType<typeof mailAccounts>

const keptMax = 1000
/** A login takes some time, too. */
const beforeEndMs = 60_000

/** Connected accounts by which mail is sent and fetched. */
export function mailAccounts({
  clock,
  tokens,
  servers = serversOfProviders,
}: {
  clock: Clock
  tokens: Tokens
  servers?: MailServers | undefined
}) {
  /** Tokens of Microsoft for Outlook, by the version of the grant: those that are stored are for Graph alone. */
  const ofOutlook = new Map<string, { accessToken: string; endsAt: number }>()

  /** The organization's account for mail: the one that was connected first. Null: there is none. */
  const find = (scope: TenantScope, orgId: string): Promise<MailIntegration | null> =>
    findMailIntegrationOf(scope, orgId)

  /** @param refusedToken the token that the mail server has just refused: another one is asked for. */
  async function open(
    scope: TenantScope,
    integrationId: string,
    refusedToken: string | null = null,
  ): Promise<MailLogin | MailLoginFailure> {
    const account = isId(integrationId) ? await findMailIntegration(scope, integrationId) : null
    if (account === null) return { kind: 'failed', cause: 'NOT_CONNECTED', retryAt: null }
    const { id, provider, address } = account
    try {
      const tokenOf = provider === 'google' ? googleToken : outlookToken
      const accessToken = await tokenOf(scope, id, refusedToken)
      return { kind: 'open', provider, address, accessToken, ...servers[provider] }
    } catch (error) {
      if (!(error instanceof GrantFailure)) throw error
      return { kind: 'failed', cause: error.reason, retryAt: error.retryAt }
    }
  }

  async function googleToken(scope: TenantScope, id: string, refusedToken: string | null): Promise<string> {
    const { token, version } = await tokens.get(scope, id)
    return token === refusedToken ? (await tokens.renew(scope, id, version)).token : token
  }

  async function outlookToken(scope: TenantScope, id: string, refusedToken: string | null): Promise<string> {
    const { version } = await tokens.requireTokens(scope, id)
    const key = `${scope.tenantId} ${id} ${version}`
    const known = ofOutlook.get(key)
    const now = clock.now().getTime()
    if (known !== undefined && known.endsAt > now && known.accessToken !== refusedToken) return known.accessToken
    const { accessToken, expiresIn } = await tokens.issueFor(scope, id, providers.microsoft.scopes.features.mail ?? [])
    for (const [other, { endsAt }] of ofOutlook)
      if (endsAt <= now || ofOutlook.size >= keptMax || other === key) ofOutlook.delete(other)
    if (expiresIn !== null) ofOutlook.set(key, { accessToken, endsAt: now + expiresIn * 1000 - beforeEndMs })
    return accessToken
  }

  return { find, open }
}
