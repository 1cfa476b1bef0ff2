import { type Page, type PageRequest, pageOffset } from '../../kernel/paging.ts'
import type { TranscriptGap } from '../../meetings/index.ts'
import { many, maybeOne, one, run, type Sql, sql } from '../../storage/query.ts'
import type { PlatformScope, Scope, TenantScope } from '../../storage/scope.ts'
import type { Bot, BotStatus, Gap } from '../bot.rules.ts'
import type { BotEvent } from './transitions.rules.ts'

const botColumns = sql`b.id, b.tenant_id as "tenantId", b.meeting_id as "meetingId", b.org_id as "orgId", b.owner_id as "ownerId",
  b.requested_by as "requestedBy", b.requesters, b.platform, b.provider, b.room, b.start_key as "startKey",
  b.display_name as "displayName", b.status, b.reason, b.detail, b.join_at as "joinAt", b.auto_leave as "autoLeave", b.consent,
  b.chat_answers as "chatAnswers", b.speed, b.attempt, b.status_at as "statusAt", b.due_at as "dueAt",
  b.admitted_at as "admittedAt", b.attempt_admitted_at as "attemptAdmittedAt", b.left_at as "leftAt", b.seconds, b.gaps, b.health,
  b.runner_id as "runnerId", b.lease, b.leased_at as "leasedAt", b.entries_seq::float8 as "entriesSeq",
  b.events_seq::float8 as "eventsSeq", b.watch, b.created_at as "createdAt", b.ended_at as "endedAt", b.revision`

const isLive = sql`b.status not in ('ended', 'failed')`

export function findBot(scope: TenantScope, id: string): Promise<Bot | null> {
  return maybeOne(
    scope,
    sql<Bot>`select ${botColumns} from bots b where b.tenant_id = ${scope.tenantId} and b.id = ${id}`,
  )
}

/** The bot, locked until the transaction ends. Lock its meeting first. */
export function lockBot(tx: TenantScope, id: string): Promise<Bot | null> {
  return maybeOne(
    tx,
    sql<Bot>`select ${botColumns} from bots b where b.tenant_id = ${tx.tenantId} and b.id = ${id} for update`,
  )
}

export type Occurrence = { ownerId: string; room: string; startKey: string }

/** The live bot for an occurrence: one for the same start, or one that is in the room or about to go there. */
export function findLiveBot(
  tx: TenantScope,
  { ownerId, room, startKey }: Occurrence,
  { from, to }: { from: Date; to: Date },
): Promise<Bot | null> {
  return maybeOne(
    tx,
    sql<Bot>`select ${botColumns} from bots b
      where b.tenant_id = ${tx.tenantId} and b.owner_id = ${ownerId} and b.room = ${room} and ${isLive}
        and (b.start_key = ${startKey} or (${startKey} = '' and (b.status <> 'scheduled' or b.join_at between ${from} and ${to})))
      order by b.status = 'scheduled', b.join_at limit 1`,
  )
}

/** Whether a bot was sent to the meeting, or to this occurrence, already. One that was cancelled does not count. */
export async function hasHadBot(
  tx: TenantScope,
  { meetingId, ownerId, room, joinAt }: { meetingId: string; ownerId: string; room: string; joinAt: Date },
): Promise<boolean> {
  const { had } = await one(
    tx,
    sql<{ had: boolean }>`select exists (select 1 from bots b where b.tenant_id = ${tx.tenantId}
        and (b.meeting_id = ${meetingId} or (b.owner_id = ${ownerId} and b.room = ${room} and b.join_at = ${joinAt}))
        and b.reason is distinct from 'CANCELLED') as had`,
  )
  return had
}

export async function countLiveBots(tx: TenantScope): Promise<number> {
  const { live } = await one(
    tx,
    sql<{ live: number }>`select count(*)::int as live from bots b where b.tenant_id = ${tx.tenantId} and ${isLive}`,
  )
  return live
}

