import type { Clock } from '../../kernel/clock.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Secrets } from '../../storage/secrets.ts'
import type { Bot } from '../bot.rules.ts'
import { findSealedLink } from '../bots/bot.store.ts'
import type { BotTransitions } from '../bots/bot-transitions.ts'
import { linkContext } from '../bots/link-seal.ts'
import { interrupt, transition } from '../bots/transitions.rules.ts'
import {
  type AskVendor,
  type Created,
  type VendorAdapter,
  type VendorSearch,
  VendorUnreachable,
} from '../providers/vendor.ts'
import { isCurrent, type VendorRun } from './run.rules.ts'
import { closeRun, markAsked, markNotAsked, planPoll, writeExternalId } from './run.store.ts'
import { strictly } from './vendor-busy.ts'
import { vendorEvent } from './vendor-event.ts'

type Deps = { clock: Clock; secrets: Secrets; transitions: BotTransitions }
export type Ordering = { run: VendorRun; bot: Bot | null; adapter: VendorAdapter; hookUrl: string | null }

const soonMs = 3000
const busyMs = 10_000
/** A request whose answer was lost may still be under way for as long. */
const underWayMs = 20_000
/** For so long the vendor is asked for a bot that is no longer wanted, before it counts as never created. */
const searchMs = 300_000

/**
 * Orders a bot at its vendor, exactly once: what was asked for is written down first, and after a lost answer the vendor
 * is asked for the bot of that order before it is ordered again.
 */
export function vendorOrders({ clock, secrets, transitions }: Deps) {
  /** @param ask a failure of it is an answer, as the vendor may have done what it was asked */
  async function order(scope: TenantScope, ask: AskVendor, { run, bot, adapter, hookUrl }: Ordering): Promise<void> {
    const now = clock.now()
    if (!isCurrent(run, bot)) return unwanted(scope, ask, { run, adapter })
    const sealed = await findSealedLink(scope, bot.id)
    if (sealed === null) return closeRun(scope, run.id, { now, isErased: true })
    const { displayName, autoLeave, consent } = bot
    const link = secrets.open(sealed, linkContext(bot))
    const wanted = { ...searchOf(run, now), link, displayName, notice: consent.message, autoLeave, hookUrl }
    if (!(await markAsked(scope, run.id, now))) {
      const found = await adapter.find(strictly(ask), wanted)
      if (found !== null) return adopt(scope, run, found)
      if (now.getTime() - wanted.askedAt.getTime() < underWayMs) return later(scope, run, soonMs)
    }
    const created = await adapter.create(ask, wanted).catch(lostAnswer)
    switch (created.kind) {
      case 'created':
        return adopt(scope, run, created.id)
      case 'exists': {
        const found = await adapter.find(strictly(ask), wanted)
        return found === null ? later(scope, run, busyMs) : adopt(scope, run, found)
      }
      case 'busy':
        await markNotAsked(scope, run.id)
        return later(scope, run, created.retryAfterMs ?? busyMs)
      case 'unknown':
        return later(scope, run, soonMs)
      case 'refused':
        return refused(scope, run, created.detail)
    }
  }

  const later = (scope: TenantScope, run: VendorRun, ms: number) =>
    planPoll(scope, run.id, { at: new Date(clock.now().getTime() + ms) })

  /** The bot is no longer wanted, and nobody knows whether there is one. */
  async function unwanted(
    scope: TenantScope,
    ask: AskVendor,
    { run, adapter }: Pick<Ordering, 'run' | 'adapter'>,
  ): Promise<void> {
    const now = clock.now()
    if (run.askedAt === null || now.getTime() - run.askedAt.getTime() > searchMs)
      return closeRun(scope, run.id, { now, isErased: true })
    const found = await adapter.find(strictly(ask), searchOf(run, now))
    if (found === null) return later(scope, run, busyMs)
    await adopt(scope, run, found)
  }

  /** From now on the vendor's bot is known. If it is no longer wanted, the next poll makes it leave. */
  const adopt = (scope: TenantScope, run: VendorRun, externalId: string): Promise<void> =>
    transaction(scope, async (tx) => {
      const locked = await transitions.lock(tx, run.botId)
      if (!(await writeExternalId(tx, { ...run, externalId }))) return later(tx, run, busyMs)
      await planPoll(tx, run.id, { at: new Date(clock.now().getTime() + soonMs) })
      if (!isCurrent(run, locked?.bot ?? null) || locked === null) return
      const now = clock.now()
      const step = transition(locked.bot, { to: 'joining', now: run.askedAt ?? now })
      if (step !== null)
        await transitions.apply(tx, locked, {
          ...step,
          events: [...step.events, vendorEvent(now, 'ordered', externalId)],
        })
    })

  const refused = (scope: TenantScope, run: VendorRun, detail: string): Promise<void> =>
    transaction(scope, async (tx) => {
      const locked = await transitions.lock(tx, run.botId)
      await closeRun(tx, run.id, { now: clock.now(), isErased: true, error: detail })
      if (locked === null || !isCurrent(run, locked.bot)) return
      const step = interrupt(locked.bot, { reason: 'VENDOR_ERROR', detail, now: clock.now() })
      if (step !== null) await transitions.apply(tx, locked, step)
    })

  return { order }
}

/** Nobody knows whether there is a bot now. */
function lostAnswer(error: unknown): Created {
  if (error instanceof VendorUnreachable) return { kind: 'unknown' }
  throw error
}

function searchOf({ id, room, platform, askedAt }: VendorRun, now: Date): VendorSearch {
  return { key: id, room, platform, askedAt: askedAt ?? now }
}
