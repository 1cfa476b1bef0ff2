import { randomBytes } from 'node:crypto'
import type { Log } from '../../http/server-deps.ts'
import type { Clock } from '../../kernel/clock.ts'
import { yieldPeriodically } from '../../kernel/event-loop.ts'
import { utcDay } from '../../kernel/period.ts'
import { secretToken } from '../../kernel/secret-token.ts'
import type { TasksDueMail } from '../../mails/index.ts'
import { type PlatformScope, scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import { morningDay } from './reminder.rules.ts'
import {
  claimDay,
  claimIdle,
  deleteRemindersBefore,
  findReminded,
  insertReminder,
  isReminderWanted,
  listDueByMember,
  listTimeZones,
  listWaiting,
  type WaitingOrganization,
  type ZonedDay,
} from './reminder.store.ts'

export type ReminderDeps = {
  clock: Clock
  log: Pick<Log, 'warn'>
  outbox: { addTasksDue(tx: TenantScope, mail: TasksDueMail): Promise<void> }
  /** Sets what mails a member of an organization gets. Refuses NOT_FOUND. */
  notify(scope: TenantScope, member: { orgId: string; userId: string; tasksDue: boolean }): Promise<unknown>
}

/** Of the link that ends reminders. */
const linkToken = secretToken('atrstop_')

const hourMs = 3600 * 1000
/** A mail that could not be sent until the evening would tell of the wrong day. */
const mailLifetimeMs = 12 * hourMs
/** How long the link of a mail works. */
const retentionMs = 90 * 24 * hourMs
/** More titles would not be read. */
const titlesMax = 50
const batchOrganizations = 200

export type Reminders = ReturnType<typeof reminderService>

/** Tells members in the morning which of their tasks are due. */
export function reminderService({ clock, log, outbox, notify }: ReminderDeps) {
  /**
   * Can run on several nodes at once, and again after a crash: a member gets one mail a day and organization. Who fails
   * delays nobody else, and is tried again with the next run of the morning.
   */
  async function sendDue(platform: PlatformScope): Promise<void> {
    const now = clock.now()
    const yieldIfDue = yieldPeriodically()
    const zones: ZonedDay[] = []
    for (const timeZone of await listTimeZones(platform)) {
      try {
        const day = morningDay(timeZone, now)
        if (day !== null) zones.push({ timeZone, day })
      } catch (error) {
        log.warn({ err: error, timeZone }, 'a time zone is unknown here: its organizations get no reminders')
      }
      await yieldIfDue()
    }
    while ((await claimIdle(platform, zones, batchOrganizations)) === batchOrganizations) await yieldIfDue()
    let after: WaitingOrganization | null = null
    for (;;) {
      const waiting = await listWaiting(platform, zones, { after, limit: batchOrganizations })
      for (const organization of waiting) {
        await remind(platform, organization, now).catch((error) =>
          log.warn({ err: error, ...organization }, 'the reminders of an organization failed'),
        )
        await yieldIfDue()
      }
      if (waiting.length < batchOrganizations) return
      after = waiting.at(-1) ?? null
    }
  }

  const remind = (platform: PlatformScope, { tenantId, orgId, day }: WaitingOrganization, now: Date): Promise<void> =>
    transaction(scopeToTenant(platform, tenantId), async (tx) => {
      const organization = await claimDay(tx, { orgId, day })
      if (organization === null) return
      for (const { userId, email, count, titles, days } of await listDueByMember(tx, { orgId, day, titlesMax })) {
        const { token, tokenHash } = linkToken.create(randomBytes)
        await insertReminder(tx, { orgId, userId, day, tokenHash })
        await outbox.addTasksDue(tx, {
          user: { id: userId, email },
          token,
          expiresAt: new Date(now.getTime() + mailLifetimeMs),
          now,
          orgName: organization.name,
          today: day,
          tasks: titles.map((title, i) => ({ title, due: days[i] ?? day })),
          count,
        })
      }
    })

  const findByToken = async (platform: PlatformScope, token: string) => {
    const tokenHash = linkToken.hash(token)
    return tokenHash && findReminded(platform, tokenHash)
  }

  /** Whether a mail that waited may still be sent. */
  const isWanted = async (scope: TenantScope, token: string): Promise<boolean> => {
    const tokenHash = linkToken.hash(token)
    return tokenHash !== null && isReminderWanted(scope, tokenHash)
  }

  /** Whether the link of a mail can end the reminders. */
  const isKnown = async (platform: PlatformScope, token: string): Promise<boolean> =>
    (await findByToken(platform, token)) !== null

  /** Ends the reminders of the organization that sent the mail. False for an unknown token. */
  async function unsubscribe(platform: PlatformScope, token: string): Promise<boolean> {
    const reminded = await findByToken(platform, token)
    if (reminded === null) return false
    const { tenantId, orgId, userId } = reminded
    await notify(scopeToTenant(platform, tenantId), { orgId, userId, tasksDue: false })
    return true
  }

  const dropOld = (platform: PlatformScope): Promise<void> =>
    deleteRemindersBefore(platform, utcDay(new Date(clock.now().getTime() - retentionMs)))

  return { sendDue, isWanted, isKnown, unsubscribe, dropOld }
}
