import { randomBytes } from 'node:crypto'
import type { Subscriptions } from '../email/index.ts'
import type { Audit } from '../identity/index.ts'
import type { Clock } from '../kernel/clock.ts'
import { yieldPeriodically } from '../kernel/event-loop.ts'
import { utcDay } from '../kernel/period.ts'
import { invalidField } from '../kernel/refusal.ts'
import { secretToken } from '../kernel/secret-token.ts'
import type { DigestMail } from '../mails/index.ts'
import { type PlatformScope, scopeToTenant, type TenantScope, transaction } from '../storage/scope.ts'
import {
  type DigestContent,
  type DigestMeeting,
  type DigestSettings,
  type DigestTask,
  defaultDigest,
  digestTexts,
  isEmpty,
  lateHoursMax,
  localTime,
} from './digest.rules.ts'
import {
  claimDigest,
  type DueUser,
  type DueZone,
  deleteDigestMailsBefore,
  findMailed,
  findSettings,
  insertMail,
  isDigestWanted,
  listDue,
  listTimeZones,
  saveSettings,
  switchOff,
} from './digest.store.ts'

export type DigestSources = {
  /** Meetings that ended between two times, and that the user may read: the first of them, and how many there are. */
  meetings(
    scope: TenantScope,
    asked: { userId: string; from: Date; to: Date; max: number },
  ): Promise<{ meetings: DigestMeeting[]; count: number }>
  /** The open tasks of the user, the earliest due first, and how many there are. */
  tasks(scope: TenantScope, asked: { userId: string; max: number }): Promise<{ tasks: DigestTask[]; count: number }>
}

export type DigestDeps = {
  clock: Clock
  audit: Audit
  log: { warn(fields: object, message: string): void }
  outbox: { addDigest(tx: TenantScope, mail: DigestMail): Promise<void> }
  sources: DigestSources
}

/** Of the link that ends digests. */
const linkToken = secretToken('atrdigest_')

const hourMs = 3600 * 1000
const dayMs = 24 * hourMs
const periodMs = { off: 0, daily: dayMs, weekly: 7 * dayMs }
/** A digest that could not be sent by then would tell of the wrong day. */
const mailLifetimeMs = 12 * hourMs
/** How long the link of a mail works. */
const retentionMs = 90 * dayMs
const listedMax = 20
const batchUsers = 200

export type Digests = ReturnType<typeof digestService>

/** Mails to users about their meetings and tasks, each day or week, for those who want them. */
export function digestService({ clock, audit, log, outbox, sources }: DigestDeps) {
  const get = async (scope: TenantScope, user: { id: string }): Promise<DigestSettings> =>
    (await findSettings(scope, user.id)) ?? defaultDigest

  /** What is absent stays as it is. Refuses VALIDATION_ERROR for an unknown time zone. */
  const change = (scope: TenantScope, user: { id: string }, change: Partial<DigestSettings>): Promise<DigestSettings> =>
    transaction(scope, async (tx) => {
      if (change.timeZone !== undefined) requireTimeZone(change.timeZone)
      const settings = { ...(await get(tx, user)), ...change }
      const saved = await saveSettings(tx, { ...settings, userId: user.id, now: clock.now() })
      const changes = { frequency: saved.frequency }
      await audit(tx, { action: 'email_digest.update', target: { type: 'user', id: user.id }, changes })
      return saved
    })

  /**
   * Can run on several nodes at once, and again after a crash: a user gets one digest a day or week. Who fails delays nobody else,
   * and is tried again with the next run.
   */
  async function sendDue(platform: PlatformScope): Promise<void> {
    const pause = yieldPeriodically()
    for (const timeZone of await listTimeZones(platform)) {
      await sendInZone(platform, timeZone).catch((error) =>
        log.warn({ err: error, timeZone }, 'the digests of a time zone failed'),
      )
      await pause()
    }
  }

  async function sendInZone(platform: PlatformScope, timeZone: string): Promise<void> {
    const now = clock.now()
    const { day, hour, weekday } = localTime(timeZone, now)
    const zone: DueZone = { timeZone, day, weekday, fromHour: hour - lateHoursMax + 1, toHour: hour }
    let after: DueUser | null = null
    for (;;) {
      const due = await listDue(platform, zone, { after, limit: batchUsers })
      for (const { tenantId, userId } of due)
        await send(scopeToTenant(platform, tenantId), { userId, day, now }).catch((error) =>
          log.warn({ err: error, tenantId, userId }, 'a digest failed'),
        )
      if (due.length < batchUsers) return
      after = due.at(-1) ?? null
    }
  }

  const send = (scope: TenantScope, { userId, day, now }: { userId: string; day: string; now: Date }): Promise<void> =>
    transaction(scope, async (tx) => {
      const claimed = await claimDigest(tx, { userId, day, now })
      if (claimed === null || !claimed.isReachable) return
      const { frequency, coveredUntil, email } = claimed
      // After a pause a digest covers no more than its period.
      const from = new Date(Math.max(coveredUntil?.getTime() ?? 0, now.getTime() - periodMs[frequency]))
      const content = await read(tx, { userId, from, to: now })
      if (isEmpty(content)) return
      const { token, tokenHash } = linkToken.create(randomBytes)
      await insertMail(tx, { userId, day, tokenHash })
      const expiresAt = new Date(now.getTime() + mailLifetimeMs)
      const texts = digestTexts(content, { frequency, today: day })
      await outbox.addDigest(tx, { user: { id: userId, email }, token, expiresAt, now, ...texts })
    })

  async function read(
    tx: TenantScope,
    { userId, from, to }: { userId: string; from: Date; to: Date },
  ): Promise<DigestContent> {
    const { meetings, count: meetingCount } = await sources.meetings(tx, { userId, from, to, max: listedMax })
    const { tasks, count: taskCount } = await sources.tasks(tx, { userId, max: listedMax })
    return { meetings, meetingCount, tasks, taskCount }
  }

  const findByToken = async (platform: PlatformScope, token: string): Promise<DueUser | null> => {
    const tokenHash = linkToken.hash(token)
    return tokenHash && findMailed(platform, tokenHash)
  }

  const subscriptions: Subscriptions = {
    isWanted: async (scope, token) => {
      const tokenHash = linkToken.hash(token)
      return tokenHash !== null && isDigestWanted(scope, tokenHash)
    },
    isKnown: async (platform, token) => (await findByToken(platform, token)) !== null,
    unsubscribe: async (platform, token) => {
      const mailed = await findByToken(platform, token)
      if (mailed === null) return false
      const { tenantId, userId } = mailed
      await switchOff(scopeToTenant(platform, tenantId), { userId, now: clock.now() })
      return true
    },
  }

  const dropOld = (platform: PlatformScope): Promise<void> =>
    deleteDigestMailsBefore(platform, utcDay(new Date(clock.now().getTime() - retentionMs)))

  return { get, change, sendDue, subscriptions, dropOld }
}

function requireTimeZone(timeZone: string): void {
  try {
    localTime(timeZone, new Date(0))
  } catch {
    const message = 'must be an IANA time zone, for example Europe/Berlin'
    throw invalidField('/body/timeZone', { code: 'format', message })
  }
}
