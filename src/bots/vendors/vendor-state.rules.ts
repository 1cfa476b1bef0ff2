import type { Bot } from '../bot.rules.ts'
import { noticePosted } from '../bots/consent.rules.ts'
import { interrupt, type Step, transition } from '../bots/transitions.rules.ts'
import type { VendorAdapter, VendorState } from '../providers/vendor.ts'
import { isEndReason, isFailReason, type Reason } from '../reasons.rules.ts'

type Context = { state: VendorState; adapter: Pick<VendorAdapter, 'canChat'>; now: Date }

/** The state that a bot gets from what its vendor says. Null: no change. Steps that were missed are made up for, at the vendor's times. */
export function followState(bot: Bot, { state, adapter, now }: Context): Step | null {
  switch (state.status) {
    case 'joining':
      return null
    case 'waiting_room':
      return bot.status === 'joining' ? transition(bot, { to: 'waiting_room', now: timeOf(bot, state.at, now) }) : null
    case 'in_meeting':
      return admit(bot, { at: state.at, adapter, now })
    case 'unknown':
      return ended(bot, { reason: 'VENDOR_ERROR', detail: 'The vendor does not know the bot.', at: now })
    case 'over': {
      const { at, admittedAt, reason, detail } = state
      const admitted = admittedAt === null ? null : admit(bot, { at: admittedAt, adapter, now })
      const before = admitted ?? { bot, events: [] }
      const leftAt = timeOf(before.bot, at, now)
      const over = ended(before.bot, { reason, detail, at: leftAt })
      return over === null ? admitted : { bot: over.bot, events: [...before.events, ...over.events] }
    }
  }
}

/** Neither before what is known, nor in the future: the vendor's clock is not ours. */
function timeOf(bot: Bot, at: Date | null, now: Date): Date {
  return at === null || at > now ? now : at < bot.statusAt ? bot.statusAt : at
}

/** The vendor writes the notice as it lets the bot in. Who is there, and whether it is silent, is watched there. */
function admit(
  bot: Bot,
  { at, adapter, now }: { at: Date | null; adapter: Pick<VendorAdapter, 'canChat'>; now: Date },
): Step | null {
  const admittedAt = timeOf(bot, at, now)
  const step = bot.status === 'in_meeting' ? null : transition(bot, { to: 'in_meeting', now: admittedAt })
  if (step === null) return null
  const posted = noticePosted(step.bot, { delivered: adapter.canChat, now: admittedAt })
  const watch = { ...posted.bot.watch, hasSeenPeople: true, lastSpeechAt: admittedAt.toISOString() }
  return { bot: { ...posted.bot, health: 'ok', watch }, events: [...step.events, ...posted.events] }
}

/** What the service has asked for goes before what the vendor says of it. */
function ended(
  bot: Bot,
  { reason, detail, at }: { reason: Reason | null; detail: string | null; at: Date },
): Step | null {
  const asked = bot.status === 'leaving' ? (bot.watch.endReason as Reason | null | undefined) : null
  const why = asked ?? reason ?? 'USER_REQUEST'
  if (isFailReason(why)) return interrupt(bot, { reason: why, detail, now: at })
  return isEndReason(why) ? transition(bot, { to: 'ended', reason: why, detail: asked ? null : detail, now: at }) : null
}
