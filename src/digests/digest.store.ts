import { many, maybeOne, one, run, sql } from '../storage/query.ts'
import type { PlatformScope, TenantScope } from '../storage/scope.ts'
import type { DigestSettings, Frequency } from './digest.rules.ts'

const columns = sql`frequency, time_zone as "timeZone", hour, weekday`

export function findSettings(scope: TenantScope, userId: string): Promise<DigestSettings | null> {
  return maybeOne(
    scope,
    sql<DigestSettings>`select ${columns} from email_digests where tenant_id = ${scope.tenantId} and user_id = ${userId}`,
  )
}

/** The first digest after switching them on covers one period. */
export async function saveSettings(
  tx: TenantScope,
  { userId, now, frequency, timeZone, hour, weekday }: DigestSettings & { userId: string; now: Date },
): Promise<DigestSettings> {
  return one(
    tx,
    sql<DigestSettings>`insert into email_digests as d (tenant_id, user_id, frequency, time_zone, hour, weekday, updated_at)
      values (${tx.tenantId}, ${userId}, ${frequency}, ${timeZone}, ${hour}, ${weekday}, ${now})
      on conflict (tenant_id, user_id) do update set frequency = excluded.frequency, time_zone = excluded.time_zone,
        hour = excluded.hour, weekday = excluded.weekday, updated_at = excluded.updated_at,
        covered_until = case when d.frequency = 'off' then null else d.covered_until end
      returning ${columns}`,
  )
}

export async function switchOff(tx: TenantScope, { userId, now }: { userId: string; now: Date }): Promise<void> {
  await run(
    tx,
    sql`update email_digests set frequency = 'off', updated_at = ${now}
      where tenant_id = ${tx.tenantId} and user_id = ${userId} and frequency <> 'off'`,
  )
}

export async function listTimeZones(platform: PlatformScope): Promise<string[]> {
  const rows = await many(
    platform,
    sql<{ timeZone: string }>`select distinct time_zone as "timeZone" from email_digests where frequency <> 'off'`,
  )
  return rows.map(({ timeZone }) => timeZone)
}

/** Where it is now `day`, and between the hours `fromHour` and `toHour` of digests. */
export type DueZone = { timeZone: string; day: string; weekday: number; fromHour: number; toHour: number }
export type DueUser = { tenantId: string; userId: string }

/** Users who have no digest for the day yet, in the order of their ids, behind `after`. */
export function listDue(
  platform: PlatformScope,
  { timeZone, day, weekday, fromHour, toHour }: DueZone,
  { after, limit }: { after: DueUser | null; limit: number },
): Promise<DueUser[]> {
  return many(
    platform,
    sql<DueUser>`select tenant_id as "tenantId", user_id as "userId" from email_digests
      where time_zone = ${timeZone} and hour between ${fromHour} and ${toHour}
        and (frequency = 'daily' or frequency = 'weekly' and weekday = ${weekday})
        and (sent_for is null or sent_for < ${day}::date)
        and (${after === null}::boolean or (tenant_id, user_id) > (${after?.tenantId ?? null}::uuid, ${after?.userId ?? null}::uuid))
      order by tenant_id, user_id limit ${limit}`,
  )
}

export type ClaimedDigest = { frequency: Frequency; coveredUntil: Date | null; email: string; isReachable: boolean }

/** Takes the digest of a day; null where it was taken. One statement: of several nodes one sends it. */
export function claimDigest(
  tx: TenantScope,
  { userId, day, now }: { userId: string; day: string; now: Date },
): Promise<ClaimedDigest | null> {
  return maybeOne(
    tx,
    sql<ClaimedDigest>`with before as (
        select d.user_id, d.covered_until from email_digests d
        where d.tenant_id = ${tx.tenantId} and d.user_id = ${userId} and d.frequency <> 'off'
          and (d.sent_for is null or d.sent_for < ${day}::date) for no key update)
      update email_digests d set sent_for = ${day}::date, covered_until = ${now}
      from before b, users u, tenants t
      where d.tenant_id = ${tx.tenantId} and d.user_id = b.user_id and u.tenant_id = d.tenant_id and u.id = d.user_id
        and t.id = d.tenant_id and (d.sent_for is null or d.sent_for < ${day}::date)
      returning d.frequency, b.covered_until as "coveredUntil", u.email,
        u.email_verified and u.status = 'ACTIVE' and t.status = 'ACTIVE' and t.deleted_at is null as "isReachable"`,
  )
}

/** Fails for a second one of the same day. */
export async function insertMail(
  tx: TenantScope,
  { userId, day, tokenHash }: { userId: string; day: string; tokenHash: Buffer },
): Promise<void> {
  await run(
    tx,
    sql`insert into email_digest_mails (tenant_id, user_id, day, token_hash)
      values (${tx.tenantId}, ${userId}, ${day}::date, ${tokenHash})`,
  )
}

export function findMailed(platform: PlatformScope, tokenHash: Buffer): Promise<DueUser | null> {
  return maybeOne(
    platform,
    sql<DueUser>`select tenant_id as "tenantId", user_id as "userId" from email_digest_mails where token_hash = ${tokenHash}`,
  )
}

/** Whether a mail with this token may still be sent. */
export async function isDigestWanted(scope: TenantScope, tokenHash: Buffer): Promise<boolean> {
  const found = await maybeOne(
    scope,
    sql`select from email_digest_mails m
      join email_digests d on d.tenant_id = m.tenant_id and d.user_id = m.user_id and d.frequency <> 'off'
      join users u on u.tenant_id = m.tenant_id and u.id = m.user_id and u.email_verified and u.status = 'ACTIVE'
      where m.tenant_id = ${scope.tenantId} and m.token_hash = ${tokenHash}`,
  )
  return found !== null
}

export async function deleteDigestMailsBefore(platform: PlatformScope, day: string): Promise<void> {
  await run(platform, sql`delete from email_digest_mails where day < ${day}::date`)
}
