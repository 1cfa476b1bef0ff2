import { setTimeout as delay } from 'node:timers/promises'
import { type counters, reportedPeers } from './counters.ts'
import type { Device } from './device.ts'
import type { Firewall } from './firewall.ts'
import { errorMessage, type Log } from './log.ts'
import type { PeerManager } from './peer-manager.ts'
import { type Platform, PlatformRefused } from './platform.ts'
import { type FinalRefusal, finalRefusal, pollLoop } from './poll-loop.ts'
import type { State } from './state.ts'

export type Timing = { reportMs: number; reconcileMs: number }

type Deps = {
  state: State
  device: Device
  firewall: Firewall
  peerManager: PeerManager
  counters: ReturnType<typeof counters>
  platform: Platform
  log: Log
  timing: Timing
  wallMs: () => number
}

export type Agent = {
  /** Runs until `signal`, or until the platform refuses this agent for good. Tunnels stay up. */
  run(signal: AbortSignal): Promise<'stopped' | FinalRefusal>
  /** Checks and repairs the interface. */
  repair(): void
}

/** How long keepalives are sent to known devices after the interface was created again. */
const knockMs = 5_000
/** How often peers are checked for their end. */
const expiryCheckMs = 500
const repairRetryMs = 1_000

export function agent(deps: Deps): Agent {
  const { state, device, firewall, peerManager, log } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  let ending: 'stopped' | FinalRefusal = 'stopped'
  let repairing: Promise<void> | undefined
  let endpoints: Record<string, string> = {}

  const stop = (why: 'stopped' | FinalRefusal) => {
    if (!signal.aborted) ending = why
    stopping.abort()
  }
  /** Installs the firewall before the interface is up, so that clients can never reach each other. */
  const setUpInterface = async () => {
    const how = await device.ensure()
    await firewall.install()
    await device.configure()
    device.watch(() => {
      log.warn('The process that runs the interface has ended')
      repair()
    })
    return how
  }
  const sync = async () => {
    let isNew = false
    await peerManager.sync(async () => {
      isNew = (await setUpInterface()) === 'made'
      return { isNew, endpoints: isNew ? endpoints : {} }
    })
    device.keep()
    if (isNew) void stopKnocking()
  }
  /**
   * A restarted WireGuard knows no sessions, and a device notices only after 15 s without an answer. A keepalive to its
   * last endpoint makes it handshake at once. After a few seconds the keepalives stop.
   */
  const stopKnocking = async () => {
    try {
      await delay(knockMs, undefined, { signal })
      await peerManager.sync(async () => ({ isNew: false, endpoints: {} }))
    } catch (error) {
      if (!signal.aborted) log.warn('The interface could not be synchronised', { reason: errorMessage(error) })
    }
  }
  const repairUntilHealthy = async () => {
    while (!signal.aborted) {
      try {
        await sync()
        log.info('The interface is repaired')
        return
      } catch (error) {
        log.error('The interface cannot be set up', { reason: errorMessage(error) })
        await delay(repairRetryMs, undefined, { signal }).catch(() => undefined)
      }
    }
  }
  const repair = () => {
    if (signal.aborted) return
    repairing ??= repairUntilHealthy().finally(() => {
      repairing = undefined
    })
  }

  const inspectInterface = async () => {
    if (repairing) return
    try {
      if (!(await firewall.isInstalled())) {
        log.error('The firewall table was missing and is installed again')
        await firewall.install()
      }
      const dump = await peerManager.observe()
      const seen = Object.fromEntries(
        dump.flatMap(({ publicKey, endpoint }) => (endpoint ? [[publicKey, endpoint]] : [])),
      )
      if (JSON.stringify(seen) !== JSON.stringify(endpoints)) await state.saveEndpoints(seen)
      endpoints = seen
    } catch (error) {
      log.warn('The interface does not answer', { reason: errorMessage(error) })
      repair()
    }
  }
  const report = async () => {
    await inspectInterface()
    await sendReports(deps).catch((error) => {
      const why = finalRefusal(error)
      if (why) stop(why)
      // The poll loop already logs that the platform is unreachable.
      else if (error instanceof PlatformRefused) log.warn('The platform refused a report', { reason: error.message })
    })
  }

  return {
    repair,
    run: async (outer) => {
      if (outer.aborted) return 'stopped'
      outer.addEventListener('abort', () => stop('stopped'))
      try {
        endpoints = await state.endpoints()
        await sync()
        log.info('The interface is up', { revision: peerManager.revision() })
        const reporting = repeat(deps.timing.reportMs, report, signal)
        const reconciling = repeat(deps.timing.reconcileMs, async () => repair(), signal)
        const ends = repeat(expiryCheckMs, peerManager.removeEnded, signal)
        const { platform } = deps
        const pause = (ms: number) => delay(ms, undefined, { signal })
        await pollLoop({ peerManager, platform, log, signal, onRefused: stop, random: Math.random, pause })
        await Promise.allSettled([reporting, reconciling, ends, repairing])
        return ending
      } finally {
        stop(ending)
        device.unwatch()
      }
    },
  }
}

async function sendReports({ counters, platform, peerManager, state, wallMs }: Deps): Promise<void> {
  // Memory is bounded: while the platform is unreachable only the latest counters are kept.
  for (let report = counters.next({ isFirst: true }); report !== undefined; report = counters.next()) {
    try {
      await platform.report({ seq: report.seq, peers: reportedPeers(report, wallMs() / 1000) })
    } catch (error) {
      // The platform would refuse it again; later counters include it.
      if (error instanceof PlatformRefused && [400, 413, 422].includes(error.status)) counters.abandoned()
      throw error
    }
    counters.acknowledged()
    if (report.peers.length > 0) await state.saveCounters(counters.reportedCounters(peerManager.holds))
  }
}

/** Waits `periodMs` between the end of one run and the start of the next. */
async function repeat(periodMs: number, work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await delay(periodMs, undefined, { signal }).catch(() => undefined)
    if (!signal.aborted) await work().catch(() => undefined)
  }
}
