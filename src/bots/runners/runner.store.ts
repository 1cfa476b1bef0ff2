import type { RunnerCaller } from '../../http/access/callers.ts'
import { many, maybeOne, readPipelined, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'

export type Runner = {
  id: string
  name: string
  isShared: boolean
  isEnrolled: boolean
  platforms: string[]
  slots: number
  version: string | null
  lastSeenAt: Date | null
  createdAt: Date
  liveBots: number
}

const runnerColumns = sql`r.id, r.name, r.is_shared as "isShared", r.token_hash is not null as "isEnrolled", r.platforms, r.slots,
  r.version, r.last_seen_at as "lastSeenAt", r.created_at as "createdAt",
  (select count(*)::int from bots b where b.runner_id = r.id and b.due_at is not null) as "liveBots"`

const callerColumns = sql`tenant_id as "tenantId", id as "runnerId", name as "runnerName", is_shared as "isShared"`

type Known = Omit<RunnerCaller, 'tokenHash'>

export function findRunnerByToken(platform: PlatformScope, tokenHash: Buffer): Promise<Known | null> {
  return readPipelined(platform, sql<Known>`select ${callerColumns} from bot_runners where token_hash = ${tokenHash}`)
}

export function findRunnerByEnrollment(platform: PlatformScope, tokenHash: Buffer, now: Date): Promise<Known | null> {
  return readPipelined(
    platform,
    sql<Known>`select ${callerColumns} from bot_runners
      where enrollment_token_hash = ${tokenHash} and enrollment_expires_at > ${now}`,
  )
}

export function listRunners(scope: TenantScope): Promise<Runner[]> {
  return many(
    scope,
    sql<Runner>`select ${runnerColumns} from bot_runners r where r.tenant_id = ${scope.tenantId} order by r.created_at desc, r.id desc`,
  )
}

export function findRunner(scope: TenantScope, id: string): Promise<Runner | null> {
  return maybeOne(
    scope,
    sql<Runner>`select ${runnerColumns} from bot_runners r where r.tenant_id = ${scope.tenantId} and r.id = ${id}`,
  )
}

type NewRunner = { id: string; name: string; isShared: boolean; enrollmentHash: Buffer; expiresAt: Date; now: Date }

export async function insertRunner(tx: TenantScope, runner: NewRunner): Promise<void> {
  await run(
    tx,
    sql`insert into bot_runners (tenant_id, id, is_shared, name, enrollment_token_hash, enrollment_expires_at, created_at)
      values (${tx.tenantId}, ${runner.id}, ${runner.isShared}, ${runner.name}, ${runner.enrollmentHash}, ${runner.expiresAt}, ${runner.now})`,
  )
}

/** Replaces an unused token. False: there is no such runner. */
export async function setEnrollment(
  tx: TenantScope,
  { id, hash, expiresAt }: { id: string; hash: Buffer; expiresAt: Date },
): Promise<boolean> {
  const changed = await run(
    tx,
    sql`update bot_runners set enrollment_token_hash = ${hash}, enrollment_expires_at = ${expiresAt}
      where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
  return changed > 0
}

export async function deleteRunner(tx: TenantScope, id: string): Promise<boolean> {
  return (await run(tx, sql`delete from bot_runners where tenant_id = ${tx.tenantId} and id = ${id}`)) > 0
}

export type Enrollment = { tokenHash: Buffer; platforms: string[]; slots: number; version: string; now: Date }

/** Uses the one-time token up. One statement: of many callers with one token one wins. False: it is used or expired. */
export async function enrollRunner(tx: PlatformScope, runner: RunnerCaller, to: Enrollment): Promise<boolean> {
  const changed = await run(
    tx,
    sql`update bot_runners set token_hash = ${to.tokenHash}, enrollment_token_hash = null, enrollment_expires_at = null, epoch = 0,
        platforms = ${to.platforms}::text[], slots = ${to.slots}, version = ${to.version}, last_seen_at = ${to.now}
      where tenant_id = ${runner.tenantId} and id = ${runner.runnerId} and enrollment_token_hash = ${runner.tokenHash}
        and enrollment_expires_at > ${to.now}`,
  )
  return changed > 0
}

/** Records a call. Null: the token is no longer valid. Else the newest epoch of the runner, which may be another one's. */
export async function recordCall(
  scope: PlatformScope,
  runner: RunnerCaller,
  { epoch, now }: { epoch: number; now: Date },
): Promise<number | null> {
  const found = await maybeOne(
    scope,
    sql<{ epoch: number }>`update bot_runners set epoch = greatest(epoch, ${epoch}::bigint), last_seen_at = ${now}
      where tenant_id = ${runner.tenantId} and id = ${runner.runnerId} and token_hash = ${runner.tokenHash}
      returning epoch::float8 as epoch`,
  )
  return found?.epoch ?? null
}

/** The platforms of the runners that a tenant may use. */
export async function listRunnerPlatforms(scope: TenantScope): Promise<string[]> {
  const rows = await many(
    scope,
    sql<{ platform: string }>`select distinct unnest(platforms) as platform from bot_runners
      where (tenant_id = ${scope.tenantId} or is_shared) and token_hash is not null`,
  )
  return rows.map(({ platform }) => platform)
}

/**
 * The next bot for a runner: the oldest of the tenant that was served the longest time ago. Another runner may be faster.
 */
export function findNextQueued(
  scope: PlatformScope,
  { tenantId, isShared }: RunnerCaller,
  platforms: string[],
): Promise<{ tenantId: string; id: string } | null> {
  return maybeOne(
    scope,
    sql<{ tenantId: string; id: string }>`select b.tenant_id as "tenantId", b.id from bots b
      where b.status = 'queued' and b.provider in ('runner', 'browser') and b.platform = any (${platforms}::text[])
        and (${isShared} or b.tenant_id = ${tenantId})
      order by (select max(s.leased_at) from bots s where s.tenant_id = b.tenant_id) nulls first, b.status_at, b.id
      limit 1`,
  )
}
