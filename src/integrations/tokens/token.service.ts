import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock.ts'
import type { Counter, Labelled, Metrics } from '../../kernel/metrics.ts'
import { providers } from '../../providers/provider-table.ts'
import type { IssuedTokens, TokenClient } from '../../providers/token-client.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { OAuthApp, OAuthApps } from '../apps/app.service.ts'
import type { GrantSecrets } from '../sealed-grants.ts'
import { GrantFailure } from './grant-failure.ts'
import { isRefreshDue, sealedTokens } from './token.rules.ts'
import { findTokens, leaseTokens, releaseLease, saveTokens, type TokenRow } from './token.store.ts'

export type AccessToken = { token: string; version: number; app: OAuthApp; row: TokenRow }

export type TokenDeps = {
  clock: Clock
  metrics: Metrics
  secrets: GrantSecrets
  apps: Pick<OAuthApps, 'find'>
  client: TokenClient
  /** Ends a grant that is dead, unless newer tokens are there. */
  endGrant(scope: TenantScope, row: TokenRow, cause: string): Promise<void>
}

/** Longer than the request takes at most (10 s), so that nobody begins a second one meanwhile. */
const leaseMs = 30_000
const waitMs = 12_000
const lookMs = 100

export type Tokens = ReturnType<typeof tokenService>

