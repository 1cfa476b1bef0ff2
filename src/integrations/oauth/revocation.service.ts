import type { Audit } from '../../identity/index.ts'
import type { OwnedConnections } from '../../inbound/index.ts'
import type { ExhaustedJob, JobKind, JobRun, Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { fieldAt } from '../../providers/answer-fields.ts'
import type { AppSettings } from '../../providers/app-settings.ts'
import type { ClientCredentials, GrantTokens, ProviderName, ProviderRequest } from '../../providers/provider.ts'
import type { AskProvider } from '../../providers/provider-http.ts'
import { providers } from '../../providers/provider-table.ts'
import type { TokenClient } from '../../providers/token-client.ts'
import { type PlatformScope, type TenantScope, transaction } from '../../storage/scope.ts'
import type { OAuthApps } from './app.service.ts'
import {
  deleteRevocation,
  findRevocation,
  insertRevocation,
  isGrantShared,
  type Revocation,
  saveRevocation,
  type TakenGrant,
} from './revocation.store.ts'
import type { GrantSecrets } from './sealed-grants.ts'

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
}: RevocationDeps) {
  /**
   * Keeps the tokens of an integration that is gone until they are revoked, in the transaction that deletes it. Nothing else
   * can use them from then on.
   */
  async function addTaken(tx: TenantScope, grant: TakenGrant): Promise<void> {
    const channels = await takeChannels(tx, grant.id)
    await connections.removeOf(tx, grant.id)
    if (grant.accessSealed === null) return
    const accessToken = secrets.openToken(grant.accessSealed, 'access_sealed', grant)
    const refreshToken =
      grant.refreshSealed === null ? null : secrets.openToken(grant.refreshSealed, 'refresh_sealed', grant)
    await add(
      tx,
      { ...grant, integrationId: grant.id, channels },
      { accessToken, refreshToken, expiresAt: grant.expiresAt },
    )
  }

  async function add(
    tx: TenantScope,
    grant: {
      provider: ProviderName
      clientId: string
      accountId: string | null
      integrationId: string
      channels?: TakenChannel[]
    },
    { expiresAt, ...tokens }: GrantTokens & { expiresAt: Date | null },
  ): Promise<void> {
    const { provider, clientId, accountId, integrationId, channels = [] } = grant
    const app = await apps.find(tx, provider)
    // Of a client that is no longer set there is no secret to ask with.
    const client = { clientId, clientSecret: app?.clientId === clientId ? app.clientSecret : '' }
    const now = clock.now()
    const id = newId(now)
    const settings = app?.settings ?? {}
    const grantSealed = seal(id, { client, tokens, expiresAt: expiresAt?.toISOString() ?? null, settings, channels })
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
    const sealed = JSON.parse(secrets.openRevocation(grantSealed, id)) as Sealed
    await withdraw(provider, sealed)
    if (row.revoke === null) return 'UNSUPPORTED'
    if (await isGrantShared(platform, revocation)) return 'SHARED'
    const tokens = await liveTokens(revocation, sealed)
    if (tokens === null) return 'REVOKED'
    const received = await ask(provider, row.revoke(sealed.client, tokens), { timeoutMs: 20_000, signal })
    const { status, body } = row.toApiAnswer(received)
    // RFC 7009, section 2.2: a token that is not valid is no error. Providers say 400, 401 or 404 instead.
    const isOurFault = status === 403 || fieldAt(body, 'error') === 'invalid_client'
    if (status < 500 && status !== 429 && !isOurFault) return 'REVOKED'
    throw new Error(`${provider} answered the revocation with ${status}.`)
  }

  /** They end by themselves in days: what cannot be withdrawn now, because the token has ended, is left to that. */
  async function withdraw(provider: ProviderName, { channels = [], tokens }: Sealed): Promise<void> {
    for (const channel of channels) {
      const request = withdrawalOf(provider, tokens.accessToken, channel)
      if (request !== null) await ask(provider, request, { timeoutMs: 5_000 })
    }
  }

  /** Tokens that still name the grant: an access token that has ended is replaced first. Null: the grant is dead already. */
  async function liveTokens({ id, provider }: Revocation, sealed: Sealed): Promise<GrantTokens | null> {
    const { client, tokens, expiresAt, settings } = sealed
    const row = providers[provider]
    const isLive = !row.isRevokedByAccessToken || expiresAt === null || new Date(expiresAt) > clock.now()
    const { refreshToken: earlier } = tokens
    if (isLive || earlier === null) return tokens
    const outcome = await tokenClient.refresh(row, { ...client, settings }, { refreshToken: earlier })
    if (outcome.kind === 'dead') return null
    if (outcome.kind !== 'issued') throw new Error(`${provider} gave no token to revoke with: ${outcome.kind}.`)
    const { accessToken, refreshToken, expiresIn } = outcome.tokens
    const next = { accessToken, refreshToken: refreshToken ?? earlier }
    const endsAt = expiresIn === null ? null : new Date(clock.now().getTime() + expiresIn * 1000).toISOString()
    await saveRevocation(platform, id, seal(id, { ...sealed, tokens: next, expiresAt: endsAt }))
    return next
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
