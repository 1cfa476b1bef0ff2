import { setTimeout as delay } from 'node:timers/promises'
import { type counters, reportedPeers } from './counters.ts'
import type { Device } from './device.ts'
import type { Firewall } from './firewall.ts'
import type { Keeper } from './keeper.ts'
import { type Log, reasonOf } from './log.ts'
import { type Platform, PlatformRefused } from './platform.ts'
import { finalRefusal, pulling, type Refused } from './pulling.ts'
import type { State } from './state.ts'

export type Timing = { reportMs: number; reconcileMs: number }

type Deps = {
  state: State
  device: Device
  firewall: Firewall
  keeper: Keeper
  counters: ReturnType<typeof counters>
  platform: Platform
  log: Log
  timing: Timing
  wallMs: () => number
}

export type Agent = {
  /** Until `signal`, or until the platform wants no more of this agent. Tunnels stay. */
  run(signal: AbortSignal): Promise<'stopped' | Refused>
  /** Something is not as it should be with the interface. */
  repair(): void
}

/** Devices that were there are knocked at for this long, after the interface was made anew. */
const knockMs = 5_000
/** How exactly the end of a peer is kept. */
const endsMs = 500
const repairAgainMs = 1_000

export function agent(deps: Deps): Agent {
  const { state, device, firewall, keeper, log } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  let ending: 'stopped' | Refused = 'stopped'
  let repairing: Promise<void> | undefined
  let endpoints: Record<string, string> = {}

  const stop = (why: 'stopped' | Refused) => {
    if (!signal.aborted) ending = why
    stopping.abort()
  }
  /** The rules are there before the interface is up: no moment in which clients reach each other. */
  const setUp = async () => {
    const how = await device.ensure()
    await firewall.raise()
    await device.configure()
    device.watch(() => {
      log.warn('The program that makes the interface is gone')
      repair()
    })
    return how
  }
  const sync = async () => {
    let isNew = false
    await keeper.sync(async () => {
      isNew = (await setUp()) === 'made'
      return { isNew, endpoints: isNew ? endpoints : {} }
    })
    if (isNew) void quieten()
  }
  /**
   * A restarted WireGuard knows no session, and a device notices only when it gets no answer for 15 s. Knocked at where
   * it was last, it shakes hands at once; then it is left alone, as it was before.
   */
  const quieten = async () => {
    try {
      await delay(knockMs, undefined, { signal })
      await keeper.sync(async () => ({ isNew: false, endpoints: {} }))
    } catch (error) {
      if (!signal.aborted) log.warn('The interface was not synchronised', { reason: reasonOf(error) })
    }
  }
  const repairUntilDone = async () => {
    while (!signal.aborted) {
      try {
        await sync()
        log.info('The interface is in order')
        return
      } catch (error) {
        log.error('The interface cannot be set up', { reason: reasonOf(error) })
        await delay(repairAgainMs, undefined, { signal }).catch(() => undefined)
      }
    }
  }
  const repair = () => {
    if (signal.aborted) return
    repairing ??= repairUntilDone().finally(() => {
      repairing = undefined
    })
  }

  const look = async () => {
    if (repairing) return
    try {
      if (!(await firewall.isRaised())) {
        log.error('The firewall table was gone and is put back')
        await firewall.raise()
      }
      const dump = await keeper.observe()
      const seen = Object.fromEntries(
        dump.flatMap(({ publicKey, endpoint }) => (endpoint ? [[publicKey, endpoint]] : [])),
      )
      if (JSON.stringify(seen) !== JSON.stringify(endpoints)) await state.keepEndpoints(seen)
      endpoints = seen
    } catch (error) {
      log.warn('The interface does not answer', { reason: reasonOf(error) })
      repair()
    }
  }
  const report = async () => {
    await look()
    await sendReports(deps).catch((error) => {
      const why = finalRefusal(error)
      if (why) stop(why)
      // That the platform is away is said by who asks it for changes.
      else if (error instanceof PlatformRefused) log.warn('A report was not taken', { reason: error.message })
    })
  }

  return {
    repair,
    run: async (outer) => {
      outer.addEventListener('abort', () => stop('stopped'))
      endpoints = await state.endpoints()
      await sync()
      log.info('The interface is up', { revision: keeper.revision() })
      const reporting = every(deps.timing.reportMs, report, signal)
      const reconciling = every(deps.timing.reconcileMs, async () => repair(), signal)
      const ends = every(endsMs, keeper.removeEnded, signal)
      const { platform } = deps
      const pause = (ms: number) => delay(ms, undefined, { signal })
      await pulling({ keeper, platform, log, signal, onRefused: stop, random: Math.random, pause })
      device.unwatch()
      await Promise.allSettled([reporting, reconciling, ends, repairing])
      return ending
    },
  }
}

async function sendReports({ counters, platform, keeper, state, wallMs }: Deps): Promise<void> {
  // Bounded by the peers: while the platform is away only the latest counters are kept.
  for (let report = counters.next({ isFirst: true }); report !== undefined; report = counters.next()) {
    try {
      await platform.report({ seq: report.seq, peers: reportedPeers(report, wallMs() / 1000) })
    } catch (error) {
      // What is not taken once will not be taken again; the counters after it tell the same and more.
      if (error instanceof PlatformRefused && [400, 413, 422].includes(error.status)) counters.abandoned()
      throw error
    }
    counters.acknowledged()
    if (report.peers.length > 0) await state.keepCounters(counters.told(keeper.holds))
  }
}

/** The next begins when the one before has ended. */
async function every(periodMs: number, work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await delay(periodMs, undefined, { signal }).catch(() => undefined)
    if (!signal.aborted) await work().catch(() => undefined)
  }
}
