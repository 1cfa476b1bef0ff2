// The provider: a process of its own that signs while it sends, over raw kept connections.
import { closedLoop, type Notice, type Tally } from './closed-loop.ts'
import { openConnection, requestBytes } from './connection.ts'
import { createDelivery, type Target } from './deliveries.ts'
import { arrivals, openLoop } from './open-loop.ts'
import { serveJobs } from './worker.ts'

export type DeliveryJob = {
  host: string
  port: number
  targets: Target[]
  /** Of this round alone, hexadecimal: deliveries of two rounds are never copies of each other. */
  name: string
  connections: number
  count: number
  /** Null: as fast as they are acknowledged. */
  perSecond: number | null
}

export type Delivered = Tally & { headBytes: number; bodyBytes: number }

serveJobs<DeliveryJob, Delivered>(
  async ({ host, port, targets, name, connections, count, perSecond }, notice: Notice) => {
    const opened = await Promise.all(Array.from({ length: connections }, () => openConnection({ host, port })))
    let headBytes = 0
    let bodyBytes = 0
    const call = async (caller: number, n: number) => {
      const { target, headers, body, kind } = createDelivery(n, { targets, name, now: new Date() })
      const request = requestBytes({ method: 'POST', path: target.path, headers, body }, `${host}:${port}`)
      const answer = await opened[caller]?.send(request)
      const status = kind === 'forged' ? 401 : 200
      if (answer?.status !== status)
        throw new Error(`${target.path} answered ${answer?.status} to what is ${kind}, not ${status}.`)
      if (kind === 'forged') return
      headBytes = answer.headBytes
      bodyBytes = answer.bodyBytes
    }
    try {
      const { latenciesMs: _, ...tally } =
        perSecond === null
          ? await closedLoop({ callers: connections, span: { kind: 'once', calls: count }, notice }, call)
          : await openLoop({ callers: connections, dueMs: arrivals({ count, perSecond }), notice }, call)
      return { ...tally, headBytes, bodyBytes }
    } finally {
      for (const connection of opened) connection.end()
    }
  },
)
