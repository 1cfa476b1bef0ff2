import type { Log } from '../../http/server-deps.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { type PlatformScope, scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Bot } from '../bot.rules.ts'
import type { BotMinutes } from '../minutes/bot-minutes.ts'
import { findPause } from '../pause/pause.store.ts'
import { findLines } from '../providers/replay.store.ts'
import { type BotKey, findBot, findLiveBot, listDueBots, listLiveBotsOf } from './bot.store.ts'
import type { BotTransitions } from './bot-transitions.ts'
import { noticePosted } from './consent.rules.ts'
import { pastDue } from './deadlines.rules.ts'
import type { Deployments } from './deploy.service.ts'
import type { FollowMeeting } from './follow-meeting.ts'
import type { Listening } from './listening.ts'
import type { Transcriber, TranscriptLine } from './transcriber.ts'
import { type Step, transition } from './transitions.rules.ts'

type Deps = {
  platform: PlatformScope
  clock: Clock
  log: Pick<Log, 'warn'>
  listening: Listening
  transitions: BotTransitions
  minutes: BotMinutes
  transcriber: Transcriber
  deployments: Deployments
  follow: FollowMeeting
}

/** The bots of one check. */
const checkMax = 2000
const linesAtOnce = 250
/** How long a replay stays in its waiting room, so that it can be seen there. */
const lobbyMs = 2000

/** Ends statuses whose time is over, and plays replays. Several nodes may do so at the same time. */
export function botChecks({
  platform,
  clock,
  log,
  listening,
  transitions,
  minutes,
  transcriber,
  deployments,
  follow,
}: Deps) {
  async function check(): Promise<void> {
    const listeningSince = await listening.check()
    for (const key of await listDueBots(platform, clock.now(), checkMax))
      await each(key, (scope) => endStatus(scope, key.id, listeningSince))
    for (const key of await listLiveBotsOf(platform, 'replay', checkMax))
      await each(key, (scope) => play(scope, key.id))
  }

  /** A bot that fails does not keep the others from being checked. */
  async function each({ tenantId, id }: BotKey, work: (scope: TenantScope) => Promise<unknown>): Promise<void> {
    try {
      await work(scopeToTenant(platform, tenantId))
    } catch (error) {
      log.warn({ error, botId: id, tenantId }, 'checking a bot failed')
    }
  }

  async function endStatus(scope: TenantScope, id: string, listeningSince: Date): Promise<void> {
    const before = await findBot(scope, id)
    if (before?.watch.meetingChangedAt) await follow(scope, id)
    const found = await findBot(scope, id)
    if (found?.status === 'scheduled') return beginScheduled(scope, found, listeningSince)
    await transitions.change(scope, id, async ({ bot }, tx) => {
      const now = clock.now()
      const step = pastDue(bot, { now, listeningSince })
      if (step !== null || bot.status !== 'in_meeting') return step ?? { bot, events: [] }
      const extended = await minutes.extend(tx, bot)
      if (extended.watch.quotaEndsAt && !bot.watch.quotaEndsAt)
        await transitions.command(tx, bot, {
          kind: 'message',
          text: 'The bot minutes of this account are used up. I will leave in one minute.',
        })
      return { bot: extended, events: [] }
    })
  }

  async function beginScheduled(scope: TenantScope, found: Bot, listeningSince: Date): Promise<void> {
    const begin = async (tx: TenantScope): Promise<void> => {
      const locked = await transitions.lock(tx, found.id)
      if (locked === null || locked.bot.status !== 'scheduled') return
      const { bot } = locked
      const step = pastDue(bot, { now: clock.now(), listeningSince })
      if (step?.bot.status !== 'queued') return void (await transitions.apply(tx, locked, step ?? { bot, events: [] }))
      // It goes when the pause ends, or is MISSED.
      if ((await findPause(tx)) !== null) return
      const there = await findLiveBot(tx, { ...bot, startKey: '' }, { from: new Date(0), to: new Date(0) })
      if (there === null) return void (await deployments.start(tx, bot.id))
      const cancelled = transition(bot, {
        to: 'ended',
        reason: 'CANCELLED',
        detail: 'Another bot is there.',
        now: clock.now(),
      })
      if (cancelled !== null) await transitions.apply(tx, locked, cancelled)
    }
    try {
      await transaction(scope, begin)
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'USAGE_EXCEEDED')) throw error
      await transitions.change(scope, found.id, ({ bot }) =>
        transition(bot, { to: 'ended', reason: 'QUOTA', detail: error.options.detail ?? null, now: clock.now() }),
      )
    }
  }

  const play = (scope: TenantScope, id: string) =>
    transitions.change(scope, id, async ({ bot }, tx) => {
      const now = clock.now()
      const waited = now.getTime() - bot.statusAt.getTime()
      if (bot.status === 'queued') return transition(bot, { to: 'joining', now })
      if (bot.status === 'joining') return transition(bot, { to: 'waiting_room', now })
      if (bot.status === 'waiting_room') return waited < lobbyMs ? null : admitted(bot, now)
      if (bot.status === 'in_meeting') return playOn(tx, bot)
      return bot.status === 'leaving' ? left(bot, now) : null
    })

  function admitted(bot: Bot, now: Date): Step | null {
    const step = transition(bot, { to: 'in_meeting', now })
    if (step === null) return null
    // Nothing is kept before it is said, in a replay too.
    const posted = noticePosted(step.bot, { delivered: true, now })
    return {
      bot: { ...posted.bot, watch: { ...posted.bot.watch, hasSeenPeople: true } },
      events: [...step.events, ...posted.events],
    }
  }

  async function playOn(tx: TenantScope, bot: Bot): Promise<Step | null> {
    const now = clock.now()
    const offsetMs = (now.getTime() - (bot.admittedAt ?? now).getTime()) * bot.speed
    const from = Math.max(0, bot.entriesSeq)
    const { lines, total, endMs } = await findLines(tx, { botId: bot.id, from, offsetMs, limit: linesAtOnce })
    const played = lines.map((line, index): TranscriptLine => ({ ...line, segment: String(from + index + 1) }))
    const added = await transcriber.add(tx, { ...bot, entriesSeq: from + lines.length }, played)
    const isOver = added.bot.entriesSeq >= total && offsetMs >= endMs + 1000
    const ended = isOver ? transition(added.bot, { to: 'ended', reason: 'MEETING_ENDED', now }) : null
    if (ended !== null && added.bot.status === 'in_meeting')
      return { bot: ended.bot, events: [...added.events, ...ended.events] }
    return lines.length === 0 ? null : added
  }

  return { check }
}

function left(bot: Bot, now: Date): Step | null {
  return transition(bot, { to: 'ended', reason: (bot.watch.endReason ?? 'USER_REQUEST') as 'USER_REQUEST', now })
}
