import { createHmac, randomBytes } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { utcDay } from '../../kernel/period.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { agreeOnSalt } from './salt.store.ts'
import { type VisitorHash, visitorHashOf } from './visitor-hash.rules.ts'

export type VisitorKeys = {
  /** Reads or makes the salts of the days of these moments, and of the day that begins within the hour; fails when the database does. */
  load(moments: Date[]): Promise<void>
  /** Null until the day's was loaded. */
  of(at: Date): VisitorHash | null
}

const dayMs = 24 * 3600 * 1000
/** A busy database must not make the first visitors of a day nobody. */
const aheadMs = 3600 * 1000

/**
 * What the addresses of a day's visitors are hashed with: the day's salt and a secret of the installation, so that
 * neither a copy of the database nor the master key alone is enough to try addresses out.
 */
export function visitorKeys(deps: { platform: PlatformScope; clock: Clock; secret: Buffer }): VisitorKeys {
  const { platform, clock, secret } = deps
  /** By the number of the day. */
  const keys = new Map<number, VisitorHash>()

  const load = async (dayNumber: number): Promise<void> => {
    const day = utcDay(new Date(dayNumber * dayMs))
    const salt = await agreeOnSalt(platform, { day, salt: randomBytes(32), now: clock.now() })
    keys.set(dayNumber, visitorHashOf(createHmac('sha256', secret).update(salt).digest()))
    // Yesterday's visits may be written late; older keys are forgotten.
    const today = numberOf(clock.now())
    for (const known of keys.keys()) if (known < today - 1) keys.delete(known)
  }

  return {
    load: async (moments) => {
      for (const number of new Set(moments.map(numberOf))) if (!keys.has(number)) await load(number)
      const soon = numberOf(new Date(clock.now().getTime() + aheadMs))
      // Without it there is another try with the next visits.
      if (!keys.has(soon)) await load(soon).catch(() => undefined)
    },
    of: (at) => keys.get(numberOf(at)) ?? null,
  }
}

function numberOf(at: Date): number {
  return Math.floor(at.getTime() / dayMs)
}
