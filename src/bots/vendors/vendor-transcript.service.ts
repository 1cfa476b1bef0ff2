import { createHash } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { storableText } from '../../kernel/storable-text.ts'
import type { BotMeetings } from '../../meetings/index.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import { type Bot, isFinal, isInside } from '../bot.rules.ts'
import type { BotTransitions } from '../bots/bot-transitions.ts'
import { chatDecision, isOwnMessage } from '../bots/chat.rules.ts'
import { type Transcriber, type TranscriptLine, toEntry } from '../bots/transcriber.ts'
import type { Step } from '../bots/transitions.rules.ts'
import type { VendorLine } from '../providers/vendor.ts'
import { linesToKeep } from './consent-windows.rules.ts'
import type { VendorRun } from './run.rules.ts'
import { markReconciled, writeHeard } from './run.store.ts'
import { vendorEvent } from './vendor-event.ts'

type Deps = { clock: Clock; meetings: BotMeetings; transitions: BotTransitions; transcriber: Transcriber }

/** Lines from just before are read again, because vendors correct them. */
const againMs = 120_000
const speakerLengthMax = 200
const textLengthMax = 64_000
const chatSeenMax = 2000

/** What vendors heard. */
export function vendorTranscripts({ clock, meetings, transitions, transcriber }: Deps) {
  /** Carries out commands in the chat, and keeps what was said since the last poll. */
  const addLive = (scope: TenantScope, run: VendorRun, lines: VendorLine[]): Promise<void> =>
    transaction(scope, async (tx) => {
      const locked = await transitions.lock(tx, run.botId)
      if (locked === null || locked.bot.attempt !== run.attempt || !isInside(locked.bot.status)) return
      const unread = unreadChat(run, locked.bot, lines)
      // Who agrees does so before what is said next; who stops it lets stay what was said before.
      const agreed = await readAll(
        tx,
        locked.bot,
        unread.filter(({ text }) => chatDecision(text) === 'agreed'),
      )
      const kept = await keepNew(tx, run, { step: agreed, lines })
      const rest = unread.filter(({ text }) => chatDecision(text) !== 'agreed')
      const read = await readAll(tx, kept.bot, rest)
      const step = { bot: read.bot, events: [...kept.events, ...read.events] }
      await writeHeard(tx, run.id, {
        heardMs: Math.max(run.heardMs, ...lines.map(({ offsetMs }) => offsetMs)),
        chatSeen: [...run.chatSeen, ...unread.map(({ id }) => id)].slice(-chatSeenMax),
      })
      if (step.events.length > 0 || step.bot !== locked.bot) await transitions.apply(tx, locked, step)
    })

  async function readAll(tx: TenantScope, bot: Bot, messages: VendorLine[]): Promise<Step> {
    let step: Step = { bot, events: [] }
    for (const { speaker, text } of messages.toSorted((a, b) => a.offsetMs - b.offsetMs)) {
      if (isFinal(step.bot.status)) return step
      const read = await transcriber.readChat(tx, step.bot, { from: speaker || 'Somebody', text })
      step = { bot: read.bot, events: [...step.events, ...read.events] }
    }
    return step
  }

  async function keepNew(
    tx: TenantScope,
    run: VendorRun,
    { step, lines }: { step: Step; lines: VendorLine[] },
  ): Promise<Step> {
    const recent = linesToKeep(step.bot, lines).filter(({ offsetMs }) => offsetMs > run.heardMs - againMs)
    if (recent.length === 0) return step
    const kept = await transcriber.keep(tx, step.bot, recent.map(transcriptLine))
    const isNew = recent.some(({ offsetMs }) => offsetMs > run.heardMs)
    const watch = isNew ? kept.bot.watch : { ...kept.bot.watch, lastSpeechAt: step.bot.watch.lastSpeechAt ?? null }
    return { bot: { ...kept.bot, watch }, events: [...step.events, ...kept.events] }
  }

  /** Makes the transcript equal to the vendor's, as far as it may be kept. The bot may be over, and its meeting, too. */
  const reconcile = (scope: TenantScope, run: VendorRun, lines: VendorLine[]): Promise<void> =>
    transaction(scope, async (tx) => {
      const locked = await transitions.lock(tx, run.botId)
      await markReconciled(tx, run.id, clock.now())
      if (locked === null) return
      const prefix = `${run.botId}:${run.attempt}:`
      const bot = withDecisions(locked.bot, unreadChat(run, locked.bot, lines))
      const kept = linesToKeep(bot, lines).map((line) => toEntry(transcriptLine(line), prefix))
      const isRefused = (bot.watch.endReason ?? bot.reason) === 'QUOTA'
      const unwritten = await meetings.reconcile(tx, locked.meeting, { prefix, entries: kept, isRefused })
      const written = unwritten === null ? kept.length : 0
      const why = unwritten?.cause === 'NO_WORDS_LEFT' ? `. ${unwritten.detail}` : ''
      const event = vendorEvent(clock.now(), 'reconciled', `${written} of ${lines.length} lines${why}`)
      await transitions.apply(tx, locked, { bot, events: [event] })
    })

  /** What was decided in the chat belongs to the record, also if we read it only at the end. */
  function withDecisions(bot: Bot, unread: VendorLine[]): Bot {
    const admitted = bot.admittedAt?.getTime() ?? 0
    const found = unread.flatMap(({ text, speaker, offsetMs }) => {
      const decision = chatDecision(text)
      return decision === null ? [] : [{ at: new Date(admitted + offsetMs).toISOString(), by: speaker, decision }]
    })
    return found.length === 0
      ? bot
      : { ...bot, consent: { ...bot.consent, decisions: [...bot.consent.decisions, ...found] } }
  }

  return { addLive, reconcile }
}

export type VendorTranscripts = ReturnType<typeof vendorTranscripts>

function unreadChat(run: VendorRun, bot: Bot, lines: VendorLine[]): VendorLine[] {
  const isUnread = ({ kind, id, offsetMs }: VendorLine) =>
    kind === 'chat' && offsetMs >= 0 && !run.chatSeen.includes(id)
  return lines.filter((line) => isUnread(line) && !isOwnMessage(bot, line))
}

function transcriptLine({ id, speaker, text, offsetMs, kind }: VendorLine): TranscriptLine {
  return {
    segment: segmentOf(id),
    speaker: storableText(speaker, speakerLengthMax).trim() || 'Somebody',
    text: storableText(text, textLengthMax),
    offsetMs,
    kind,
  }
}

/** Ids of vendors are of any length, and of any letters. */
function segmentOf(id: string): string {
  return /^[\w.:@=+-]{1,120}$/.test(id) ? id : createHash('sha256').update(id).digest('hex')
}
