import { createHmac, randomBytes } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { utcDay } from '../../kernel/period.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { agreeOnSalt } from './salt.store.ts'
import { createVisitorHash, type VisitorHash } from './visitor-hash.rules.ts'

export type VisitorKeys = {
  /** Loads or creates the salts for the days of these times, and for the next day within the last hour. Rejects when the database fails. */
  load(moments: Date[]): Promise<void>
  /** Null until the day's salt is loaded. */
  of(at: Date): VisitorHash | null
}

const dayMs = 24 * 3600 * 1000
/** Load early, so that a busy database does not make the first visitors of a day anonymous. */
const aheadMs = 3600 * 1000

/**
 * The keys that hash visitors' addresses: the day's salt combined with a secret of the installation. Neither a copy of
 * the database nor the master key alone is enough to test addresses.
 */
export function visitorKeys(deps: { platform: PlatformScope; clock: Clock; secret: Buffer }): VisitorKeys {
  const { platform, clock, secret } = deps
  /** By the number of the day. */
  const keys = new Map<number, VisitorHash>()

  const load = async (dayNumber: number): Promise<void> => {
    const day = utcDay(new Date(dayNumber * dayMs))
    const salt = await agreeOnSalt(platform, { day, salt: randomBytes(32), now: clock.now() })
    keys.set(dayNumber, createVisitorHash(createHmac('sha256', secret).update(salt).digest()))
    // Yesterday's visits may still be written; older keys are dropped.
    const today = dayNumberAt(clock.now())
    for (const known of keys.keys()) if (known < today - 1) keys.delete(known)
  }

  return {
    load: async (moments) => {
      for (const number of new Set(moments.map(dayNumberAt))) if (!keys.has(number)) await load(number)
      const soon = dayNumberAt(new Date(clock.now().getTime() + aheadMs))
      // If it fails, the next visits try again.
      if (!keys.has(soon)) await load(soon).catch(() => undefined)
    },
    of: (at) => keys.get(dayNumberAt(at)) ?? null,
  }
}

function dayNumberAt(at: Date): number {
  return Math.floor(at.getTime() / dayMs)
}
