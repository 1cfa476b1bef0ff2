import type { Bot, ConsentDecision } from '../bot.rules.ts'
import { askToLeave, type BotEvent, type Step } from './transitions.rules.ts'

const howToStop = 'Write !stop to end this, or !forget to also erase the notes.'
const howToAgree = 'Nothing is kept until somebody writes !agree.'

/** What the bot says of itself before it keeps anything. It always names what participants can do. */
export function consentText({
  given,
  displayName,
  mode,
}: {
  given: string | null
  displayName: string
  mode: 'notice' | 'required'
}): string {
  const parts = [given?.trim() || `${displayName} writes down what is said in this meeting.`]
  if (mode === 'required' && !parts[0]?.includes('!agree')) parts.push(howToAgree)
  if (!parts[0]?.includes('!stop') || !parts[0]?.includes('!forget')) parts.push(howToStop)
  return parts.join(' ')
}

/** The name says what the bot is. */
export function botName(given: string | null): string {
  const name = given?.trim() || 'Atrium (notes)'
  return /\(notes\)/i.test(name) ? name : `${name} (notes)`
}

/** A decision of a participant or of the organizer. After a refusal, a stop or a forget nothing more is written down, and the bot leaves. */
export function decide(bot: Bot, { by, decision, now }: { by: string; decision: ConsentDecision; now: Date }): Step {
  const decisions = [...bot.consent.decisions, { at: now.toISOString(), by, decision }]
  const event: BotEvent = { at: now, type: 'consent', from: null, to: decision, reason: null, detail: null }
  const decided: Bot = { ...bot, consent: { ...bot.consent, decisions } }
  const isRefusal = decision !== 'agreed' && decision !== 'confirmed'
  const step = isRefusal ? askToLeave(decided, { reason: 'CONSENT_REFUSED', detail: decision, now }) : null
  return step === null ? { bot: decided, events: [event] } : { ...step, events: [event, ...step.events] }
}

/** The notice was said, the first time or again. */
export function noticePosted(bot: Bot, { delivered, now }: { delivered: boolean; now: Date }): Step {
  const postedAt = bot.consent.postedAt ?? now.toISOString()
  const consent = { ...bot.consent, postedAt, delivered: bot.consent.delivered || delivered }
  const event: BotEvent = {
    at: now,
    type: 'consent',
    from: null,
    to: 'posted',
    reason: null,
    detail: delivered ? null : 'undelivered',
  }
  return { bot: { ...bot, consent }, events: [event] }
}
