import type { AutoLeave, BotPlatform } from '../bot.rules.ts'
import type { Reason } from '../reasons.rules.ts'
import type { VendorName } from '../vendor.rules.ts'

export type VendorRequest = {
  method: 'GET' | 'POST' | 'DELETE'
  /** Below the address of the vendor, or a whole address for a file that the vendor has stored elsewhere. */
  path: string
  headers?: Record<string, string>
  body?: object
}
export type VendorAnswer = { status: number; body: unknown; retryAfterMs: number | null }

/** Asks the vendor with the key of the tenant. Throws VendorUnreachable where nobody knows whether it was done. */
export type AskVendor = (request: VendorRequest) => Promise<VendorAnswer>

/** No answer: nobody knows whether the request had its effect. */
export class VendorUnreachable extends Error {
  constructor(vendor: VendorName) {
    super(`${vendor} did not answer.`)
    this.name = 'VendorUnreachable'
  }
}

/** By what a bot is found that was asked for. */
export type VendorSearch = {
  /** Names the order at the vendor, so that it is found there and carried out once. */
  key: string
  room: string
  platform: BotPlatform
  /** When it was first asked for: an older bot in the same room is somebody else's. */
  askedAt: Date
}

/** What the vendor's bot is to do. */
export type VendorOrder = VendorSearch & {
  link: string
  displayName: string
  /** Said in the chat as soon as the bot is in. */
  notice: string
  autoLeave: AutoLeave
  /** Where the vendor can send webhooks of this bot. Null: nowhere. */
  hookUrl: string | null
}

/** What came of an order. `busy`: not done, and worth another try. `exists`: there is one already, which can be found. */
export type Created =
  | { kind: 'created'; id: string }
  | { kind: 'exists' }
  | { kind: 'busy'; retryAfterMs: number | null }
  | { kind: 'unknown' }
  | { kind: 'refused'; detail: string }

/** How it stands with a vendor's bot. Times are the vendor's. */
export type VendorState =
  | { status: 'joining'; at: Date | null }
  | { status: 'waiting_room'; at: Date | null }
  | { status: 'in_meeting'; at: Date | null }
  | {
      status: 'over'
      at: Date | null
      /** Null: it never was in. */
      admittedAt: Date | null
      /** Null: it left because it was asked to. */
      reason: Reason | null
      /** The vendor's own word for it. */
      detail: string | null
      /** Whether the transcript is complete. */
      isReady: boolean
      /** Whether the vendor has erased all that it had of the meeting. */
      isErased: boolean
    }
  /** The vendor does not know the bot. */
  | { status: 'unknown' }

/** Something that was said or written, by the vendor's own id. */
export type VendorLine = { id: string; speaker: string; text: string; offsetMs: number; kind: 'speech' | 'chat' }

/** What a vendor can do, and how it is asked. Every call is one request or a few, and may be repeated. */
export type VendorAdapter = {
  name: VendorName
  title: string
  platforms: readonly BotPlatform[]
  /** The addresses by region. Null: one address, or the operator's own. */
  regions: Readonly<Record<string, string>> | null
  /** Where it is asked if the tenant names no address of its own. Null: a region is needed. */
  baseUrl: string | null
  /** The header with the key. */
  authorization(apiKey: string): Record<string, string>
  /** Whether what is said can be read during the meeting. */
  isHeardLive: boolean
  /** Whether it can write into the chat. */
  canChat: boolean
  create(ask: AskVendor, order: VendorOrder): Promise<Created>
  /** The bot of an order that may have been carried out. Null: there is none. */
  find(ask: AskVendor, search: VendorSearch): Promise<string | null>
  getState(ask: AskVendor, id: string): Promise<VendorState>
  /** Everything so far, speech and chat. Null: the vendor could not say. */
  lines(ask: AskVendor, id: string, admittedAt: Date): Promise<VendorLine[] | null>
  /** Asks the bot to leave. `getState` says whether it did. */
  leave(ask: AskVendor, id: string): Promise<void>
  /** False: it was not written. */
  say(ask: AskVendor, id: string, text: string): Promise<boolean>
  /** Asks the vendor to erase what it has of the meeting. `getState` says whether it did. */
  erase(ask: AskVendor, id: string): Promise<void>
}
