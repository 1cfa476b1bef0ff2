import type { UsagePolicy } from '../../http/limits/usage-policy.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Metering } from '../../usage/index.ts'
import { type Bot, minutesNearlyUsedAt } from '../bot.rules.ts'

/** So many are taken from the quota at a time. */
const reservedMinutes = 15
/** How long a bot stays when its quota is used up, after it has said so. */
const quotaEndMs = 60_000

/** `usage`: the limits that hold for the minutes. */
type Taken = { bot: Bot; usage: UsagePolicy[] }

export type BotMinutes = ReturnType<typeof botMinutes>

/**
 * The minutes between admission and leaving: reserved in advance, and settled at the end. Each change has a key, so that it
 * counts once whatever is reported again.
 */
export function botMinutes({ clock, metering }: { clock: Clock; metering: Metering }) {
  const subject = ({ orgId, requestedBy }: Bot) => ({ orgId, userId: requestedBy })

  /** Takes up to 15 minutes, as many as there are. Null where there are none: then nothing is counted. */
  async function take(tx: TenantScope, bot: Bot): Promise<Taken | null> {
    const left = await metering.left(tx, { ...subject(bot), meter: 'botMinutes' })
    if (left !== null && left < 1) return null
    return count(tx, bot, Math.min(reservedMinutes, left ?? reservedMinutes))
  }

  async function count(tx: TenantScope, bot: Bot, minutes: number): Promise<Taken> {
    const at = clock.now()
    const before = bot.watch.reserved ?? []
    const key = `${bot.id}:${before.length}`
    const usage = await metering.count(tx, { ...subject(bot), at, key, amounts: { botMinutes: minutes } })
    const reserved = [...before, { at: at.toISOString(), minutes }]
    return { bot: { ...bot, watch: { ...bot.watch, reserved } }, usage }
  }

  /**
   * The first minutes. Refuses with USAGE_EXCEEDED where there are none. A bot whose meeting was moved while it was on its way
   * starts a second time, with those that it has.
   */
  const reserve = async (tx: TenantScope, bot: Bot): Promise<Taken> =>
    (bot.watch.reserved ?? []).length > 0
      ? { bot, usage: [] }
      : // The one that is too many says whose limit it is.
        ((await take(tx, bot)) ?? count(tx, bot, 1))

  /** More minutes for a bot whose reserved ones are nearly used. Without any: it has to leave soon. */
  async function extend(tx: TenantScope, bot: Bot): Promise<Bot> {
    const now = clock.now()
    const at = minutesNearlyUsedAt(bot)
    if (at === null || now < at) return bot
    const quotaEndsAt = new Date(now.getTime() + quotaEndMs).toISOString()
    const taken = await take(tx, bot)
    return taken?.bot ?? { ...bot, watch: { ...bot.watch, quotaEndsAt } }
  }

  /** Replaces what was reserved by the begun minutes, in the windows in which they were reserved. */
  async function settle(tx: TenantScope, bot: Bot): Promise<Bot> {
    let used = Math.ceil(bot.seconds / 60)
    for (const [index, { at, minutes }] of (bot.watch.reserved ?? []).entries()) {
      const kept = Math.min(used, minutes)
      used -= kept
      const key = `${bot.id}:${index}:unused`
      if (minutes > kept)
        await metering.uncount(tx, { ...subject(bot), at: new Date(at), key, amounts: { botMinutes: minutes - kept } })
    }
    const more = { ...subject(bot), at: clock.now(), key: `${bot.id}:more`, amounts: { botMinutes: used } }
    if (used > 0) await metering.countAnyway(tx, more)
    return { ...bot, watch: { ...bot.watch, reserved: [] } }
  }

  return { reserve, extend, settle }
}
