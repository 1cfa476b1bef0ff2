import { type Bot, type BotPlatform, isFinal } from '../bot.rules.ts'
import type { VendorName } from '../vendor.rules.ts'

/** An attempt of a bot at its vendor. */
export type VendorRun = {
  tenantId: string
  /** Names the order at the vendor. */
  id: string
  botId: string
  attempt: number
  room: string
  platform: BotPlatform
  vendor: VendorName
  /** When the vendor was first asked for the bot: from then on there may be one. */
  askedAt: Date | null
  /** The vendor's id of the bot. Null: it is not known that there is one. */
  externalId: string | null
  /** How many polls in a row the vendor did not answer. */
  tries: number
  /** Up to where the speech was written down during the meeting. */
  heardMs: number
  /** The messages of the chat that were read. */
  chatSeen: string[]
  leaveAskedAt: Date | null
  reconciledAt: Date | null
}

/** Whether the vendor's bot is still the one that the meeting should have. If not, it has to leave. */
export function isCurrent(run: VendorRun, bot: Bot | null): bot is Bot {
  if (bot === null || isFinal(bot.status) || bot.attempt !== run.attempt || bot.room !== run.room) return false
  return run.externalId === null ? bot.status === 'queued' : bot.status !== 'queued' && bot.status !== 'scheduled'
}

const backoffMsMax = 3600_000

/** When a vendor that does not answer is asked again: soon while the bot lives, then ever less often. */
export function retryMs({ tries, isLive }: { tries: number; isLive: boolean }): number {
  const waitMs = 5000 * 2 ** Math.min(tries, 12)
  return Math.min(waitMs, isLive ? 30_000 : backoffMsMax)
}
