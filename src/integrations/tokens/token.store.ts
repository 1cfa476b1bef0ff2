import type { ProviderName } from '../../providers/provider.ts'
import { many, maybeOne, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'

/** The columns of an integration that are about its tokens. */
export type TokenRow = {
  tenantId: string
  id: string
  provider: ProviderName
  status: string
  accountId: string | null
  clientId: string
  accessSealed: Buffer | null
  refreshSealed: Buffer | null
  version: number
  issuedAt: Date | null
  expiresAt: Date | null
  leasedUntil: Date | null
  nextTryAt: Date | null
}

const columns = sql`tenant_id as "tenantId", id, provider, status, account_id as "accountId", client_id as "clientId",
  access_sealed as "accessSealed", refresh_sealed as "refreshSealed", token_version as version, issued_at as "issuedAt",
  expires_at as "expiresAt", leased_until as "leasedUntil", next_try_at as "nextTryAt"`

export function findTokens(scope: TenantScope, id: string): Promise<TokenRow | null> {
  return maybeOne(
    scope,
    sql<TokenRow>`select ${columns} from integrations where tenant_id = ${scope.tenantId} and id = ${id}`,
  )
}

/** Takes the right to refresh, for one version of the tokens and one caller at a time. Null: somebody else has it, or has refreshed. */
export function leaseTokens(
  scope: TenantScope,
  { id, version, now, until }: { id: string; version: number; now: Date; until: Date },
): Promise<TokenRow | null> {
  return maybeOne(
    scope,
    sql<TokenRow>`update integrations set leased_until = ${until}
      where tenant_id = ${scope.tenantId} and id = ${id} and token_version = ${version} and status <> 'pending'
        and (leased_until is null or leased_until <= ${now})
      returning ${columns}`,
  )
}

export async function releaseLease(
  scope: TenantScope,
  { id, version }: { id: string; version: number },
): Promise<void> {
  await run(
    scope,
    sql`update integrations set leased_until = null
      where tenant_id = ${scope.tenantId} and id = ${id} and token_version = ${version}`,
  )
}

export type SavedTokens = {
  id: string
  /** The version that these replace. */
  version: number
  accessSealed: Buffer
  /** Null: the earlier one stays. */
  refreshSealed: Buffer | null
  expiresAt: Date | null
  now: Date
}

/**
 * Saves new tokens over the version they were asked with, and over no newer one. An answer that comes late heals a grant that
 * was already believed dead. False: something newer is there.
 */
export async function saveTokens(tx: TenantScope, tokens: SavedTokens): Promise<boolean> {
  const { id, version, accessSealed, refreshSealed, expiresAt, now } = tokens
  const saved = await run(
    tx,
    sql`update integrations set access_sealed = ${accessSealed}, refresh_sealed = coalesce(${refreshSealed}::bytea, refresh_sealed),
        expires_at = ${expiresAt}, issued_at = ${now}, token_version = token_version + 1, leased_until = null, failures = 0,
        status = case when status = 'reauth_required' then 'active' else status end,
        cause = case when status = 'reauth_required' then null else cause end,
        revision = case when status = 'reauth_required' then revision + 1 else revision end, updated_at = ${now}
      where tenant_id = ${tx.tenantId} and id = ${id} and token_version = ${version}`,
  )
  return saved === 1
}

/** The first tokens of a grant that a user has just given: they replace any earlier ones. */
export async function replaceTokens(tx: TenantScope, tokens: Omit<SavedTokens, 'version'>): Promise<void> {
  const { id, accessSealed, refreshSealed, expiresAt, now } = tokens
  await run(
    tx,
    sql`update integrations set access_sealed = ${accessSealed}, refresh_sealed = ${refreshSealed}, expires_at = ${expiresAt}, issued_at = ${now},
        token_version = token_version + 1, leased_until = null, failures = 0, next_try_at = null,
        last_success_at = ${now}
      where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

/** Null: newer tokens are there, or it was known. `isUntold`: the owner was not told of a dead grant since `toldBefore`. */
export function markReauthRequired(
  tx: TenantScope,
  { id, version, cause, toldBefore, now }: { id: string; version: number; cause: string; toldBefore: Date; now: Date },
): Promise<{ isUntold: boolean } | null> {
  return maybeOne(
    tx,
    sql<{
      isUntold: boolean
    }>`update integrations set status = 'reauth_required', cause = ${cause}, leased_until = null,
        reauth_mailed_at = case when reauth_mailed_at > ${toldBefore} then reauth_mailed_at else ${now} end,
        revision = revision + 1, updated_at = ${now}
      where tenant_id = ${tx.tenantId} and id = ${id} and token_version = ${version} and status in ('active', 'choosing')
      returning reauth_mailed_at = ${now} as "isUntold"`,
  )
}

/** Notes a call, at most once a minute where nothing else changes. */
export async function noteCall(
  scope: TenantScope,
  { id, isSuccess, nextTryAt, now }: { id: string; isSuccess: boolean; nextTryAt: Date | null; now: Date },
): Promise<void> {
  const minuteAgo = new Date(now.getTime() - 60_000)
  await run(
    scope,
    isSuccess
      ? sql`update integrations set last_used_at = ${now}, last_success_at = ${now}, failures = 0, next_try_at = null
          where tenant_id = ${scope.tenantId} and id = ${id}
            and (failures > 0 or next_try_at is not null or last_success_at is null or last_success_at < ${minuteAgo})`
      : sql`update integrations set last_used_at = ${now}, failures = failures + 1,
            next_try_at = coalesce(${nextTryAt}::timestamptz, next_try_at)
          where tenant_id = ${scope.tenantId} and id = ${id}`,
  )
}

/** Active grants whose tokens nobody has renewed for a while: they would die of idleness. */
export function listIdle(
  platform: PlatformScope,
  { before, limit }: { before: Date; limit: number },
): Promise<{ tenantId: string; id: string }[]> {
  return many(
    platform,
    sql<{ tenantId: string; id: string }>`select tenant_id as "tenantId", id from integrations
      where status = 'active' and refresh_sealed is not null and issued_at < ${before} order by issued_at limit ${limit}`,
  )
}

/** Takes dead grants whose owner was last told before this time. */
export function claimUntold(
  platform: PlatformScope,
  { before, now, limit }: { before: Date; now: Date; limit: number },
): Promise<{ tenantId: string; id: string }[]> {
  return many(
    platform,
    sql<{ tenantId: string; id: string }>`update integrations set reauth_mailed_at = ${now}
      where (tenant_id, id) in (select tenant_id, id from integrations where status = 'reauth_required'
        and reauth_mailed_at < ${before} order by reauth_mailed_at limit ${limit} for update skip locked)
      returning tenant_id as "tenantId", id`,
  )
}

/** Those that were connected with another client: of the tenant, or of the platform where it has no own app. */
export function listOfOtherClients(
  scope: TenantScope | PlatformScope,
  { provider, clientId }: { provider: ProviderName; clientId: string | null },
): Promise<{ tenantId: string; id: string; version: number }[]> {
  const where =
    scope.kind === 'tenant'
      ? sql`tenant_id = ${scope.tenantId}`
      : sql`not exists (select from integration_apps a where a.tenant_id = i.tenant_id and a.provider = i.provider)`
  return many(
    scope,
    sql<{
      tenantId: string
      id: string
      version: number
    }>`select tenant_id as "tenantId", id, token_version as version from integrations i
      where ${where} and provider = ${provider} and status in ('active', 'choosing') and client_id is distinct from ${clientId}`,
  )
}
