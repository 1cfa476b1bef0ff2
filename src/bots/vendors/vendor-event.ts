import type { BotEvent } from '../bots/transitions.rules.ts'

/** What a vendor has confirmed, as an event of the bot. */
export function vendorEvent(at: Date, to: 'ordered' | 'reconciled' | 'erased', detail: string | null): BotEvent {
  return { at, type: 'vendor', from: null, to, reason: null, detail }
}
