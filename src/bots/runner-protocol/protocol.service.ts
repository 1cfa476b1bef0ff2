import { randomBytes } from 'node:crypto'
import type { RunnerCaller } from '../../http/access/callers.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { invalidField, Refusal } from '../../kernel/refusal.ts'
import { type PlatformScope, scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Secrets } from '../../storage/secrets.ts'
import { listArtifactNames, writeArtifact } from '../artifacts/artifact.store.ts'
import { type Bot, isFinal, isInside } from '../bot.rules.ts'
import { findSealedLink, findTenantOfLease, renewLeases } from '../bots/bot.store.ts'
import type { BotTransitions, Locked } from '../bots/bot-transitions.ts'
import { noticePosted } from '../bots/consent.rules.ts'
import { linkContext } from '../bots/link-seal.ts'
import type { Transcriber, TranscriptLine } from '../bots/transcriber.ts'
import { type Step, transition } from '../bots/transitions.rules.ts'
import { type Command, closeCommand, listOpenCommands } from '../command-queue/command.store.ts'
import { enrollRunner, findNextQueued, recordCall } from '../runners/runner.store.ts'
import { newToken } from '../runners/runner-token.rules.ts'
import { isHeldBy, isNews, reportedLeft, reportedStatus } from './events.rules.ts'
import type { EntryReport, EventReport, ReportedEvent } from './protocol.schema.ts'
import type { WorkWaiter } from './work-waiter.ts'

type Deps = {
  clock: Clock
  audit: Audit
  secrets: Secrets
  transitions: BotTransitions
  transcriber: Transcriber
  waiter: WorkWaiter
}

/** A notice that was lost delays a runner by at most this. */
const recheckMs = 2000
const claimTriesMax = 5
const artifactsMax = 10

export type RunnerProtocol = ReturnType<typeof runnerProtocol>
export type ClaimedBot = { bot: Bot; link: string; lease: number }

