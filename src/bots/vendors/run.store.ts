import { many, maybeOne, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type { BotPlatform } from '../bot.rules.ts'
import { type VendorName, vendors } from '../vendor.rules.ts'
import type { VendorRun } from './run.rules.ts'

const columns = sql`r.tenant_id as "tenantId", r.id, r.bot_id as "botId", r.attempt, r.room, r.platform, r.vendor, r.asked_at as "askedAt",
  r.external_id as "externalId", r.tries, r.heard_ms::float8 as "heardMs", r.chat_seen as "chatSeen",
  r.leave_asked_at as "leaveAskedAt", r.reconciled_at as "reconciledAt"`

export type RunKey = { tenantId: string; id: string }
export type QueuedBot = {
  tenantId: string
  botId: string
  attempt: number
  room: string
  platform: BotPlatform
  vendor: VendorName
}

/**
 * Bots that wait for their vendor, and were not ordered there yet. An attempt waits until the vendor's bot of the one before
 * is out, so that no two come to a meeting.
 */
export function listUnordered(platform: PlatformScope, limit: number): Promise<QueuedBot[]> {
  return many(
    platform,
    sql<QueuedBot>`select b.tenant_id as "tenantId", b.id as "botId", b.attempt, b.room, b.platform,
        b.provider as vendor from bots b
      where b.status = 'queued' and b.provider = any (${[...vendors]}) and not exists (
        select from bot_vendor_runs r where r.tenant_id = b.tenant_id and r.bot_id = b.id and r.attempt = b.attempt
          and r.room = b.room and r.look_at is not null and r.external_id is null)
        and not exists (select from bot_vendor_runs r where r.tenant_id = b.tenant_id and r.bot_id = b.id
          and r.look_at is not null and r.out_at is null)
      order by b.status_at limit ${limit}`,
  )
}

type NewRun = Pick<VendorRun, 'id' | 'botId' | 'attempt' | 'room' | 'platform' | 'vendor'> & { pollAt: Date; now: Date }

/** Does nothing where the bot has gone on, or another node was faster. The bot must be locked. */
export async function insertRun(
  tx: TenantScope,
  { id, botId, attempt, room, platform, vendor, pollAt, now }: NewRun,
): Promise<void> {
  await run(
    tx,
    sql`insert into bot_vendor_runs (tenant_id, id, bot_id, attempt, room, platform, vendor, look_at, created_at)
      select ${tx.tenantId}, ${id}, ${botId}, ${attempt}, ${room}, ${platform}, ${vendor}, ${pollAt}, ${now}
      where not exists (select from bot_vendor_runs r where r.tenant_id = ${tx.tenantId} and r.bot_id = ${botId}
        and r.attempt = ${attempt} and r.room = ${room} and r.look_at is not null and r.external_id is null)`,
  )
}

/** Those to be asked about now: by time, because the bot has to leave, or because somebody wants to say something. */
export function listDueRuns(
  platform: PlatformScope,
  { now, staleBefore, limit }: { now: Date; staleBefore: Date; limit: number },
): Promise<RunKey[]> {
  return many(
    platform,
    sql<RunKey>`select r.tenant_id as "tenantId", r.id from bot_vendor_runs r
        left join bots b on b.tenant_id = r.tenant_id and b.id = r.bot_id
      where r.look_at is not null and (r.enqueued_at is null or r.enqueued_at < ${staleBefore})
        and (r.look_at <= ${now}
          or (r.leave_asked_at is null and r.external_id is not null and r.tries = 0 and (b.id is null or b.attempt <> r.attempt or b.room <> r.room
            or b.status in ('scheduled', 'queued', 'leaving', 'ended', 'failed')))
          or (b.status = 'in_meeting' and r.tries = 0 and exists (select from bot_commands c
            where c.tenant_id = b.tenant_id and c.bot_id = b.id and c.done_at is null)))
      order by r.look_at limit ${limit}`,
  )
}

/** False: a job for it waits already. */
export async function markEnqueued(
  tx: TenantScope,
  id: string,
  { now, staleBefore }: { now: Date; staleBefore: Date },
): Promise<boolean> {
  const marked = await run(
    tx,
    sql`update bot_vendor_runs set enqueued_at = ${now} where tenant_id = ${tx.tenantId} and id = ${id}
      and look_at is not null and (enqueued_at is null or enqueued_at < ${staleBefore})`,
  )
  return marked === 1
}

/**
 * Null: it is over. From now on another job may be enqueued: jobs of one run are done one after another.
 * @param nextAt when the next look comes if this one is lost
 */
export function startPoll(scope: TenantScope, id: string, nextAt: Date): Promise<VendorRun | null> {
  return maybeOne(
    scope,
    sql<VendorRun>`update bot_vendor_runs r set enqueued_at = null, look_at = greatest(r.look_at, ${nextAt})
      where r.tenant_id = ${scope.tenantId} and r.id = ${id} and r.look_at is not null returning ${columns}`,
  )
}

/** False: it was asked for before. */
export async function markAsked(scope: TenantScope, id: string, now: Date): Promise<boolean> {
  const marked = await run(
    scope,
    sql`update bot_vendor_runs set asked_at = ${now} where tenant_id = ${scope.tenantId} and id = ${id} and asked_at is null`,
  )
  return marked === 1
}

/** The vendor has said that it did nothing. */
export async function markNotAsked(scope: TenantScope, id: string): Promise<void> {
  await run(
    scope,
    sql`update bot_vendor_runs set asked_at = null where tenant_id = ${scope.tenantId} and id = ${id} and external_id is null`,
  )
}

/** False: the vendor's bot belongs to another run. */
export async function writeExternalId(
  tx: TenantScope,
  { id, vendor, externalId }: { id: string; vendor: VendorName; externalId: string },
): Promise<boolean> {
  const written = await run(
    tx,
    sql`update bot_vendor_runs set external_id = ${externalId} where tenant_id = ${tx.tenantId} and id = ${id}
      and external_id is null and not exists (select from bot_vendor_runs other
        where other.tenant_id = ${tx.tenantId} and other.vendor = ${vendor} and other.external_id = ${externalId})`,
  )
  return written === 1
}

export async function planPoll(
  scope: TenantScope,
  id: string,
  { at, tries = 0, error = null }: { at: Date; tries?: number; error?: string | null },
): Promise<void> {
  await run(
    scope,
    sql`update bot_vendor_runs set look_at = ${at}, tries = ${tries}, error = ${error}
      where tenant_id = ${scope.tenantId} and id = ${id} and look_at is not null`,
  )
}

export async function markLeaveAsked(scope: TenantScope, id: string, now: Date): Promise<void> {
  await run(
    scope,
    sql`update bot_vendor_runs set leave_asked_at = ${now}
      where tenant_id = ${scope.tenantId} and id = ${id} and leave_asked_at is null`,
  )
}

export async function markOut(scope: TenantScope, id: string, now: Date): Promise<void> {
  await run(
    scope,
    sql`update bot_vendor_runs set out_at = ${now} where tenant_id = ${scope.tenantId} and id = ${id} and out_at is null`,
  )
}

export async function writeHeard(
  tx: TenantScope,
  id: string,
  { heardMs, chatSeen }: { heardMs: number; chatSeen: string[] },
): Promise<void> {
  await run(
    tx,
    sql`update bot_vendor_runs set heard_ms = ${Math.round(heardMs)}, chat_seen = ${chatSeen}::text[]
      where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

export async function markReconciled(tx: TenantScope, id: string, now: Date): Promise<void> {
  await run(tx, sql`update bot_vendor_runs set reconciled_at = ${now} where tenant_id = ${tx.tenantId} and id = ${id}`)
}

/** @param isErased the vendor no longer has anything of the meeting */
export async function closeRun(
  scope: TenantScope,
  id: string,
  { now, isErased, error = null }: { now: Date; isErased: boolean; error?: string | null },
): Promise<void> {
  await run(
    scope,
    sql`update bot_vendor_runs set look_at = null, enqueued_at = null, error = ${error}, chat_seen = '{}',
        erased_at = ${isErased ? now : null}
      where tenant_id = ${scope.tenantId} and id = ${id}`,
  )
}

/** The vendor said that something has changed. */
export function findRunOfExternal(
  tx: TenantScope,
  { vendor, externalId }: { vendor: VendorName; externalId: string },
): Promise<VendorRun | null> {
  return maybeOne(
    tx,
    sql<VendorRun>`select ${columns} from bot_vendor_runs r where r.tenant_id = ${tx.tenantId} and r.vendor = ${vendor}
      and r.external_id = ${externalId} and r.look_at is not null for update`,
  )
}

export async function countOpenRuns(tx: TenantScope, vendor: VendorName): Promise<{ live: number; open: number }> {
  const found = await maybeOne(
    tx,
    sql<{ live: number; open: number }>`select count(*)::int as open,
        (select count(*)::int from bots b where b.tenant_id = ${tx.tenantId} and b.provider = ${vendor}
          and b.status not in ('ended', 'failed')) as live
      from bot_vendor_runs r where r.tenant_id = ${tx.tenantId} and r.vendor = ${vendor} and r.look_at is not null`,
  )
  return found ?? { live: 0, open: 0 }
}

/** The settings of the vendor are gone, so nobody can be asked. */
export async function closeRunsOf(tx: TenantScope, vendor: VendorName, error: string): Promise<void> {
  await run(
    tx,
    sql`update bot_vendor_runs set look_at = null, enqueued_at = null, error = ${error}
      where tenant_id = ${tx.tenantId} and vendor = ${vendor} and look_at is not null`,
  )
}

/** Those that are over, and whose bots were erased with their meetings. */
export function deleteForgottenRuns(platform: PlatformScope, before: Date): Promise<number> {
  return run(
    platform,
    sql`delete from bot_vendor_runs r where r.look_at is null and r.created_at < ${before}
      and not exists (select from bots b where b.tenant_id = r.tenant_id and b.id = r.bot_id)`,
  )
}
