import type { Clock } from '../../kernel/clock.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { recordCheck } from './bot.store.ts'

/** A longer pause between two checks by any node means that the service was down. */
const breakMs = 20_000

/** Since when the service could hear runners without a break: nobody is silent while nobody listens. */
export function listening({ platform, clock }: { platform: PlatformScope; clock: Clock }) {
  // Until the first check nothing is known of a break.
  let since = new Date(0)
  return {
    since: () => since,
    /** To be called every few seconds. */
    check: async (): Promise<Date> => {
      since = await recordCheck(platform, { now: clock.now(), breakMs })
      return since
    },
  }
}

export type Listening = ReturnType<typeof listening>