/** The access tokens of integrations, refreshed by one caller at a time on all nodes. */
export function tokenService({ clock, metrics, secrets, apps, client, endGrant }: TokenDeps) {
  const refreshes: Labelled<Counter> = metrics.counter({
    name: 'integration_refreshes_total',
    help: 'Token requests for refreshes, by provider and outcome.',
    labels: ['provider', 'outcome'],
  })
  /** Callers of this node that wait for the same refresh. */
  const running = new Map<string, Promise<AccessToken>>()

  /** Throws GrantFailure. */
  async function get(scope: TenantScope, id: string): Promise<AccessToken> {
    const row = await requireTokens(scope, id)
    const isUsable = row.expiresAt === null || row.expiresAt > clock.now()
    if (!isRefreshDue(row, clock.now()) || row.refreshSealed === null) return withApp(scope, row)
    try {
      return await refresh(scope, row)
    } catch (error) {
      // It is still good for some minutes.
      const isAway = error instanceof GrantFailure && error.reason !== 'REAUTH_REQUIRED' && error.reason !== 'GONE'
      if (isUsable && isAway) return withApp(scope, row)
      throw error
    }
  }

  /** New tokens in place of a version that the provider refused. Throws GrantFailure. */
  async function renew(scope: TenantScope, id: string, version: number): Promise<AccessToken> {
    const row = await requireTokens(scope, id)
    if (row.version !== version) return withApp(scope, row)
    if (row.refreshSealed === null) {
      await endGrant(scope, row, 'ACCESS_REFUSED')
      throw new GrantFailure('REAUTH_REQUIRED')
    }
    return refresh(scope, row)
  }

  /** One token request of this node at a time, no matter who asks. */
  function refresh(scope: TenantScope, row: TokenRow): Promise<AccessToken> {
    const key = `${row.tenantId} ${row.id} ${row.version}`
    const known = running.get(key)
    if (known !== undefined) return known
    const started = refreshOrWait(scope, row).finally(() => running.delete(key))
    running.set(key, started)
    return started
  }

  /** And one of all nodes. A node that does not get the lease waits for the one that has it. */
  async function refreshOrWait(scope: TenantScope, { id, version }: TokenRow): Promise<AccessToken> {
    const deadline = performance.now() + waitMs
    for (;;) {
      const now = clock.now()
      const until = new Date(now.getTime() + leaseMs)
      const leased = await leaseTokens(scope, { id, version, now, until })
      if (leased !== null) return askProvider(scope, leased)
      const current = await requireTokens(scope, id)
      if (current.version !== version) return withApp(scope, current)
      if (performance.now() > deadline) throw new GrantFailure('PROVIDER_UNAVAILABLE')
      await delay(lookMs)
    }
  }

  async function askProvider(scope: TenantScope, row: TokenRow): Promise<AccessToken> {
    const { id, version, provider } = row
    const app = await appOf(scope, row)
    if (row.refreshSealed === null) throw new GrantFailure('REAUTH_REQUIRED')
    const refreshToken = secrets.openToken(row.refreshSealed, 'refresh_sealed', row)
    const outcome = await client.refresh(providers[provider], app, { refreshToken }).catch(async (error: unknown) => {
      await releaseLease(scope, { id, version })
      throw error
    })
    refreshes(provider, outcome.kind).add()
    if (outcome.kind === 'issued') return keep(scope, { row, app }, outcome.tokens)
    if (outcome.kind === 'dead') return believe(scope, row)
    await releaseLease(scope, { id, version })
    throw new GrantFailure(failureOf(outcome.kind))
  }

  /**
   * A token for another API of the same provider, as Microsoft has one for each. It is stored nowhere, and needs no lease: the
   * refresh token works on after its use. Throws GrantFailure.
   */
  async function issueFor(scope: TenantScope, id: string, scopes: readonly string[]): Promise<IssuedTokens> {
    const row = await requireTokens(scope, id)
    const app = await appOf(scope, row)
    if (row.refreshSealed === null) throw new GrantFailure('REAUTH_REQUIRED')
    const refreshToken = secrets.openToken(row.refreshSealed, 'refresh_sealed', row)
    const outcome = await client.refresh(providers[row.provider], app, { refreshToken, scopes })
    refreshes(row.provider, outcome.kind).add()
    if (outcome.kind === 'issued') return outcome.tokens
    if (outcome.kind !== 'dead') throw new GrantFailure(failureOf(outcome.kind))
    await believe(scope, row)
    throw new GrantFailure('PROVIDER_UNAVAILABLE')
  }

  async function keep(scope: TenantScope, { row, app }: { row: TokenRow; app: OAuthApp }, tokens: IssuedTokens) {
    const now = clock.now()
    const saved = { id: row.id, version: row.version, now, ...sealedTokens(secrets, row, { tokens, now }) }
    const isSaved = await transaction(scope, (tx) => saveTokens(tx, saved))
    // Something newer is there: ours may be void already.
    if (!isSaved) return withApp(scope, await requireTokens(scope, row.id))
    return { token: tokens.accessToken, version: row.version + 1, app, row }
  }

  /** A refusal is believed after the row was read again: a newer version means that somebody else won. */
  async function believe(scope: TenantScope, row: TokenRow): Promise<AccessToken> {
    const current = await requireTokens(scope, row.id)
    if (current.version !== row.version) return withApp(scope, current)
    await endGrant(scope, row, 'GRANT_DEAD')
    throw new GrantFailure('REAUTH_REQUIRED')
  }

  async function requireTokens(scope: TenantScope, id: string): Promise<TokenRow> {
    const row = await findTokens(scope, id)
    if (row === null || row.status === 'pending') throw new GrantFailure('GONE')
    if (row.status === 'reauth_required' || row.accessSealed === null) throw new GrantFailure('REAUTH_REQUIRED')
    return row
  }

  async function withApp(scope: TenantScope, row: TokenRow): Promise<AccessToken> {
    const app = await appOf(scope, row)
    const token = secrets.openToken(row.accessSealed as Buffer, 'access_sealed', row)
    return { token, version: row.version, app, row }
  }

  /** The app that the grant was given to. With another one it is of no use. */
  async function appOf(scope: TenantScope, row: TokenRow): Promise<OAuthApp> {
    const app = await apps.find(scope, row.provider)
    if (app?.clientId === row.clientId) return app
    await endGrant(scope, row, 'APP_CHANGED')
    throw new GrantFailure('REAUTH_REQUIRED')
  }

  return { get, renew, issueFor, withApp, requireTokens }
}

function failureOf(outcome: 'refused' | 'unavailable') {
  return outcome === 'refused' ? 'APP_REFUSED' : 'PROVIDER_UNAVAILABLE'
}