/** @param secrets the whole link, sealed, and the hash of an ingest token */
export async function insertBot(
  tx: TenantScope,
  bot: Bot,
  { linkSealed, ingestHash }: { linkSealed: Buffer | null; ingestHash: Buffer | null },
): Promise<void> {
  await run(
    tx,
    sql`insert into bots (tenant_id, id, meeting_id, org_id, owner_id, requested_by, requesters, platform, provider, room, start_key,
        link_sealed, display_name, status, join_at, auto_leave, consent, chat_answers, speed, ingest_hash, status_at, due_at, created_at, watch)
      values (${tx.tenantId}, ${bot.id}, ${bot.meetingId}, ${bot.orgId}, ${bot.ownerId}, ${bot.requestedBy}, ${bot.requesters}::uuid[],
        ${bot.platform}, ${bot.provider}, ${bot.room}, ${bot.startKey}, ${linkSealed}, ${bot.displayName}, ${bot.status}, ${bot.joinAt},
        ${JSON.stringify(bot.autoLeave)}::jsonb, ${JSON.stringify(bot.consent)}::jsonb, ${bot.chatAnswers}, ${bot.speed}, ${ingestHash},
        ${bot.statusAt}, ${bot.dueAt}, ${bot.createdAt}, ${JSON.stringify(bot.watch)}::jsonb)`,
  )
}

/** Writes what changes while a bot lives. It must be locked. Returns it with its next revision. */
export async function saveBot(tx: TenantScope, bot: Bot): Promise<Bot> {
  const revision = bot.revision + 1
  await run(
    tx,
    sql`update bots set requesters = ${bot.requesters}::uuid[], display_name = ${bot.displayName}, status = ${bot.status},
        reason = ${bot.reason}, detail = ${bot.detail}, join_at = ${bot.joinAt}, start_key = ${bot.startKey},
        auto_leave = ${JSON.stringify(bot.autoLeave)}::jsonb, consent = ${JSON.stringify(bot.consent)}::jsonb,
        chat_answers = ${bot.chatAnswers}, attempt = ${bot.attempt}, status_at = ${bot.statusAt}, due_at = ${bot.dueAt},
        admitted_at = ${bot.admittedAt}, attempt_admitted_at = ${bot.attemptAdmittedAt}, left_at = ${bot.leftAt},
        seconds = ${bot.seconds}, gaps = ${JSON.stringify(bot.gaps)}::jsonb, health = ${bot.health}, runner_id = ${bot.runnerId},
        lease = ${bot.lease}, leased_at = ${bot.leasedAt}, entries_seq = ${bot.entriesSeq}, events_seq = ${bot.eventsSeq},
        watch = ${JSON.stringify(bot.watch)}::jsonb, ended_at = ${bot.endedAt}, revision = ${revision}
      where tenant_id = ${tx.tenantId} and id = ${bot.id}`,
  )
  return { ...bot, revision }
}

export async function insertEvents(tx: TenantScope, botId: string, events: BotEvent[]): Promise<void> {
  for (const { at, type, from, to, reason, detail } of events)
    await run(
      tx,
      sql`insert into bot_events (tenant_id, bot_id, at, type, from_state, to_state, reason, detail)
        values (${tx.tenantId}, ${botId}, ${at}, ${type}, ${from}, ${to}, ${reason}, ${detail})`,
    )
}

/** The newest events are kept: a runner that repeats a refused transition must not fill the table. */
const eventsMax = 500

export function listEvents(scope: TenantScope, botId: string): Promise<BotEvent[]> {
  return many(
    scope,
    sql<BotEvent>`select at, type, from_state as "from", to_state as "to", reason, detail from (
        select * from bot_events where tenant_id = ${scope.tenantId} and bot_id = ${botId} order by number desc limit ${eventsMax}
      ) newest order by number`,
  )
}

export async function deleteOldestEvents(tx: TenantScope, botId: string): Promise<void> {
  await run(
    tx,
    sql`delete from bot_events where tenant_id = ${tx.tenantId} and bot_id = ${botId} and number < (
        select min(number) from (select number from bot_events where tenant_id = ${tx.tenantId} and bot_id = ${botId}
          order by number desc limit ${eventsMax}) newest)`,
  )
}

