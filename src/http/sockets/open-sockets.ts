import type { TenantScope } from '../../storage/scope.ts'
import { grantScopes } from '../access/grants.ts'
import { toRefusal } from '../error-refusal.ts'
import type { ServerDeps } from '../server-deps.ts'
import { closeCode } from './close-codes.ts'
import { frameShares, threadMs } from './frame-shares.ts'
import { frameTurns } from './frame-turns.ts'
import { socketCounts } from './socket-counts.ts'
import type { SocketSettings } from './socket-declaration.ts'
import type { OpenSocket, SocketHost } from './socket-host.ts'
import { socketMetrics } from './socket-metrics.ts'

// How many connections are checked at once, so that requests have priority.
const checkedAtOnce = 8

export type OpenSockets = ReturnType<typeof openSockets>

/** All WebSocket connections of this process: their limits, regular access checks, and closing at shutdown. */
export function openSockets(
  { metrics, clock, log, loop, handle }: Pick<ServerDeps, 'metrics' | 'clock' | 'log' | 'loop' | 'handle'>,
  { settings, ...access }: { settings: SocketSettings } & Pick<SocketHost, 'admit' | 'chargeFrame' | 'confirmAccess'>,
) {
  const open = new Set<OpenSocket>()
  const counts = socketCounts(settings)
  const turns = frameTurns()
  const shares = frameShares({ msPerSecond: settings.frameMsPerSecond, atOnceMs: settings.frameMsAtOnceMax, clock })
  const timers: NodeJS.Timeout[] = []
  let emptied: (() => void) | null = null

  const everyMs = (ms: number, work: () => void) => timers.push(setInterval(work, ms).unref())
  const startTimers = (): void => {
    if (timers.length > 0) return
    everyMs(settings.accessCheckMs, () => void sweep())
    everyMs(settings.pingIntervalMs, () => {
      for (const { wire } of open) wire.ping()
    })
  }

  let isSweeping = false
  const sweep = async (): Promise<void> => {
    for (const { wire } of open) wire.closeIfSlow()
    shares.forgetIdle()
    if (isSweeping) return // the database is slow: what was asked is still on its way
    isSweeping = true
    answers.clear()
    const queue = [...open]
    const ask = async () => {
      for (let socket = queue.pop(); socket !== undefined; socket = queue.pop()) await socket.checkAccess()
    }
    await Promise.all(Array.from({ length: checkedAtOnce }, ask))
    isSweeping = false
  }
  /** Connections with the same token share one check. */
  const answers = new Map<string, Promise<unknown>>()
  const confirmOnce: SocketHost['confirmShared'] = async (rule, credentials) => {
    const name = [rule.product, credentials.apiKey, credentials.bearer].join(' ')
    const answer = answers.get(name) ?? access.confirmAccess(rule, credentials)
    answers.set(name, answer)
    await answer
  }

  const host: SocketHost = {
    loop,
    settings,
    clock,
    metrics: socketMetrics(metrics, () => ({
      open: open.size,
      anonymous: [...open].filter((socket) => !socket.isAdmitted()).length,
    })),
    ...access,
    confirmShared: confirmOnce,
    tenantScope: (admitted, origin) => grantScopes(admitted, handle, origin)['scope'] as TenantScope,
    count: counts.add,
    readFrame: ({ share, turn }, read) =>
      turns.take(turn, () => {
        const beganMs = threadMs()
        const frame = read()
        return { ...frame, isCovered: shares.spend(share, threadMs() - beganMs) }
      }),
    removed: (socket, admitted) => {
      open.delete(socket)
      if (admitted !== null) counts.remove(admitted)
      if (open.size === 0) emptied?.()
    },
    toRefusal: (error, about) => {
      const refusal = toRefusal(error)
      if (refusal.code === 'INTERNAL') log.error({ ...about, err: error }, 'a frame failed')
      return refusal
    },
  }

  return {
    host,
    isBelowLimit: (): boolean => open.size < settings.socketsMax,
    requireRoom: counts.requireRoom,
    add: (socket: OpenSocket): void => {
      open.add(socket)
      startTimers()
    },
    /** Asks every client to connect elsewhere, and waits until they have disconnected. */
    close: async (): Promise<void> => {
      for (const timer of timers.splice(0)) clearInterval(timer)
      if (open.size === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      emptied = resolve
      for (const { wire } of open) wire.close(closeCode.RESTART, 'RESTART')
      await promise
    },
  }
}