/** The calls of runners. All refuse with RUNNER_TOKEN_INVALID and NODE_SUPERSEDED, and reports with LEASE_LOST. */
export function runnerProtocol({ clock, audit, secrets, transitions, transcriber, waiter }: Deps) {
  /** Refuses with RUNNER_TOKEN_INVALID a second use of a token. */
  async function enroll(
    platform: PlatformScope,
    runner: RunnerCaller,
    { runnerVersion, platforms, slots }: { runnerVersion: string; platforms: string[]; slots: number },
  ): Promise<string> {
    const { token, hash } = newToken('runner', randomBytes)
    await transaction(platform, async (tx) => {
      const to = { tokenHash: hash, platforms, slots, version: runnerVersion, now: clock.now() }
      if (!(await enrollRunner(tx, runner, to))) throw new Refusal('RUNNER_TOKEN_INVALID')
      const target = { type: 'bot-runner', id: runner.runnerId }
      await audit(scopeToTenant(tx, runner.tenantId), { action: 'bot.runner.enroll', target, changes: { platforms } })
    })
    return token
  }

  async function requireNewest(scope: PlatformScope, runner: RunnerCaller, epoch: number): Promise<void> {
    const newest = await recordCall(scope, runner, { epoch, now: clock.now() })
    if (newest === null) throw new Refusal('RUNNER_TOKEN_INVALID')
    if (newest > epoch) throw new Refusal('NODE_SUPERSEDED')
  }

  /** The next bot, at once or as soon as there is one. Null: none within `wait` seconds. */
  async function claim(
    platform: PlatformScope,
    runner: RunnerCaller,
    {
      epoch,
      platforms,
      wait,
      signal,
    }: { epoch: number; platforms: string[]; wait: number; signal: AbortSignal | null },
  ): Promise<ClaimedBot | null> {
    const overAtMs = performance.now() + wait * 1000
    for (;;) {
      await requireNewest(platform, runner, epoch)
      // A runner that is gone must not take a bot with it.
      if (signal?.aborted) return null
      const claimed = await claimNext(platform, runner, { epoch, platforms })
      const leftMs = overAtMs - performance.now()
      if (claimed !== null || leftMs <= 0 || waiter.isEnded()) return claimed
      await waiter.next(Math.min(leftMs, recheckMs), signal)
    }
  }

  async function claimNext(
    platform: PlatformScope,
    runner: RunnerCaller,
    { epoch, platforms }: { epoch: number; platforms: string[] },
  ): Promise<ClaimedBot | null> {
    for (let tried = 0; tried < claimTriesMax; tried++) {
      const next = await findNextQueued(platform, runner, platforms)
      if (next === null) return null
      const claimed = await take(scopeToTenant(platform, next.tenantId), runner, { id: next.id, epoch })
      if (claimed !== null) return claimed
    }
    return null
  }

  /** Null: another runner was faster. */
  const take = (
    scope: TenantScope,
    runner: RunnerCaller,
    { id, epoch }: { id: string; epoch: number },
  ): Promise<ClaimedBot | null> =>
    transaction(scope, async (tx) => {
      const locked = await transitions.lock(tx, id)
      const sealed = await findSealedLink(tx, id)
      if (locked?.bot.status !== 'queued' || sealed === null) return null
      const now = clock.now()
      const step = transition(locked.bot, { to: 'joining', now })
      if (step === null) return null
      const lease = locked.bot.lease + 1
      const { runnerId } = runner
      const watch = { ...step.bot.watch, claimEpoch: epoch }
      const taken: Bot = { ...step.bot, lease, leasedAt: now, runnerId, entriesSeq: -1, eventsSeq: -1, watch }
      const bot = await transitions.apply(tx, locked, { ...step, bot: taken })
      return { bot, link: secrets.open(sealed, linkContext(bot)), lease }
    })

  type Lease = { botId: string; lease: number }

  /**
   * Renews leases, and answers with what the runner has to do, at once or as soon as there is anything. A runner whose call
   * breaks off was alive until then, so the leases are renewed one last time: a gap in a transcript begins there.
   */
  async function heartbeat(
    platform: PlatformScope,
    runner: RunnerCaller,
    { epoch, leases, wait, signal }: { epoch: number; leases: Lease[]; wait: number; signal: AbortSignal | null },
  ): Promise<{ commands: Command[]; lost: string[] }> {
    const overAtMs = performance.now() + wait * 1000
    for (;;) {
      await requireNewest(platform, runner, epoch)
      const renewed = await renewLeases(platform, { runnerId: runner.runnerId, leases, now: clock.now() })
      const held = new Set(renewed.filter(({ isLive }) => isLive).map(({ id }) => id))
      const lost = leases.filter(({ botId }) => !held.has(botId)).map(({ botId }) => botId)
      const commands: Command[] = []
      for (const [tenantId, own] of Map.groupBy(renewed, (bot) => bot.tenantId))
        commands.push(
          ...(await listOpenCommands(
            scopeToTenant(platform, tenantId),
            own.map(({ id }) => id),
          )),
        )
      const leftMs = overAtMs - performance.now()
      if (commands.length + lost.length > 0 || leftMs <= 0 || signal?.aborted || waiter.isEnded())
        return { commands, lost }
      await waiter.next(Math.min(leftMs, recheckMs), signal)
    }
  }

  /** Runs `work` on a bot that the runner holds. */
  async function withLease(
    platform: PlatformScope,
    runner: RunnerCaller,
    { epoch, botId, lease }: { epoch: number; botId: string; lease: number },
    work: (locked: Locked, tx: TenantScope) => Promise<Step>,
  ): Promise<void> {
    await requireNewest(platform, runner, epoch)
    const tenantId = await tenantOf(platform, runner, botId)
    await transaction(scopeToTenant(platform, tenantId), async (tx) => {
      const locked = await transitions.lock(tx, botId)
      if (locked === null || !isHeldBy(locked.bot, { runnerId: runner.runnerId, lease }))
        throw new Refusal('LEASE_LOST')
      // What a killed program left behind is taken, but is no sign of life.
      const isAlive = locked.bot.watch.claimEpoch === epoch
      const bot = isAlive ? { ...locked.bot, leasedAt: clock.now() } : locked.bot
      await transitions.apply(tx, locked, await work({ ...locked, bot }, tx))
    })
  }

  async function tenantOf(platform: PlatformScope, runner: RunnerCaller, botId: string): Promise<string> {
    if (!runner.isShared) return runner.tenantId
    const tenantId = await findTenantOfLease(platform, { runnerId: runner.runnerId, botId })
    if (tenantId === null) throw new Refusal('LEASE_LOST')
    return tenantId
  }

  /** Events that were reported before have no effect. */
  const events = (platform: PlatformScope, runner: RunnerCaller, report: EventReport): Promise<void> =>
    withLease(platform, runner, report, async (locked, tx) => {
      let step: Step = { bot: locked.bot, events: [] }
      for (const event of report.events.toSorted((a, b) => a.seq - b.seq)) {
        if (!isNews(step.bot, event.seq)) continue
        const done = isFinal(step.bot.status) ? { bot: step.bot, events: [] } : await takeEvent(tx, step.bot, event)
        step = { bot: { ...done.bot, eventsSeq: event.seq }, events: [...step.events, ...done.events] }
      }
      return step
    })

  async function takeEvent(tx: TenantScope, bot: Bot, event: ReportedEvent): Promise<Step> {
    const now = clock.now()
    switch (event.type) {
      case 'status':
        return reportedStatus(
          bot,
          { status: event.status ?? '', reason: event.reason ?? null, detail: event.detail ?? null },
          now,
        )
      case 'participants':
        return { bot: isInside(bot.status) ? seePeople(bot, { people: event.people ?? 0, now }) : bot, events: [] }
      case 'notice':
        return isInside(bot.status)
          ? noticePosted(bot, { delivered: event.delivered ?? false, now })
          : { bot, events: [] }
      case 'chat':
        // What it said itself comes back with the command's id.
        if (event.commandId || !event.text?.trim() || !isInside(bot.status)) return { bot, events: [] }
        return transcriber.add(tx, bot, [chatLine(bot, event, event.text)])
      case 'health':
        return {
          bot: await healthOf(tx, bot, event.health ?? 'ok'),
          events: healthEvents(bot, event.health ?? 'ok', now),
        }
      case 'left':
        return reportedLeft(bot, now)
      case 'command_done':
        if (event.commandId) {
          const outcome = event.isDone === false ? `failed: ${event.detail ?? ''}` : 'done'
          await closeCommand(tx, { botId: bot.id, id: event.commandId, outcome, now })
        }
        return { bot, events: [] }
      case 'speech':
        return {
          bot: { ...bot, watch: { ...bot.watch, lastSpeechAt: now.toISOString(), hasSeenPeople: true } },
          events: [],
        }
    }
  }

  async function healthOf(tx: TenantScope, bot: Bot, health: 'ok' | 'deaf'): Promise<Bot> {
    if (bot.health === health) return bot
    if (health === 'deaf') await transitions.degraded(tx, bot)
    const suspectSince = health === 'deaf' ? (bot.watch.suspectSince ?? clock.now().toISOString()) : null
    return { ...bot, health, watch: { ...bot.watch, suspectSince } }
  }

  /** Entries that were reported before have no effect. Refuses with VALIDATION_ERROR a segment id of another attempt. */
  const entries = (platform: PlatformScope, runner: RunnerCaller, report: EntryReport): Promise<void> =>
    withLease(platform, runner, report, async (locked, tx) => {
      const { bot } = locked
      if (report.seq <= bot.entriesSeq) return { bot, events: [] }
      const step = await transcriber.add(tx, bot, linesOf(bot, report.entries))
      return { ...step, bot: { ...step.bot, entriesSeq: report.seq } }
    })

  const artifact = (
    platform: PlatformScope,
    runner: RunnerCaller,
    {
      epoch,
      botId,
      lease,
      name,
      mediaType,
      bytes,
    }: { epoch: number; botId: string; lease: number; name: string; mediaType: string; bytes: Buffer },
  ): Promise<void> =>
    withLease(platform, runner, { epoch, botId, lease }, async ({ bot }, tx) => {
      // Faces are nobody's evidence.
      if (mediaType === 'image/png' && bot.admittedAt !== null)
        throw invalidField('/query/name', { code: 'format', message: 'cannot be a picture once the bot was admitted' })
      const others = (await listArtifactNames(tx, botId)).filter((other) => other !== name)
      if (others.length >= artifactsMax)
        throw invalidField('/query/name', {
          code: 'maxItems',
          message: `is more than ${artifactsMax} artifacts of a bot`,
        })
      await writeArtifact(tx, { botId, name, mediaType, bytes, now: clock.now() })
      return { bot, events: [] }
    })

  return { enroll, claim, heartbeat, events, entries, artifact }
}

