import type { Clock } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Metering } from '../../usage/index.ts'
import { type Bot, secondsInside } from '../bot.rules.ts'

/** So many are taken from the quota at a time. */
const reservedMinutes = 15
/** How long a bot stays when its quota is used up, after it has said so. */
const quotaEndMs = 60_000

export type BotMinutes = ReturnType<typeof botMinutes>

/** The minutes between admission and leaving: reserved in advance, and settled at the end. */
export function botMinutes({ clock, metering }: { clock: Clock; metering: Metering }) {
  const subject = ({ orgId, requestedBy }: Bot) => ({ orgId, userId: requestedBy })

  /** Takes up to 15 minutes, as many as there are. Refuses with USAGE_EXCEEDED where there are none. */
  async function reserve(tx: TenantScope, bot: Bot): Promise<Bot> {
    const at = clock.now()
    const take = async (minutes: number): Promise<Bot> => {
      await metering.count(tx, { ...subject(bot), at, amounts: { botMinutes: minutes } })
      const reserved = [...(bot.watch.reserved ?? []), { at: at.toISOString(), minutes }]
      return { ...bot, watch: { ...bot.watch, reserved } }
    }
    try {
      return await take(reservedMinutes)
    } catch (error) {
      const usage = error instanceof Refusal ? error.options.usage : undefined
      const left = usage === undefined ? 0 : Math.floor(usage.limit - usage.used)
      if (left < 1 || left >= reservedMinutes) throw error
      return take(left)
    }
  }

  /** More minutes for a bot whose reserved ones are nearly used. Without any: it has to leave soon. */
  async function extend(tx: TenantScope, bot: Bot): Promise<Bot> {
    const now = clock.now()
    const reserved = (bot.watch.reserved ?? []).reduce((sum, { minutes }) => sum + minutes, 0)
    if (bot.watch.quotaEndsAt || secondsInside(bot, now) < reserved * 60 - 30) return bot
    try {
      return await reserve(tx, bot)
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'USAGE_EXCEEDED')) throw error
      const quotaEndsAt = new Date(now.getTime() + quotaEndMs).toISOString()
      return { ...bot, watch: { ...bot.watch, quotaEndsAt } }
    }
  }

  /** Replaces what was reserved by the begun minutes, in the windows in which they were reserved. */
  async function settle(tx: TenantScope, bot: Bot): Promise<Bot> {
    let used = Math.ceil(bot.seconds / 60)
    for (const { at, minutes } of bot.watch.reserved ?? []) {
      const kept = Math.min(used, minutes)
      used -= kept
      const unused = { ...subject(bot), at: new Date(at), amounts: { botMinutes: minutes - kept } }
      if (minutes > kept) await metering.uncount(tx, unused)
    }
    if (used > 0) await metering.countAnyway(tx, { ...subject(bot), at: clock.now(), amounts: { botMinutes: used } })
    return { ...bot, watch: { ...bot.watch, reserved: [] } }
  }

  return { reserve, extend, settle }
}
