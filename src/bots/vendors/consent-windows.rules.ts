import type { Bot } from '../bot.rules.ts'
import { chatDecision, isBotTalk, isOwnMessage } from '../bots/chat.rules.ts'
import type { VendorLine } from '../providers/vendor.ts'

/**
 * The lines that may be kept, in their order. A vendor tells what was said only later, so what counts is when somebody
 * wrote a decision into the chat, and not when we read it.
 */
export function linesToKeep(
  bot: Pick<Bot, 'consent' | 'admittedAt' | 'displayName' | 'chatAnswers'>,
  lines: VendorLine[],
): VendorLine[] {
  const { mode, decisions, postedAt } = bot.consent
  if (postedAt === null || bot.admittedAt === null) return []
  const admitted = bot.admittedAt.getTime()
  const sorted = lines.filter(({ offsetMs }) => offsetMs >= 0).sort((a, b) => a.offsetMs - b.offsetMs)
  const written = sorted.flatMap((line) => {
    const decision = line.kind === 'chat' && !isOwnMessage(bot, line) ? chatDecision(line.text) : null
    return decision === null ? [] : [{ decision, offsetMs: line.offsetMs }]
  })
  if (written.some(({ decision }) => decision === 'forgotten')) return []
  if (decisions.some(({ decision }) => decision === 'forgotten')) return []
  // What organizers decide, and what came by a webhook, has the time at which we heard of it.
  const heard = decisions.map(({ decision, at }) => ({ decision, offsetMs: Date.parse(at) - admitted }))
  const all = [...written, ...heard]
  const agreed = all.filter(({ decision }) => decision === 'agreed' || decision === 'confirmed')
  const ended = all.filter(({ decision }) => decision === 'refused' || decision === 'stopped')
  const fromMs = mode === 'notice' ? 0 : Math.min(...agreed.map(({ offsetMs }) => offsetMs))
  const untilMs = Math.min(...ended.map(({ offsetMs }) => offsetMs))
  return sorted.filter(
    (line) => line.offsetMs >= fromMs && line.offsetMs < untilMs && (line.kind === 'speech' || !isBotTalk(bot, line)),
  )
}
