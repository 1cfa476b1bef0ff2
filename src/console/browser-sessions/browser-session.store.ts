import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, maybeOne, run, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { KeyHolder } from '../key-holder.rules.ts'
import { keyIsAlive } from '../key-holder.store.ts'
import { idleSeconds, type StoredBrowserSession, secondsAfter } from './browser-session.rules.ts'

const columns = sql`s.id, s.role, s.admin_key_id as "keyId", coalesce(k.name, 'admin key') as "keyName",
  s.sign_in_link_id as "signInLinkId", s.ip, s.created_at as "createdAt", s.last_active_at as "lastActiveAt",
  s.expires_at as "expiresAt", s.confirmed_until as "confirmedUntil"`
const from = sql`from browser_sessions s left join admin_keys k on k.id = s.admin_key_id`

export type Moment = { now: Date; fingerprint: Buffer }

/** Neither ended nor expired nor idle, and its admin key is valid. */
const isLive = ({ now, fingerprint }: Moment) =>
  sql`s.ended_at is null and s.expires_at > ${now} and s.last_active_at > ${secondsAfter(now, -idleSeconds)}
    and ${keyIsAlive(fingerprint, now)}`

export type NewBrowserSession = Omit<StoredBrowserSession, 'keyId' | 'keyName' | 'lastActiveAt'> &
  KeyHolder & { secretHash: Buffer }

export async function addBrowserSession(tx: PlatformScope, session: NewBrowserSession): Promise<void> {
  const { id, secretHash, role, adminKeyId, keyFingerprint, signInLinkId, ip, createdAt, expiresAt, confirmedUntil } =
    session
  await run(
    tx,
    sql`insert into browser_sessions (id, secret_hash, role, admin_key_id, key_fingerprint, sign_in_link_id, ip, created_at,
        last_active_at, expires_at, confirmed_until)
      values (${id}, ${secretHash}, ${role}, ${adminKeyId}, ${keyFingerprint}, ${signInLinkId}, ${ip}, ${createdAt},
        ${createdAt}, ${expiresAt}, ${confirmedUntil})`,
  )
}

export function findBrowserSession(
  platform: PlatformScope,
  secretHash: Buffer,
  moment: Moment,
): Promise<StoredBrowserSession | null> {
  return maybeOne(
    platform,
    sql<StoredBrowserSession>`select ${columns} ${from} where s.secret_hash = ${secretHash} and ${isLive(moment)}`,
  )
}

export function findBrowserSessionById(
  platform: PlatformScope,
  id: string,
  moment: Moment,
): Promise<StoredBrowserSession | null> {
  return maybeOne(
    platform,
    sql<StoredBrowserSession>`select ${columns} ${from} where s.id = ${id} and ${isLive(moment)}`,
  )
}

export function listBrowserSessions(
  platform: PlatformScope,
  page: PageRequest,
  moment: Moment,
): Promise<Page<StoredBrowserSession>> {
  return listPage<StoredBrowserSession>(platform, page, {
    columns,
    from: sql`${from} where ${isLive(moment)}`,
    orderBy: sql`s.created_at desc, s.id desc`,
  })
}

/** Only forward: several requests of one page may come at once. */
export async function noteActivity(platform: PlatformScope, id: string, now: Date): Promise<void> {
  await run(
    platform,
    sql`update browser_sessions set last_active_at = ${now} where id = ${id} and last_active_at < ${now}`,
  )
}

export async function confirmBrowserSession(tx: PlatformScope, id: string, until: Date): Promise<void> {
  await run(tx, sql`update browser_sessions set confirmed_until = ${until} where id = ${id}`)
}

/** False if it had ended before. */
export async function endBrowserSession(tx: PlatformScope, id: string, now: Date): Promise<boolean> {
  return (await run(tx, sql`update browser_sessions set ended_at = ${now} where id = ${id} and ended_at is null`)) === 1
}

/** Deletes what was over before. */
export async function deleteOldBrowserSessions(platform: PlatformScope, before: Date): Promise<void> {
  await run(platform, sql`delete from browser_sessions where expires_at < ${before} or ended_at < ${before}`)
}
