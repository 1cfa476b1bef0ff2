import { errorMessage, type Log } from './log.ts'
import type { PeerManager } from './peer-manager.ts'
import { type Platform, PlatformRefused } from './platform.ts'

/** Why the agent ends by itself. */
export type FinalRefusal = 'superseded' | 'token refused'

/** The reason of a permanent refusal; undefined for an error that may pass. */
export function finalRefusal(error: unknown): FinalRefusal | undefined {
  if (!(error instanceof PlatformRefused)) return undefined
  if (error.code === 'NODE_SUPERSEDED') return 'superseded'
  return error.status === 401 ? 'token refused' : undefined
}

type Deps = {
  peerManager: PeerManager
  platform: Platform
  log: Log
  signal: AbortSignal
  onRefused: (why: FinalRefusal) => void
  /** 0 to 1. */
  random: () => number
  /** Rejects when `signal` is aborted. */
  pause: (ms: number) => Promise<void>
}

/** How often a snapshot with withheld removals is fetched again. */
const withheldRetryMs = 5_000
/** The shortest pause after an immediate answer without news, so that the loop cannot spin. */
const idleMsMin = 200

/** Polls for changes and applies them until `signal`. Never rejects: failures are tried again. */
export async function pollLoop(deps: Deps): Promise<void> {
  const { peerManager, platform, log, signal } = deps
  let failures = 0
  // What was applied before a crash may not have been acknowledged.
  let isStatusDue = peerManager.revision() > 0

  const sendStatus = async () => {
    try {
      await platform.status(peerManager.status())
    } catch (error) {
      if (!(error instanceof PlatformRefused) || ![400, 422].includes(error.status)) throw error
      // The list of rejected peers may itself be invalid. The revision must be acknowledged all the same.
      await platform.status({ ...peerManager.status(), rejected: [] })
    }
    isStatusDue = false
  }
  const pollOnce = async () => {
    if (isStatusDue) await sendStatus()
    const before = peerManager.revision()
    const startedAt = performance.now()
    const answer = await platform.peers(before, signal)
    if (answer !== null && (await peerManager.apply(answer)) === 'waiting') return deps.pause(withheldRetryMs)
    if (answer !== null) {
      isStatusDue = true
      await sendStatus()
    }
    if (peerManager.revision() === before && performance.now() - startedAt < idleMsMin) {
      await deps.pause(idleMsMin)
    }
  }
  const recover = async (error: unknown) => {
    const why = finalRefusal(error)
    if (why) return deps.onRefused(why)
    if (error instanceof PlatformRefused && error.code === 'REVISION_AHEAD') {
      log.warn('The platform was restored to an older state; fetching all peers again')
      return peerManager.forgetRevision()
    }
    failures += 1
    if (failures === 1 || failures % 20 === 0) {
      log.warn('The platform is unreachable; tunnels stay up', { failures, reason: errorMessage(error) })
    }
    await deps.pause(backoffMs(failures, deps.random()))
  }

  while (!signal.aborted) {
    try {
      await pollOnce()
      if (failures > 0) log.info('The platform answers again', { failures })
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      await recover(error).catch(() => undefined)
    }
  }
}

/** 1 s, doubled up to 30 s, with jitter, so that not all agents return at the same moment. */
export function backoffMs(failures: number, random: number): number {
  const fullMs = Math.min(30_000, 1000 * 2 ** Math.min(failures - 1, 10))
  return Math.max(1000, fullMs * (0.5 + random / 2))
}
