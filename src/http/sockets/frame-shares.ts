import type { Clock } from '../../kernel/clock.ts'

/** A user's share of the processor, or an address's before there is a user. */
type Share = { leftMs: number; filledMs: number }

/** The processor time that frames of one caller may cost, over all its connections. What is not used is saved, up to `atOnceMs`. */
export function frameShares({ msPerSecond, atOnceMs, clock }: { msPerSecond: number; atOnceMs: number; clock: Clock }) {
  const shares = new Map<string, Share>()

  const refill = (share: Share): void => {
    const nowMs = clock.now().getTime()
    // A clock that was set back adds nothing.
    share.leftMs = Math.min(atOnceMs, share.leftMs + (Math.max(0, nowMs - share.filledMs) * msPerSecond) / 1000)
    share.filledMs = nowMs
  }

  return {
    /** Whether the caller's share still covered the cost. */
    spend: (caller: string, costMs: number): boolean => {
      const share = shares.get(caller) ?? { leftMs: atOnceMs, filledMs: clock.now().getTime() }
      refill(share)
      share.leftMs -= costMs
      shares.set(caller, share)
      return share.leftMs >= 0
    },
    /** Forgets callers whose share is whole again. Their connections may have ended long ago. */
    forgetIdle: (): void => {
      for (const [caller, share] of shares) {
        refill(share)
        if (share.leftMs === atOnceMs) shares.delete(caller)
      }
    },
  }
}

/** Processor time of this thread, in milliseconds. Unlike elapsed time it does not grow while other programs run. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