export type BotSearch = {
  userId: string
  meetingId?: string | undefined
  orgId?: string | undefined
  status?: BotStatus | undefined
  live?: boolean | undefined
}

/** Whether a user may read a meeting. */
export type ReadableBy = (userId: string, meeting: { tenantId: Sql; id: Sql }) => Sql<boolean>

/** Those of meetings that the user may read, and those the user asked for. Newest first. */
export async function listBots(
  scope: TenantScope,
  { search, readableBy }: { search: BotSearch; readableBy: ReadableBy },
  page: PageRequest,
): Promise<Page<Bot>> {
  const { userId, meetingId = null, orgId = null, status = null, live = null } = search
  const from = sql`from bots b where b.tenant_id = ${scope.tenantId}
    and (${userId}::uuid = any (b.requesters) or ${readableBy(userId, { tenantId: sql`b.tenant_id`, id: sql`b.meeting_id` })})
    and (${meetingId}::uuid is null or b.meeting_id = ${meetingId}) and (${orgId}::uuid is null or b.org_id = ${orgId})
    and (${status}::text is null or b.status = ${status})
    and (${live}::boolean is null or ${live} = (${isLive}))`
  const items = await many(
    scope,
    sql<Bot>`select ${botColumns} ${from} order by b.created_at desc, b.id desc limit ${page.limit} offset ${pageOffset(page)}`,
  )
  const { total } = await one(scope, sql<{ total: number }>`select count(*)::int as total ${from}`)
  return { items, total }
}

export type BotKey = { tenantId: string; id: string }

export function listDueBots(scope: PlatformScope, now: Date, limit: number): Promise<BotKey[]> {
  return many(
    scope,
    sql<BotKey>`select tenant_id as "tenantId", id from bots where due_at <= ${now} order by due_at limit ${limit}`,
  )
}

/** Live ones that the service itself plays or asks a vendor about. */
export function listLiveBotsOf(scope: PlatformScope, provider: string, limit: number): Promise<BotKey[]> {
  return many(
    scope,
    sql<BotKey>`select b.tenant_id as "tenantId", b.id from bots b
      where b.due_at is not null and b.provider = ${provider} and b.status in ('queued', 'joining', 'waiting_room', 'in_meeting', 'leaving')
      order by b.id limit ${limit}`,
  )
}

export function listLiveBots(scope: TenantScope): Promise<BotKey[]> {
  return many(
    scope,
    sql<BotKey>`select b.tenant_id as "tenantId", b.id from bots b where b.tenant_id = ${scope.tenantId} and ${isLive} order by b.id`,
  )
}

export function listBotsOfMeetings(tx: TenantScope, meetingIds: string[]): Promise<BotKey[]> {
  return many(
    tx,
    sql<BotKey>`select b.tenant_id as "tenantId", b.id from bots b
      where b.tenant_id = ${tx.tenantId} and b.meeting_id = any (${meetingIds}::uuid[]) order by b.id`,
  )
}

/** When bots of a meeting were away from it, and where that is in its transcript. */
export async function listGaps(scope: TenantScope, meetingId: string): Promise<TranscriptGap[]> {
  const bots = await many(
    scope,
    sql<{ gaps: Gap[]; admittedAt: Date }>`select b.gaps, b.admitted_at as "admittedAt" from bots b
      where b.tenant_id = ${scope.tenantId} and b.meeting_id = ${meetingId} and b.gaps <> '[]' and b.admitted_at is not null
      order by b.created_at`,
  )
  return bots.flatMap(({ gaps, admittedAt }) =>
    gaps.map(({ from, to, cause }) => {
      const start = new Date(from)
      const offsetSeconds = Math.max(0, start.getTime() - admittedAt.getTime()) / 1000
      return { from: start, to: to === null ? null : new Date(to), cause, offsetSeconds }
    }),
  )
}

