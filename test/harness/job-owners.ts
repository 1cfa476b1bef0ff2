import { run, sql } from '../../src/storage/query.ts'
import type { PlatformScope } from '../../src/storage/scope.ts'

// All test files of a process share one database, and so one queue. An app whose clock is days ahead would run all that the
// files before it have left behind, which took longer than its own tests.

/** The test file that made a tenant. */
const owners = new Map<string, string>()

/** The test file that is calling; null where the stack does not tell. */
export function callingTestFile(): string | null {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 50
  const frames = new Error().stack?.split('\n') ?? []
  Error.stackTraceLimit = limit
  return (
    frames.map((frame) => /file:\/\/(\S+\.test\.ts):\d+/.exec(frame)?.[1]).find((file) => file !== undefined) ?? null
  )
}

export function noteOwner(file: string | null, tenantId: string): void {
  if (file !== null) owners.set(tenantId, file)
}

/** Exact whatever the time zone. */
const parkedFor = sql`interval '8760000 hours'`
const parkedUntil = sql`(now() + interval '4380000 hours')`

/** Lets the jobs wait that belong to tenants of other test files, and those of this file's tenants no longer. */
export async function keepJobsOf(file: string | null, platform: PlatformScope): Promise<void> {
  if (file === null) return
  const tenants = (isOwn: boolean) =>
    [...owners].filter(([, owner]) => (owner === file) === isOwn).map(([tenantId]) => tenantId)
  await run(
    platform,
    sql`update jobs.job_common set start_after = start_after + ${parkedFor}
      where state < 'active' and start_after < ${parkedUntil} and group_id = any (${tenants(false)}::text[])`,
  )
  await run(
    platform,
    sql`update jobs.job_common set start_after = start_after - ${parkedFor}
      where state < 'active' and start_after >= ${parkedUntil} and group_id = any (${tenants(true)}::text[])`,
  )
}
