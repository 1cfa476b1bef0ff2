import type { Clock } from '../../kernel/clock.ts'
import type { BotMeetings, NewEntry } from '../../meetings/index.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { type Bot, isTakingDown } from '../bot.rules.ts'
import type { BotMoves, Locked } from './bot-moves.ts'
import { chatDecision, decide } from './consent.rules.ts'
import { askToLeave, type Step } from './moves.rules.ts'

export type TakenLine = { segment: string; speaker: string; text: string; offsetMs: number; kind: 'speech' | 'chat' }

const offsetMsMax = 99 * 3600 * 1000
const noticeAgainMs = 5 * 60_000

export type TakingDown = ReturnType<typeof takingDown>

/** What bots hear and read in their meetings. All work on a bot that is locked with its meeting. */
export function takingDown({ clock, meetings, moves }: { clock: Clock; meetings: BotMeetings; moves: BotMoves }) {
  /** Keeps what was said, where the participants have not decided otherwise. */
  async function keep(tx: TenantScope, { bot, meeting }: Locked, lines: TakenLine[]): Promise<Step> {
    const now = clock.now()
    const nowIso = now.toISOString()
    const heard = lines.length === 0 ? {} : { lastSpeechAt: nowIso, hasSeenPeople: true }
    const step: Step = { bot: { ...bot, watch: { ...bot.watch, ...heard } }, events: [] }
    if (!isTakingDown(bot) || lines.length === 0) return step
    step.bot.watch.lastEntryAt = nowIso
    if (step.bot.health === 'deaf') step.bot.health = 'ok'
    const entries = lines.map((line) => toEntry(line, `${bot.id}:${bot.attempt}:`))
    if (await meetings.append(tx, meeting, entries)) return step
    // Somebody has ended the meeting here, so nobody waits for more.
    return askToLeave(step.bot, { reason: 'MEETING_ENDED', now }) ?? step
  }

  /** Does what a line of the chat asks for. */
  async function readChat(
    tx: TenantScope,
    { bot, meeting }: Locked,
    { from, text }: { from: string; text: string },
  ): Promise<Step> {
    const now = clock.now()
    const decision = chatDecision(text)
    if (decision !== null) return decided(tx, { bot, meeting }, { by: from, decision })
    if (bot.chatAnswers === 'mention' && isAsked(text, bot.displayName)) await answer(tx, bot, text)
    return { bot, events: [{ at: now, type: 'chat', from: null, to: null, reason: null, detail: null }] }
  }

  async function decided(
    tx: TenantScope,
    { bot, meeting }: Locked,
    { by, decision }: { by: string; decision: Parameters<typeof decide>[1]['decision'] },
  ): Promise<Step> {
    const step = decide(bot, { by, decision, now: clock.now() })
    if (decision === 'forgotten') await meetings.eraseTaken(tx, meeting, `${bot.id}:`)
    return step
  }

  /** From this meeting alone. Whoever asked for the bot may read it. */
  async function answer(tx: TenantScope, bot: Bot, text: string): Promise<void> {
    if (bot.requestedBy === null) return
    const question = text.replace(/^\s*@?/, '')
    const said = await meetings
      .answer(tx, { userId: bot.requestedBy, meetingId: bot.meetingId, text: question.slice(0, 500) })
      .catch(() => null)
    if (said !== null) await moves.command(tx, bot, { kind: 'message', text: said.slice(0, 500) })
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

  return { keep, readChat, decided, seePeople }
}

/** @param prefix of the segment ids of one attempt of a bot */
export function toEntry({ segment, speaker, text, offsetMs, kind }: TakenLine, prefix: string): NewEntry {
  return {
    speaker,
    text,
    offsetSeconds: Math.min(offsetMsMax, Math.max(0, Math.round(offsetMs))) / 1000,
    segmentId: `${prefix}${segment}${kind === 'chat' ? ':chat' : ''}`,
  }
}

/** By the first word of its name. */
function isAsked(text: string, displayName: string): boolean {
  const name = displayName.split(/\s+/)[0]?.toLowerCase() ?? ''
  return (
    name !== '' &&
    text
      .toLowerCase()
      .replace(/^\s*@?/, '')
      .startsWith(name)
  )
}
