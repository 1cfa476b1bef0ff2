import type { Clock } from '../../kernel/clock.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Metering } from '../../usage/index.ts'
import { type Bot, minutesNearlyUsedAt } from '../bot.rules.ts'

/** So many are taken from the quota at a time. */
const reservedMinutes = 15
/** How long a bot stays when its quota is used up, after it has said so. */
const quotaEndMs = 60_000

export type BotMinutes = ReturnType<typeof botMinutes>

/** The minutes between admission and leaving: reserved in advance, and settled at the end. */
export function botMinutes({ clock, metering }: { clock: Clock; metering: Metering }) {
  const subject = ({ orgId, requestedBy }: Bot) => ({ orgId, userId: requestedBy })

  /** Takes up to 15 minutes, as many as there are. Null where there are none: then nothing is counted. */
  async function take(tx: TenantScope, bot: Bot): Promise<Bot | null> {
    const left = await metering.left(tx, { ...subject(bot), meter: 'botMinutes' })
    if (left !== null && left < 1) return null
    return count(tx, bot, Math.min(reservedMinutes, left ?? reservedMinutes))
  }

  async function count(tx: TenantScope, bot: Bot, minutes: number): Promise<Bot> {
    const at = clock.now()
    await metering.count(tx, { ...subject(bot), at, amounts: { botMinutes: minutes } })
    const reserved = [...(bot.watch.reserved ?? []), { at: at.toISOString(), minutes }]
    return { ...bot, watch: { ...bot.watch, reserved } }
  }

  /** The first minutes. Refuses with USAGE_EXCEEDED where there are none. */
  const reserve = async (tx: TenantScope, bot: Bot): Promise<Bot> =>
    // The one that is too many says whose limit it is.
    (await take(tx, bot)) ?? count(tx, bot, 1)

  /** More minutes for a bot whose reserved ones are nearly used. Without any: it has to leave soon. */
  async function extend(tx: TenantScope, bot: Bot): Promise<Bot> {
    const now = clock.now()
    const at = minutesNearlyUsedAt(bot)
    if (at === null || now < at) return bot
    const quotaEndsAt = new Date(now.getTime() + quotaEndMs).toISOString()
    return (await take(tx, bot)) ?? { ...bot, watch: { ...bot.watch, quotaEndsAt } }
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
