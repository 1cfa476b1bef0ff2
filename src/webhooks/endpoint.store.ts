import { isId } from '../kernel/ids.ts'
import type { Page, PageRequest } from '../kernel/paging.ts'
import { listPage, maybeOne, one, run, sql } from '../storage/query.ts'
import type { TenantScope } from '../storage/scope.ts'
import type { DisabledReason, Endpoint } from './endpoint.rules.ts'

const columns = sql`id, url, description, event_types as "eventTypes", rate_per_minute as "ratePerMinute", status,
  disabled_reason as "disabledReason", disabled_at as "disabledAt", failing_since as "failingSince",
  previous_until as "previousSecretUntil", created_at as "createdAt", updated_at as "updatedAt"`

export type NewEndpointRow = Pick<Endpoint, 'id' | 'url' | 'description' | 'eventTypes' | 'ratePerMinute'> & {
  secretSealed: Buffer
  now: Date
}

export function insertEndpoint(tx: TenantScope, endpoint: NewEndpointRow): Promise<Endpoint> {
  const { id, url, description, eventTypes, ratePerMinute, secretSealed, now } = endpoint
  return one(
    tx,
    sql<Endpoint>`insert into webhook_endpoints (tenant_id, id, url, description, event_types, rate_per_minute, status, secret_sealed, created_at, updated_at)
      values (${tx.tenantId}, ${id}, ${url}, ${description}, ${eventTypes}, ${ratePerMinute}, 'ACTIVE', ${secretSealed}, ${now}, ${now})
      returning ${columns}`,
  )
}

export async function countEndpoints(tx: TenantScope): Promise<number> {
  const { total } = await one(
    tx,
    sql<{ total: number }>`select count(*)::int as total from webhook_endpoints where tenant_id = ${tx.tenantId}`,
  )
  return total
}

export async function listEndpoints(scope: TenantScope, page: PageRequest): Promise<Page<Endpoint>> {
  return listPage<Endpoint>(scope, page, {
    columns,
    from: sql`from webhook_endpoints where tenant_id = ${scope.tenantId}`,
    orderBy: sql`created_at desc, id desc`,
  })
}

export async function findEndpoint(scope: TenantScope, id: string): Promise<Endpoint | null> {
  if (!isId(id)) return null
  return maybeOne(
    scope,
    sql<Endpoint>`select ${columns} from webhook_endpoints where tenant_id = ${scope.tenantId} and id = ${id}`,
  )
}

/** Locks against other changes, but not against new deliveries. */
export async function lockEndpoint(tx: TenantScope, id: string): Promise<Endpoint | null> {
  if (!isId(id)) return null
  return maybeOne(
    tx,
    sql<Endpoint>`select ${columns} from webhook_endpoints where tenant_id = ${tx.tenantId} and id = ${id} for no key update`,
  )
}

/** The caller has locked the endpoint. */
export async function saveEndpoint(tx: TenantScope, endpoint: Endpoint): Promise<void> {
  const { id, url, description, eventTypes, ratePerMinute, status, disabledReason, disabledAt, failingSince } = endpoint
  await run(
    tx,
    sql`update webhook_endpoints set url = ${url}, description = ${description}, event_types = ${eventTypes},
        rate_per_minute = ${ratePerMinute}, status = ${status}, disabled_reason = ${disabledReason}, disabled_at = ${disabledAt},
        failing_since = ${failingSince}, updated_at = ${endpoint.updatedAt},
        paused_until = case when ${failingSince}::timestamptz is null then null else paused_until end
      where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

/** The current secret stays as the previous one; a secret from an earlier rotation is dropped. */
export function replaceSecret(
  tx: TenantScope,
  { id, secretSealed, previousUntil, now }: { id: string; secretSealed: Buffer; previousUntil: Date; now: Date },
): Promise<Endpoint | null> {
  return maybeOne(
    tx,
    sql<Endpoint>`update webhook_endpoints set previous_secret_sealed = secret_sealed, previous_until = ${previousUntil},
        secret_sealed = ${secretSealed}, updated_at = ${now}
      where tenant_id = ${tx.tenantId} and id = ${id} returning ${columns}`,
  )
}

/** Deletes its deliveries first: an attempt that ends now locks its delivery before the endpoint. */
export async function deleteEndpoint(tx: TenantScope, id: string): Promise<boolean> {
  if (!isId(id)) return false
  await run(tx, sql`delete from webhook_sends where tenant_id = ${tx.tenantId} and endpoint_id = ${id}`)
  return (await run(tx, sql`delete from webhook_endpoints where tenant_id = ${tx.tenantId} and id = ${id}`)) > 0
}

/** The URL at the time of the attempt: the endpoint may have another one now, and the result does not apply to that. */
type AttemptedEndpoint = { id: string; url: string }

/** Returns since when it has been failing. Null: the endpoint was deleted, or has another URL. */
export async function recordFailure(
  tx: TenantScope,
  { id, url, pausedUntil, now }: AttemptedEndpoint & { pausedUntil: Date | null; now: Date },
): Promise<Date | null> {
  const row = await maybeOne(
    tx,
    sql<{ since: Date }>`update webhook_endpoints set failing_since = coalesce(failing_since, ${now}),
        paused_until = greatest(paused_until, ${pausedUntil}::timestamptz)
      where tenant_id = ${tx.tenantId} and id = ${id} and url = ${url} returning failing_since as since`,
  )
  return row?.since ?? null
}

/** True for the one caller that disabled it. */
export async function disableEndpoint(
  tx: TenantScope,
  { id, reason, now }: { id: string; reason: DisabledReason; now: Date },
): Promise<boolean> {
  const changed = await run(
    tx,
    sql`update webhook_endpoints set status = 'DISABLED', disabled_reason = ${reason}, disabled_at = ${now}, updated_at = ${now}
      where tenant_id = ${tx.tenantId} and id = ${id} and status = 'ACTIVE'`,
  )
  return changed > 0
}

/** Counts one delivery in the minute. False: the endpoint's limit is reached. */
export async function consumeRateLimit(
  scope: TenantScope,
  { id, minute }: { id: string; minute: Date },
): Promise<boolean> {
  const taken = await run(
    scope,
    sql`update webhook_endpoints set rate_minute = ${minute},
        rate_count = case when rate_minute = ${minute} then rate_count + 1 else 1 end
      where tenant_id = ${scope.tenantId} and id = ${id}
        and (rate_per_minute is null or rate_minute is distinct from ${minute} or rate_count < rate_per_minute)`,
  )
  return taken > 0
}