function healthEvents(bot: Bot, health: 'ok' | 'deaf', at: Date) {
  if (bot.health === health) return []
  return [{ at, type: 'health' as const, from: bot.health, to: health, reason: null, detail: null }]
}

/** Other bots count as nobody. */
function seePeople(bot: Bot, { people, now }: { people: number; now: Date }): Bot {
  const hasSeenPeople = (bot.watch.hasSeenPeople ?? false) || people > 0
  const aloneSince = people > 0 ? null : (bot.watch.aloneSince ?? now.toISOString())
  return { ...bot, watch: { ...bot.watch, hasSeenPeople, aloneSince } }
}

/** Times of runners begin with each attempt, those of a transcript with the first admission. */
const attemptOffsetMs = ({ attemptAdmittedAt, admittedAt, statusAt }: Bot): number =>
  (attemptAdmittedAt ?? statusAt).getTime() - (admittedAt ?? statusAt).getTime()

function linesOf(bot: Bot, reported: EntryReport['entries']): TranscriptLine[] {
  const prefix = `${bot.id}:${bot.attempt}:`
  return reported.map(({ segmentId, speaker, text, atMs }, index) => {
    if (!segmentId.startsWith(prefix))
      throw invalidField(`/body/entries/${index}/segmentId`, { code: 'pattern', message: `must begin with ${prefix}` })
    const segment = segmentId.slice(prefix.length)
    return { segment, speaker, text, offsetMs: attemptOffsetMs(bot) + atMs, kind: 'speech' }
  })
}

function chatLine(bot: Bot, { seq, from, atMs = 0 }: ReportedEvent, text: string): TranscriptLine {
  return { segment: String(seq), speaker: from ?? '', text, offsetMs: attemptOffsetMs(bot) + atMs, kind: 'chat' }
}
