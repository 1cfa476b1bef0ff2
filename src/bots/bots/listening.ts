import type { Clock } from '../../kernel/clock.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { recordLook } from './bot.store.ts'

/** A longer pause between two looks of any node means that the service was away. */
const breakMs = 20_000

/** Since when the service could hear runners without a break: nobody is silent while nobody listens. */
export function listening({ platform, clock }: { platform: PlatformScope; clock: Clock }) {
  // Until the first look nothing is known of a break.
  let since = new Date(0)
  return {
    since: () => since,
    /** To be called every few seconds. */
    look: async (): Promise<Date> => {
      since = await recordLook(platform, { now: clock.now(), breakMs })
      return since
    },
  }
}

export type Listening = ReturnType<typeof listening>
