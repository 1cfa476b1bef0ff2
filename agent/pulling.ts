import type { Keeper } from './keeper.ts'
import { type Log, reasonOf } from './log.ts'
import { type Platform, PlatformRefused } from './platform.ts'

/** Why an agent ends without having been told to. */
export type Refused = 'superseded' | 'token refused'

/** What the platform says once and for all; undefined for what may be otherwise in a moment. */
export function finalRefusal(error: unknown): Refused | undefined {
  if (!(error instanceof PlatformRefused)) return undefined
  if (error.code === 'NODE_SUPERSEDED') return 'superseded'
  return error.status === 401 ? 'token refused' : undefined
}

type Deps = {
  keeper: Keeper
  platform: Platform
  log: Log
  signal: AbortSignal
  onRefused: (why: Refused) => void
  /** 0 to 1. */
  random: () => number
  /** Rejects when `signal` is aborted. */
  pause: (ms: number) => Promise<void>
}

/** How often a snapshot is asked for again whose removals wait. */
const waitingMs = 5_000
/** An answer that says nothing new at once, again and again, must not keep a processor busy. */
const idleMsMin = 200

/** Asks for changes and applies them until `signal`. Rejects with nothing: whatever fails is tried again. */
export async function pulling(deps: Deps): Promise<void> {
  const { keeper, platform, log, signal } = deps
  let failures = 0
  // What was applied before a crash may never have been acknowledged.
  let isStatusDue = keeper.revision() > 0

  const tellStatus = async () => {
    try {
      await platform.status(keeper.status())
    } catch (error) {
      if (!(error instanceof PlatformRefused) || ![400, 422].includes(error.status)) throw error
      // The list of bad peers may itself be bad. The revision has to be acknowledged all the same.
      await platform.status({ ...keeper.status(), rejected: [] })
    }
    isStatusDue = false
  }
  const pullOnce = async () => {
    if (isStatusDue) await tellStatus()
    const before = keeper.revision()
    const startedAt = performance.now()
    const answer = await platform.peers(before, signal)
    if (answer !== null && (await keeper.apply(answer)) === 'waiting') return deps.pause(waitingMs)
    if (answer !== null) {
      isStatusDue = true
      await tellStatus()
    }
    if (keeper.revision() === before && performance.now() - startedAt < idleMsMin) {
      await deps.pause(idleMsMin)
    }
  }
  const recover = async (error: unknown) => {
    const why = finalRefusal(error)
    if (why) return deps.onRefused(why)
    if (error instanceof PlatformRefused && error.code === 'REVISION_AHEAD') {
      log.warn('The platform was set back to an older state; its peers are asked for anew')
      return keeper.forgetRevision()
    }
    failures += 1
    if (failures === 1 || failures % 20 === 0) {
      log.warn('The platform cannot be asked; tunnels stay', { failures, reason: reasonOf(error) })
    }
    await deps.pause(backOffMs(failures, deps.random()))
  }

  while (!signal.aborted) {
    try {
      await pullOnce()
      if (failures > 0) log.info('The platform answers again', { failures })
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      await recover(error).catch(() => undefined)
    }
  }
}

/** 1 s, then doubled up to 30 s; spread, so that all agents do not come back to a platform at one moment. */
export function backOffMs(failures: number, random: number): number {
  const fullMs = Math.min(30_000, 1000 * 2 ** Math.min(failures - 1, 10))
  return Math.max(1000, fullMs * (0.5 + random / 2))
}
