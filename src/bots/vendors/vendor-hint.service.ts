import type { TenantScope } from '../../storage/scope.ts'
import { isInside } from '../bot.rules.ts'
import type { BotTransitions } from '../bots/bot-transitions.ts'
import type { Transcriber } from '../bots/transcriber.ts'
import type { VendorName } from '../vendor.rules.ts'
import { isCurrent } from './run.rules.ts'
import { findRunOfExternal, writeHeard } from './run.store.ts'
import type { VendorPollPlanner } from './vendor-poll-planner.service.ts'

/** What a vendor's webhook says: something has changed, or somebody has decided in the chat. */
export type VendorHint = {
  vendor: VendorName
  externalId: string
  chat: { id: string; from: string; text: string } | null
}

type Deps = { transitions: BotTransitions; transcriber: Transcriber; planner: VendorPollPlanner }

/** False: no bot is known by this id, or it is over. The next poll finds what a hint would have said. */
export type TakeHint = (tx: TenantScope, hint: VendorHint) => Promise<boolean>

export function vendorHints({ transitions, transcriber, planner }: Deps): TakeHint {
  return async (tx, { vendor, externalId, chat }) => {
    const run = await findRunOfExternal(tx, { vendor, externalId })
    if (run === null) return false
    await planner.enqueue(tx, run.id)
    if (chat === null || run.chatSeen.includes(chat.id)) return true
    const locked = await transitions.lock(tx, run.botId)
    if (locked === null || !isCurrent(run, locked.bot) || !isInside(locked.bot.status)) return true
    await writeHeard(tx, run.id, { heardMs: run.heardMs, chatSeen: [...run.chatSeen, chat.id] })
    await transitions.apply(tx, locked, await transcriber.readChat(tx, locked.bot, chat))
    return true
  }
}
