import type { TenantScope } from '../../storage/scope.ts'
import { grantScopes } from '../access/grants.ts'
import { toRefusal } from '../error-refusal.ts'
import type { ServerDeps } from '../server-deps.ts'
import { closeCode } from './close-codes.ts'
import type { OpenSocket, SocketHost } from './connection.ts'
import type { SocketSettings } from './socket-declaration.ts'
import { socketMetrics } from './socket-metrics.ts'

// How many connections are checked at once, so that requests have priority.
const checkedAtOnce = 8

export type OpenSockets = ReturnType<typeof openSockets>

/** All WebSocket connections of this process: their limits, regular access checks, and closing at shutdown. */
export function openSockets(
  { metrics, clock, log, handle }: Pick<ServerDeps, 'metrics' | 'clock' | 'log' | 'handle'>,
  { settings, admit, confirmAccess }: { settings: SocketSettings } & Pick<SocketHost, 'admit' | 'confirmAccess'>,
) {
  const open = new Set<OpenSocket>()
  const byUser = new Map<string, number>()
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
  const answers = new Map<string, Promise<void>>()
  const confirmOnce: SocketHost['confirmShared'] = (access, credentials) => {
    const name = [access.product, credentials.apiKey, credentials.bearer].join(' ')
    const answer = answers.get(name) ?? confirmAccess(access, credentials)
    answers.set(name, answer)
    return answer
  }

  const host: SocketHost = {
    settings,
    clock,
    metrics: socketMetrics(metrics, () => ({
      open: open.size,
      anonymous: [...open].filter((socket) => !socket.isAdmitted()).length,
    })),
    admit,
    confirmAccess,
    confirmShared: confirmOnce,
    tenantScope: (admitted, origin) => grantScopes(admitted, handle, origin)['scope'] as TenantScope,
    countUser: (userId) => {
      const next = (byUser.get(userId) ?? 0) + 1
      if (next > settings.socketsPerUserMax) return false
      byUser.set(userId, next)
      return true
    },
    removed: (socket, userId) => {
      open.delete(socket)
      const rest = userId === null ? 0 : (byUser.get(userId) ?? 1) - 1
      if (userId !== null && rest > 0) byUser.set(userId, rest)
      else if (userId !== null) byUser.delete(userId)
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
    isBelowUserLimit: (userId: string): boolean => (byUser.get(userId) ?? 0) < settings.socketsPerUserMax,
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
