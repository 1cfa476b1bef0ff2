import type { Clock } from '../../kernel/clock.ts'
import { oneLine } from '../../kernel/one-line.ts'
import type { BotMeetings, NewEntry } from '../../meetings/index.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { type Bot, type ConsentDecision, isTakingDown } from '../bot.rules.ts'
import { deleteOwnMessages } from '../commands/command.store.ts'
import type { BotMoves } from './bot-moves.ts'
import { type ChatAnswers, isAsked } from './chat-answers.ts'
import { chatDecision, decide } from './consent.rules.ts'
import { askToLeave, type Step } from './moves.rules.ts'

export type TakenLine = { segment: string; speaker: string; text: string; offsetMs: number; kind: 'speech' | 'chat' }

const offsetMsMax = 99 * 3600 * 1000
const noticeAgainMs = 5 * 60_000

export type TakingDown = ReturnType<typeof takingDown>

type Deps = { clock: Clock; meetings: BotMeetings; moves: BotMoves; answers: ChatAnswers }

/** What bots hear and read in their meetings. All work on a bot that is locked with its meeting. */
export function takingDown({ clock, meetings, moves, answers }: Deps) {
  /** Keeps what was said and written, in this order. What the chat says to the bot is done instead. */
  async function take(tx: TenantScope, bot: Bot, lines: TakenLine[]): Promise<Step> {
    let step: Step = { bot, events: [] }
    let toKeep: TakenLine[] = []
    const follow = (next: Step) => {
      step = { bot: next.bot, events: [...step.events, ...next.events] }
    }
    for (const line of lines) {
      if (line.kind === 'speech' || !isForBot(bot, line.text)) {
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

  /** Does what a line of the chat asks the bot for. */
  async function readChat(tx: TenantScope, bot: Bot, { from, text }: { from: string; text: string }): Promise<Step> {
    const decision = chatDecision(text)
    if (decision !== null) return decided(tx, bot, { by: from, decision })
    if (isAsked(bot, text)) await answers.ask(tx, bot, text)
    return { bot, events: [] }
  }

  /** Keeps lines, where the participants have not decided otherwise. */
  async function keep(tx: TenantScope, bot: Bot, lines: TakenLine[]): Promise<Step> {
    if (lines.length === 0) return { bot, events: [] }
    const now = clock.now()
    const at = now.toISOString()
    const heard: Bot = { ...bot, watch: { ...bot.watch, lastSpeechAt: at, hasSeenPeople: true } }
    if (!isTakingDown(bot)) return { bot: heard, events: [] }
    const kept: Bot = { ...heard, watch: { ...heard.watch, lastEntryAt: at } }
    const entries = lines.map((line) => toEntry(line, `${bot.id}:${bot.attempt}:`))
    // What was kept before in this transaction has changed the meeting.
    const meeting = await meetings.lock(tx, bot.meetingId)
    // Where somebody has ended the meeting here, nobody waits for more.
    if (!(await meetings.append(tx, meeting, entries)))
      return askToLeave(kept, { reason: 'MEETING_ENDED', now }) ?? { bot: kept, events: [] }
    return { bot: kept, events: [] }
  }

  async function decided(
    tx: TenantScope,
    bot: Bot,
    { by, decision }: { by: string; decision: ConsentDecision },
  ): Promise<Step> {
    const step = decide(bot, { by, decision, now: clock.now() })
    if (decision === 'forgotten') {
      await meetings.eraseTaken(tx, await meetings.lock(tx, bot.meetingId), `${bot.id}:`)
      // Its answers quote the meeting.
      await deleteOwnMessages(tx, bot.id)
    }
    return step
  }

  /** Who is there. Whoever comes later hears the notice, too, but not more often than every five minutes. */
  async function seePeople(tx: TenantScope, bot: Bot, people: number): Promise<Bot> {
    const now = clock.now()
    const { people: before = 0, aloneSince = null, noticeSaidAt = null } = bot.watch
    const watch = {
      ...bot.watch,
      people,
      hasSeenPeople: (bot.watch.hasSeenPeople ?? false) || people > 0,
      aloneSince: people > 0 ? null : (aloneSince ?? now.toISOString()),
    }
    const isNewcomer = people > (before ?? 0) && noticeSaidAt !== null
    if (!isNewcomer || now.getTime() - Date.parse(noticeSaidAt) < noticeAgainMs) return { ...bot, watch }
    await moves.command(tx, bot, { kind: 'message', text: bot.consent.message })
    return { ...bot, watch: { ...watch, noticeSaidAt: now.toISOString() } }
  }

  return { take, keep, readChat, decided, seePeople }
}

/** @param prefix of the segment ids of one attempt of a bot */
export function toEntry({ segment, speaker, text, offsetMs, kind }: TakenLine, prefix: string): NewEntry {
  return {
    speaker: oneLine(speaker) || 'Unknown speaker',
    text,
    offsetSeconds: Math.min(offsetMsMax, Math.max(0, Math.round(offsetMs))) / 1000,
    segmentId: `${prefix}${segment}${kind === 'chat' ? ':chat' : ''}`,
  }
}

/** Such a line is no part of what was said in the meeting. */
const isForBot = (bot: Bot, text: string): boolean => chatDecision(text) !== null || isAsked(bot, text)
