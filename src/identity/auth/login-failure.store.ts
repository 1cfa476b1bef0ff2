import { maybeOne, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import { delaysSeconds, freeFailures } from './login-throttle.rules.ts'

/** `source`: the hash of a known source, with a counter of its own; empty for all others together. */
type Counter = { emailHash: Buffer; source: Buffer }
type Attempt = Counter & { now: Date }

/**
 * Counts an attempt as failed before its password is checked. Returns the number of consecutive failures, or null while
 * a delay is running. It is one statement, so parallel guesses are limited exactly as sequential ones.
 */
export async function countAttempt(scope: TenantScope, { emailHash, source, now }: Attempt): Promise<number | null> {
  const row = await maybeOne(
    scope,
    sql<{
      failures: number
    }>`insert into login_failures as f (tenant_id, email_hash, source_hash, failures, blocked_until)
      values (${scope.tenantId}, ${emailHash}, ${source}, 1, ${now})
      on conflict (tenant_id, email_hash, source_hash) do update set
        failures = f.failures + 1,
        blocked_until = ${now}::timestamptz
          + (${delaysSeconds}::int[])[least(f.failures + 1, ${delaysSeconds.length}::int)] * interval '1 second'
      where f.failures <= ${freeFailures} or f.blocked_until <= ${now}
      returning failures`,
  )
  return row?.failures ?? null
}

/** Reverts `countAttempt` for an attempt whose password was not checked. */
export async function uncountAttempt(scope: TenantScope, { emailHash, source, now }: Attempt): Promise<void> {
  await run(
    scope,
    sql`update login_failures set failures = greatest(failures - 1, 0), blocked_until = ${now}
      where tenant_id = ${scope.tenantId} and email_hash = ${emailHash} and source_hash = ${source}`,
  )
}

export async function findBlockedUntil(scope: TenantScope, { emailHash, source }: Counter): Promise<Date | null> {
  const row = await maybeOne(
    scope,
    sql<{ blockedUntil: Date }>`select blocked_until as "blockedUntil" from login_failures
      where tenant_id = ${scope.tenantId} and email_hash = ${emailHash} and source_hash = ${source}`,
  )
  return row?.blockedUntil ?? null
}

/** After a login: it proves nothing about the guesses from elsewhere. */
export async function deleteCounter(scope: TenantScope, { emailHash, source }: Counter): Promise<void> {
  await run(
    scope,
    sql`delete from login_failures
      where tenant_id = ${scope.tenantId} and email_hash = ${emailHash} and source_hash = ${source}`,
  )
}

/** All counters of an address. */
export async function deleteFailures(scope: TenantScope, emailHash: Buffer): Promise<void> {
  await run(scope, sql`delete from login_failures where tenant_id = ${scope.tenantId} and email_hash = ${emailHash}`)
}

/** Deletes failure counters with no attempt and no delay since the given time. */
export function deleteOldFailures(platform: PlatformScope, before: Date): Promise<number> {
  return run(platform, sql`delete from login_failures where blocked_until < ${before}`)
}
