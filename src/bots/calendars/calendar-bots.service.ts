import type { JobKind, Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { BotMeetings, Meeting } from '../../meetings/index.ts'
import type { Scope, TenantScope } from '../../storage/scope.ts'
import { isInside } from '../bot.rules.ts'
import { listBotsOfMeetings } from '../bots/bot.store.ts'
import type { BotTransitions } from '../bots/bot-transitions.ts'
import type { Deployments } from '../bots/deploy.service.ts'
import { askToLeave } from '../bots/transitions.rules.ts'
import { type Attendance, isWanted } from '../policies/policy.rules.ts'
import { findPolicy } from '../policies/policy.store.ts'
import { lateMs } from '../reasons.rules.ts'

type CalendarMeeting = Attendance & { userId: string; meetingId: string }

export const calendarBotJob: JobKind<CalendarMeeting> = {
  name: 'bots.calendar.follow',
  attemptsMax: 3,
  backoffSeconds: 30,
  timeoutSeconds: 60,
  order: 'key',
}

/** Scheduled bots count as live ones: they are ordered when it is their turn, as calendars are read whole once a day. */
const aheadMs = 48 * 3600_000

export type CalendarBots = ReturnType<typeof calendarBots>

type Deps = { clock: Clock; jobs: Jobs; meetings: BotMeetings; deployments: Deployments; transitions: BotTransitions }

/** Sends bots to the meetings of calendars, as the policies of their owners say. */
export function calendarBots({ clock, jobs, meetings, deployments, transitions }: Deps) {
  /** A job follows, as what keeps a bot from being sent must not keep a calendar from being read. */
  async function noticed(
    tx: TenantScope,
    { orgId, ...planned }: CalendarMeeting & { orgId: string | null },
  ): Promise<void> {
    if ((await findPolicy(tx, orgId ?? planned.userId)) === null) return
    await jobs.enqueue(tx, calendarBotJob, { data: planned, tenantId: tx.tenantId, key: planned.meetingId })
  }

  async function follow(scope: Scope, { userId, meetingId, ...attendance }: CalendarMeeting): Promise<void> {
    if (scope.kind !== 'tenant') throw new Error('A meeting belongs to a tenant.')
    try {
      const meeting = await meetings.get(scope, { id: userId }, meetingId)
      const policy = await findPolicy(scope, meeting.orgId ?? userId)
      if (policy !== null && isWanted(policy, { title: meeting.title, attendance })) await send(scope, userId, meeting)
      else await withdraw(scope, meetingId)
    } catch (error) {
      // The meeting is gone, a limit is reached, bots are paused, or a bot was there: none comes.
      if (!(error instanceof Refusal)) throw error
    }
  }

  async function send(
    scope: TenantScope,
    userId: string,
    { id, status, scheduledAt, joinUrl }: Meeting,
  ): Promise<void> {
    if (status !== 'scheduled' || scheduledAt === null || joinUrl === null) return
    const inMs = scheduledAt.getTime() - clock.now().getTime()
    if (inMs < -lateMs || inMs > aheadMs) return
    await deployments.deployForCalendar(scope, { id: userId }, { meetingId: id, joinAt: scheduledAt })
  }

  /** One that a person asked for stays. */
  async function withdraw(scope: TenantScope, meetingId: string): Promise<void> {
    for (const { id } of await listBotsOfMeetings(scope, [meetingId]))
      await transitions.change(scope, id, ({ bot }) => {
        if (!bot.watch.isByCalendar || isInside(bot.status)) return null
        return askToLeave(bot, { reason: 'CANCELLED', detail: 'No longer wanted.', now: clock.now() })
      })
  }

  return { noticed, follow }
}
