import type { Audit } from '../../identity/index.ts'
import type { OwnedConnections } from '../../inbound/index.ts'
import type { ExhaustedJob, JobKind, JobRun, Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { fieldAt } from '../../providers/answer-fields.ts'
import type { AppSettings } from '../../providers/app-settings.ts'
import {
  bearer,
  type ClientCredentials,
  type GrantTokens,
  type ProviderName,
  type ProviderRequest,
} from '../../providers/provider.ts'
import type { AskProvider } from '../../providers/provider-http.ts'
import { providers } from '../../providers/provider-table.ts'
import type { TokenClient } from '../../providers/token-client.ts'
import { type PlatformScope, type TenantScope, transaction } from '../../storage/scope.ts'
import type { OAuthApps } from '../apps/app.service.ts'
import type { GrantSecrets } from '../sealed-grants.ts'
import {
  deleteRevocation,
  findRevocation,
  insertRevocation,
  isGrantShared,
  type Revocation,
  saveRevocation,
  type TakenGrant,
} from './revocation.store.ts'

/** Eight attempts in about two hours. */
export const revokeJob: JobKind<{ revocationId: string }> = {
  name: 'integrations.grant.revoke',
  attemptsMax: 8,
  backoffSeconds: 60,
  timeoutSeconds: 60,
}

export type RevocationDeps = {
  platform: PlatformScope
  clock: Clock
  audit: Audit
  jobs: Jobs
  secrets: GrantSecrets
  apps: Pick<OAuthApps, 'find'>
  client: Pick<TokenClient, 'refresh'>
  ask: AskProvider
  connections: Pick<OwnedConnections, 'removeOf'>
  /** The channels over which a provider tells of changes. They end with the integration. */
  takeChannels(tx: TenantScope, integrationId: string): Promise<TakenChannel[]>
  /** Null: the provider has none. */
  withdrawalOf(provider: ProviderName, accessToken: string, channel: TakenChannel): ProviderRequest | null
  /** What else an integration has at its provider, in the transaction that deletes it: requests that end it. */
  takeWithdrawals(tx: TenantScope, grant: TakenGrant): Promise<((accessToken: string) => ProviderRequest)[]>
}

/** `SHARED`: another integration lives by the same grant. */
type Outcome = 'REVOKED' | 'UNSUPPORTED' | 'FAILED' | 'SHARED'
/** `expiresAt`: of the access token, in ISO 8601; null: unknown, or never. */
type Sealed = {
  client: ClientCredentials
  tokens: GrantTokens
  expiresAt: string | null
  settings: AppSettings
  channels: TakenChannel[]
  /** Requests without their token, such as those that delete webhooks. */
  withdrawals?: ProviderRequest[]
}

type TakenChannel = { externalId: string; resourceId: string | null }

export type Revocations = ReturnType<typeof revocationService>

/** Gives grants back to their providers. */
export function revocationService({
  platform,
  clock,
  audit,
  jobs,
  secrets,
  apps,
  client: tokenClient,
  ask,
  connections,
  takeChannels,
  withdrawalOf,
  takeWithdrawals,
}: RevocationDeps) {
  /**
   * Keeps the tokens of an integration that is gone until they are revoked, in the transaction that deletes it. Nothing else
   * can use them from then on.
   */
  async function addTaken(tx: TenantScope, grant: TakenGrant): Promise<void> {
    const channels = await takeChannels(tx, grant.id)
    const withdrawals = (await takeWithdrawals(tx, grant)).map((toRequest) => toRequest(''))
    await connections.removeOf(tx, grant.id)
    if (grant.accessSealed === null) return
    const accessToken = secrets.openToken(grant.accessSealed, 'access_sealed', grant)
    const refreshToken =
      grant.refreshSealed === null ? null : secrets.openToken(grant.refreshSealed, 'refresh_sealed', grant)
    const tokens = { accessToken, refreshToken, expiresAt: grant.expiresAt }
    await add(tx, { ...grant, integrationId: grant.id, channels, withdrawals }, tokens)
  }

  async function add(
    tx: TenantScope,
    grant: {
      provider: ProviderName
      clientId: string
      accountId: string | null
      integrationId: string
      channels?: TakenChannel[]
      withdrawals?: ProviderRequest[]
    },
    { expiresAt, ...tokens }: GrantTokens & { expiresAt: Date | null },
  ): Promise<void> {
    const { provider, clientId, accountId, integrationId, channels = [], withdrawals = [] } = grant
    const app = await apps.find(tx, provider)
    // Of a client that is no longer set there is no secret to ask with.
    const client = { clientId, clientSecret: app?.clientId === clientId ? app.clientSecret : '' }
    const now = clock.now()
    const id = newId(now)
    const settings = app?.settings ?? {}
    const sealed = { client, tokens, expiresAt: expiresAt?.toISOString() ?? null, settings, channels, withdrawals }
    const grantSealed = seal(id, sealed)
    const row = { id, provider, clientId, accountId, grantSealed, tenantId: tx.tenantId, integrationId }
    await insertRevocation(tx, row, now)
    // Of no tenant: it is done even where the tenant is erased meanwhile.
    await jobs.enqueue(tx, revokeJob, { data: { revocationId: id }, tenantId: null, id })
  }

  const seal = (id: string, sealed: Sealed): Buffer => secrets.sealRevocation(JSON.stringify(sealed), id)

  async function run({ data, signal }: JobRun<{ revocationId: string }>): Promise<void> {
    const revocation = await findRevocation(platform, data.revocationId)
    if (revocation !== null) await end(revocation, await revoke(revocation, signal))
  }

  async function revoke(revocation: Revocation, signal: AbortSignal): Promise<Outcome> {
    const { provider, id, grantSealed } = revocation
    const row = providers[provider]
    const isShared = await isGrantShared(platform, revocation)
    const opened = JSON.parse(secrets.openRevocation(grantSealed, id)) as Sealed
    await withdrawChannels(provider, opened)
    const sealed = await withdraw(revocation, opened, { isShared, signal })
    if (row.revoke === null) return 'UNSUPPORTED'
    if (isShared) return 'SHARED'
    const live = await withLiveTokens(revocation, sealed, row.isRevokedByAccessToken)
    if (live === null) return 'REVOKED'
    const received = await ask(provider, row.revoke(live.client, live.tokens), { timeoutMs: 20_000, signal })
    const { status, body } = row.toApiAnswer(received)
    // RFC 7009, section 2.2: a token that is not valid is no error. Providers say 400, 401 or 404 instead.
    const isOurFault = status === 403 || fieldAt(body, 'error') === 'invalid_client'
    if (status < 500 && status !== 429 && !isOurFault) return 'REVOKED'
    throw new Error(`${provider} answered the revocation with ${status}.`)
  }

  /** They end by themselves in days: what cannot be withdrawn now, because the token has ended, is left to that. */
  async function withdrawChannels(provider: ProviderName, { channels = [], tokens }: Sealed): Promise<void> {
    for (const channel of channels) {
      const request = withdrawalOf(provider, tokens.accessToken, channel)
      if (request !== null) await ask(provider, request, { timeoutMs: 5_000 })
    }
  }

  /** Webhooks and the like go before the grant that they were made with. What no longer exists is fine. */
  async function withdraw(
    revocation: Revocation,
    sealed: Sealed,
    { isShared, signal }: { isShared: boolean; signal: AbortSignal },
  ): Promise<Sealed> {
    const { withdrawals = [] } = sealed
    if (withdrawals.length === 0) return sealed
    const { provider, id } = revocation
    // A refresh would take the tokens of the other integration away.
    const live = await withLiveTokens(revocation, sealed, !isShared)
    if (live === null) return sealed
    for (const { headers, ...request } of withdrawals) {
      const authorized = { ...request, headers: { ...headers, ...bearer(live.tokens.accessToken) } }
      const { status } = await ask(provider, authorized, { timeoutMs: 20_000, signal })
      if (status >= 500 || status === 429) throw new Error(`${provider} answered a withdrawal with ${status}.`)
    }
    const withdrawn = { ...live, withdrawals: [] }
    await saveRevocation(platform, id, seal(id, withdrawn))
    return withdrawn
  }

  /** With an access token that works, where one is needed: one that has ended is replaced first. Null: the grant is dead already. */
  async function withLiveTokens(
    { id, provider }: Revocation,
    sealed: Sealed,
    isNeeded: boolean,
  ): Promise<Sealed | null> {
    const { client, tokens, expiresAt, settings } = sealed
    const isLive = !isNeeded || expiresAt === null || new Date(expiresAt) > clock.now()
    const { refreshToken: earlier } = tokens
    if (isLive || earlier === null) return sealed
    const outcome = await tokenClient.refresh(providers[provider], { ...client, settings }, { refreshToken: earlier })
    if (outcome.kind === 'dead') return null
    if (outcome.kind !== 'issued') throw new Error(`${provider} gave no token to revoke with: ${outcome.kind}.`)
    const { accessToken, refreshToken, expiresIn } = outcome.tokens
    const next = { accessToken, refreshToken: refreshToken ?? earlier }
    const endsAt = expiresIn === null ? null : new Date(clock.now().getTime() + expiresIn * 1000).toISOString()
    const live = { ...sealed, tokens: next, expiresAt: endsAt }
    await saveRevocation(platform, id, seal(id, live))
    return live
  }

  const end = ({ id, tenantId, integrationId, provider }: Revocation, outcome: Outcome): Promise<void> =>
    transaction(platform, async (tx) => {
      if ((await deleteRevocation(tx, id)) === 0 || tenantId === null) return
      await audit(tx, {
        action: 'integration.revoke',
        target: { type: 'integration', id: integrationId ?? id },
        tenantId,
        changes: { provider, outcome },
      })
    })

  async function onExhausted({ data }: ExhaustedJob<object>): Promise<void> {
    const revocation = await findRevocation(platform, (data as { revocationId: string }).revocationId)
    if (revocation !== null) await end(revocation, 'FAILED')
  }

  return { add, addTaken, run, onExhausted }
}
