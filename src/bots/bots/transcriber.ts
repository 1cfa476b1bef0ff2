import type { Clock } from '../../kernel/clock.ts'
import { oneLine } from '../../kernel/one-line.ts'
import type { BotMeetings, NewEntry } from '../../meetings/index.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { type Bot, type ConsentDecision, isTranscribing } from '../bot.rules.ts'
import { deleteOwnMessages } from '../command-queue/command.store.ts'
import { chatDecision, isAsked, isBotTalk, isOwnMessage } from './chat.rules.ts'
import type { ChatAnswers } from './chat-answers.ts'
import { decide } from './consent.rules.ts'
import { askToLeave, type Step } from './transitions.rules.ts'

export type TranscriptLine = {
  segment: string
  speaker: string
  text: string
  offsetMs: number
  kind: 'speech' | 'chat'
}

const offsetMsMax = 99 * 3600 * 1000

export type Transcriber = ReturnType<typeof botTranscriber>

type Deps = { clock: Clock; meetings: BotMeetings; answers: ChatAnswers }

/** Puts what bots hear and read into the transcripts of their meetings. The bot and its meeting must be locked. */
export function botTranscriber({ clock, meetings, answers }: Deps) {
  /** Keeps what was said and written, in this order. Commands in the chat are carried out instead. */
  async function add(tx: TenantScope, bot: Bot, lines: TranscriptLine[]): Promise<Step> {
    let step: Step = { bot, events: [] }
    let toKeep: TranscriptLine[] = []
    const follow = (next: Step) => {
      step = { bot: next.bot, events: [...step.events, ...next.events] }
    }
    for (const line of lines) {
      if (line.kind === 'speech' || !isBotTalk(bot, line)) {
        toKeep.push(line)
        continue
      }
      follow(await keep(tx, step.bot, toKeep))
      toKeep = []
      if (step.bot.status === 'in_meeting')
        follow(await readChat(tx, step.bot, { from: line.speaker, text: line.text }))
    }
    follow(await keep(tx, step.bot, toKeep))
    return step
  }

  /** Carries out a command in the chat, and answers a question to the bot. */
  async function readChat(tx: TenantScope, bot: Bot, { from, text }: { from: string; text: string }): Promise<Step> {
    if (isOwnMessage(bot, { speaker: from, text })) return { bot, events: [] }
    const decision = chatDecision(text)
    if (decision !== null) return decided(tx, bot, { by: from, decision })
    if (isAsked(bot, text)) await answers.ask(tx, bot, text)
    return { bot, events: [] }
  }

  /** Keeps lines, where the participants have not decided otherwise. */
  async function keep(tx: TenantScope, bot: Bot, lines: TranscriptLine[]): Promise<Step> {
    if (lines.length === 0) return { bot, events: [] }
    const now = clock.now()
    const at = now.toISOString()
    const heard: Bot = { ...bot, watch: { ...bot.watch, lastSpeechAt: at, hasSeenPeople: true } }
    if (!isTranscribing(bot)) return { bot: heard, events: [] }
    const kept: Bot = { ...heard, watch: { ...heard.watch, lastEntryAt: at } }
    const entries = lines.map((line) => toEntry(line, `${bot.id}:${bot.attempt}:`))
    // What was kept before in this transaction has changed the meeting.
    const meeting = await meetings.lock(tx, bot.meetingId)
    const unwritten = await meetings.append(tx, meeting, entries)
    if (unwritten === null) return { bot: kept, events: [] }
    // Where somebody has ended the meeting here, nobody waits for more. Where no words are left, it would listen for nothing.
    const why =
      unwritten.cause === 'OVER'
        ? ({ reason: 'MEETING_ENDED' } as const)
        : ({ reason: 'QUOTA', detail: unwritten.detail } as const)
    return askToLeave(kept, { ...why, now }) ?? { bot: kept, events: [] }
  }

  async function decided(
    tx: TenantScope,
    bot: Bot,
    { by, decision }: { by: string; decision: ConsentDecision },
  ): Promise<Step> {
    const step = decide(bot, { by, decision, now: clock.now() })
    if (decision === 'forgotten') {
      await meetings.eraseBotEntries(tx, await meetings.lock(tx, bot.meetingId), `${bot.id}:`)
      // Its answers quote the meeting.
      await deleteOwnMessages(tx, bot.id)
    }
    return step
  }

  return { add, keep, readChat, decided }
}

/** @param prefix of the segment ids of one attempt of a bot */
export function toEntry({ segment, speaker, text, offsetMs, kind }: TranscriptLine, prefix: string): NewEntry {
  return {
    speaker: oneLine(speaker) || 'Unknown speaker',
    text,
    offsetSeconds: Math.min(offsetMsMax, Math.max(0, Math.round(offsetMs))) / 1000,
    segmentId: `${prefix}${segment}${kind === 'chat' ? ':chat' : ''}`,
  }
}
