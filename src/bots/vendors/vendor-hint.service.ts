import type { TenantScope } from '../../storage/scope.ts'
import { isInside } from '../bot.rules.ts'
import type { BotMoves } from '../bots/bot-moves.ts'
import type { TakingDown } from '../bots/taking-down.ts'
import type { VendorName } from '../vendor.rules.ts'
import { isCurrent } from './run.rules.ts'
import { findRunOfExternal, writeHeard } from './run.store.ts'
import type { VendorLooks } from './vendor-looks.service.ts'

/** What a vendor's webhook says: something has changed, or somebody has decided in the chat. */
export type VendorHint = {
  vendor: VendorName
  externalId: string
  chat: { id: string; from: string; text: string } | null
}

type Deps = { moves: BotMoves; taking: TakingDown; looks: VendorLooks }

/** False: no bot is known by this id, or it is over. The next look finds what a hint would have said. */
export type TakeHint = (tx: TenantScope, hint: VendorHint) => Promise<boolean>

export function vendorHints({ moves, taking, looks }: Deps): TakeHint {
  return async (tx, { vendor, externalId, chat }) => {
    const run = await findRunOfExternal(tx, { vendor, externalId })
    if (run === null) return false
    await looks.enqueue(tx, run.id)
    if (chat === null || run.chatSeen.includes(chat.id)) return true
    const locked = await moves.lock(tx, run.botId)
    if (locked === null || !isCurrent(run, locked.bot) || !isInside(locked.bot.status)) return true
    await writeHeard(tx, run.id, { heardMs: run.heardMs, chatSeen: [...run.chatSeen, chat.id] })
    await moves.apply(tx, locked, await taking.readChat(tx, locked.bot, chat))
    return true
  }
}