export async function deleteBots(tx: TenantScope, ids: string[]): Promise<void> {
  await run(tx, sql`delete from bots where tenant_id = ${tx.tenantId} and id = any (${ids}::uuid[])`)
}

export async function findSealedLink(scope: TenantScope, id: string): Promise<Buffer | null> {
  const found = await maybeOne(
    scope,
    sql<{
      sealed: Buffer | null
    }>`select link_sealed as sealed from bots where tenant_id = ${scope.tenantId} and id = ${id}`,
  )
  return found?.sealed ?? null
}

export async function forgetLink(tx: TenantScope, id: string): Promise<void> {
  await run(
    tx,
    sql`update bots set link_sealed = null, ingest_hash = null where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

export async function forgetUser(tx: Scope, { tenantId, userId }: { tenantId: string; userId: string }): Promise<void> {
  await run(
    tx,
    sql`update bots set requesters = array_remove(requesters, ${userId}::uuid),
        requested_by = case when requested_by = ${userId} then null else requested_by end
      where tenant_id = ${tenantId} and ${userId}::uuid = any (requesters)`,
  )
  await run(tx, sql`delete from bot_policies where tenant_id = ${tenantId} and owner_id = ${userId}`)
}

/** The bot of an ingest token, on any tenant. */
export function findIngestBot(platform: PlatformScope, hash: Buffer): Promise<BotKey | null> {
  return maybeOne(platform, sql<BotKey>`select tenant_id as "tenantId", id from bots where ingest_hash = ${hash}`)
}

/** When the nodes began to look without a break, as of this look. A clock that was set back is a break, too. */
export async function recordCheck(scope: Scope, { now, breakMs }: { now: Date; breakMs: number }): Promise<Date> {
  const [earliest, latest] = [new Date(now.getTime() - breakMs), new Date(now.getTime() + breakMs)]
  const { since } = await one(
    scope,
    sql<{ since: Date }>`insert into bot_looks as l (id, since, last_at) values (1, ${now}, ${now})
      on conflict (id) do update set
        last_at = case when l.last_at > ${latest} then ${now} else greatest(l.last_at, ${now}) end,
        since = case when l.last_at between ${earliest} and ${latest} then l.since else ${now} end
      returning since`,
  )
  return since
}

type HeldBot = BotKey & { isLive: boolean }

/**
 * Renews the leases that the runner still holds. Those of bots that have ended are answered, too: their runner has to be
 * told to leave.
 */
export function renewLeases(
  scope: PlatformScope,
  { runnerId, leases, now }: { runnerId: string; leases: { botId: string; lease: number }[]; now: Date },
): Promise<HeldBot[]> {
  return many(
    scope,
    sql<HeldBot>`with held as (
        select b.tenant_id, b.id, b.status not in ('ended', 'failed', 'queued') as is_live from bots b
        join unnest(${leases.map(({ botId }) => botId)}::uuid[], ${leases.map(({ lease }) => lease)}::integer[]) as l(id, lease)
          on b.id = l.id and b.lease = l.lease
        where b.runner_id = ${runnerId}
      ), renewed as (
        update bots b set leased_at = ${now} from held h where b.tenant_id = h.tenant_id and b.id = h.id and h.is_live
      )
      select tenant_id as "tenantId", id, is_live as "isLive" from held`,
  )
}

/** Null: the runner does not hold the bot. */
export async function findTenantOfLease(
  scope: PlatformScope,
  { runnerId, botId }: { runnerId: string; botId: string },
): Promise<string | null> {
  const found = await maybeOne(
    scope,
    sql<{ tenantId: string }>`select tenant_id as "tenantId" from bots where id = ${botId} and runner_id = ${runnerId}`,
  )
  return found?.tenantId ?? null
}

export async function saveLink(
  tx: TenantScope,
  id: string,
  { sealed, room, platform }: { sealed: Buffer; room: string; platform: string },
): Promise<void> {
  await run(
    tx,
    sql`update bots set link_sealed = ${sealed}, room = ${room}, platform = ${platform}
      where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}
