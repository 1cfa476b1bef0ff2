// 1,000 runners that are silent, late, lie or double what they say: whatever they do, each bot is over in time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Random, seededRandom } from '../../../test/harness/seeded-random.ts'
import { autoLeaveDefault, type Bot, type BotStatus, botStatuses, isFinal } from '../bot.rules.ts'
import { attemptsInsideMax, attemptsMax, endReasons, failReasons, transitions } from '../reasons.rules.ts'
import { isHeldBy, isNews, reportedLeft, reportedStatus } from '../runner-protocol/events.rules.ts'
import { nextDue, pastDue } from './deadlines.rules.ts'
import { blankBot } from './new-bot.rules.ts'
import { type Step, transition } from './transitions.rules.ts'

const startAt = new Date('2026-11-24T10:00:00Z')
/** The service checks every two seconds; a bot may be over five seconds late. */
const checkMs = 2000
const lateMsMax = 5000
const autoLeave = { ...autoLeaveDefault, waitingRoomSeconds: 90, nobodyCameSeconds: 60, maxSeconds: 300 }
/** How long each status may last. */
const limits: Partial<Record<BotStatus, number>> = {
  queued: 120,
  joining: 180,
  waiting_room: autoLeave.waitingRoomSeconds,
  in_meeting: autoLeave.maxSeconds,
  leaving: 30,
}

type Report = { runnerId: string; lease: number; seq: number; status: string; reason: string | null }

/** One bot with what happens to it. Every transition is checked against the table. */
function scene() {
  let bot: Bot = {
    ...blankBot(startAt),
    ...{ id: 'bot', tenantId: 'tenant', meetingId: 'meeting', orgId: null, ownerId: 'ada', requestedBy: 'ada' },
    ...{ requesters: ['ada'], platform: 'page', provider: 'browser', room: 'room', startKey: '', joinAt: null },
    ...{ displayName: 'Atrium (notes)', chatAnswers: 'none', speed: 1, autoLeave },
    consent: { mode: 'notice', message: 'Notes.', postedAt: null, delivered: false, decisions: [] },
  }
  const follow = ({ bot: next, events }: Step) => {
    for (const event of events)
      if (event.type === 'status')
        assert.ok(transitions[event.from as BotStatus].includes(event.to as BotStatus), `${event.from} to ${event.to}`)
    bot = { ...next, dueAt: nextDue(next, startAt) }
  }
  return {
    bot: () => bot,
    follow,
    claim: (runnerId: string, now: Date) => {
      const step = transition(bot, { to: 'joining', now })
      if (step === null) return
      follow({
        ...step,
        bot: { ...step.bot, runnerId, lease: bot.lease + 1, leasedAt: now, entriesSeq: -1, eventsSeq: -1 },
      })
    },
    beat: (now: Date) => {
      if (bot.runnerId !== null && !isFinal(bot.status)) follow({ bot: { ...bot, leasedAt: now }, events: [] })
    },
    report: ({ runnerId, lease, seq, status, reason }: Report, now: Date): 'lost' | 'known' | 'taken' => {
      if (!isHeldBy(bot, { runnerId, lease })) return 'lost'
      if (!isNews(bot, seq)) return 'known'
      const step =
        status === 'left' ? reportedLeft(bot, now) : reportedStatus(bot, { status, reason, detail: null }, now)
      follow({ ...step, bot: { ...step.bot, eventsSeq: seq } })
      return 'taken'
    },
  }
}

function randomReport(random: Random, bot: Bot, seq: number): Report {
  const status = random.weighted<string>([
    [4, 'waiting_room'],
    [4, 'in_meeting'],
    [2, random.oneOf(botStatuses)],
    [1, 'left'],
    [1, 'nonsense'],
  ])
  const reason = random.oneOf<string | null>([null, 'LIES', ...endReasons, ...failReasons])
  // Some are of an older lease, or of another runner.
  const lease = random.below(6) === 0 ? bot.lease - 1 : bot.lease
  return { runnerId: random.below(8) === 0 ? 'other' : (bot.runnerId ?? 'none'), lease, seq, status, reason }
}

function play(seed: number) {
  const random = seededRandom(seed)
  const { bot, follow, claim, beat, report } = scene()
  const queued = transition(bot(), { to: 'queued', now: startAt })
  assert.ok(queued !== null)
  const hasSeenPeople = random.below(2) === 0
  follow({ ...queued, bot: { ...queued.bot, watch: { hasSeenPeople } } })
  const isSilent = random.below(4) === 0
  const claims = random.below(10) !== 0
  const sent: Report[] = []
  let enteredAt = startAt.getTime()
  let entered = { status: bot().status, attempt: bot().attempt }
  const steps = ((attemptsMax + attemptsInsideMax) * 700_000) / checkMs
  for (let step = 0; step < steps && !isFinal(bot().status); step++) {
    const now = new Date(startAt.getTime() + step * checkMs)
    if (bot().status === 'queued' && claims && random.below(3) === 0) claim('runner', now)
    if (!isSilent && random.below(5) !== 0) beat(now)
    if (!isSilent && random.below(12) === 0) {
      const next = randomReport(random, bot(), step)
      const leaseBefore = bot().lease
      const isHeld = isHeldBy(bot(), next)
      assert.equal(report(next, now), isHeld ? 'taken' : 'lost')
      sent.push(next)
      // The same again, and an older one, change nothing.
      for (const again of [next, random.oneOf(sent)]) {
        const before = bot()
        if (again.seq <= before.eventsSeq || again.lease < leaseBefore || isFinal(before.status)) {
          assert.notEqual(report(again, now), 'taken')
          assert.equal(bot(), before)
        }
      }
    }
    const due = bot().dueAt
    if (due !== null && due <= now) {
      const over = pastDue(bot(), { now, listeningSince: startAt })
      if (over !== null) follow(over)
    }
    if (bot().status !== entered.status || bot().attempt !== entered.attempt) {
      entered = { status: bot().status, attempt: bot().attempt }
      enteredAt = now.getTime()
    }
    const limit = limits[bot().status]
    if (limit !== undefined)
      assert.ok(now.getTime() - enteredAt <= limit * 1000 + lateMsMax, `${seed}: ${bot().status} lasts too long`)
  }
  return bot()
}

test('1,000 random runners: every status ends in time, no transition that is not allowed, no old report has an effect', () => {
  const reached = new Set<string>()
  for (let seed = 0; seed < 1000; seed++) {
    const bot = play(seed)
    assert.ok(isFinal(bot.status), `${seed}: ${bot.status}`)
    assert.ok(bot.attempt <= attemptsInsideMax, `${seed}: attempt ${bot.attempt}`)
    assert.ok(
      bot.gaps.every(({ to }) => to !== null),
      `${seed}: a gap without an end`,
    )
    reached.add(bot.reason ?? '')
  }
  for (const reason of [
    'NO_RUNNER',
    'NOBODY_CAME',
    'JOIN_TIMEOUT',
    'RUNNER_LOST',
    'NOT_ADMITTED',
    'MEETING_ENDED',
    'MAX_DURATION',
  ])
    assert.ok(reached.has(reason), `none ended with ${reason}`)
})
