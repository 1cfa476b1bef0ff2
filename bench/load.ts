// The load generator: a process of its own over raw kept connections, so that little of the machine goes to it.
import { closedLoop, type Notice, type Span, type Tally } from './closed-loop.ts'
import { openConnection, requestBytes, type Wire } from './connection.ts'
import { serveJobs } from './worker.ts'

export type Job = {
  host: string
  port: number
  /** Sent in turn; each connection begins at another one. */
  requests: Wire[]
  connections: number
  span: Span
  /** Any other status ends the run: a server that refuses is fast. */
  status: number
}

export type Load = Tally & { latenciesMs: number[]; headBytes: number; bodyBytes: number }

serveJobs<Job, Load>(async ({ host, port, requests, connections, span, status }, notice: Notice) => {
  const buffers = requests.map((request) => requestBytes(request, `${host}:${port}`))
  const opened = await Promise.all(Array.from({ length: connections }, () => openConnection({ host, port })))
  let headBytes = 0
  let bodyBytes = 0
  const strides = buffers.length / connections
  const requestAt = (caller: number, call: number) =>
    span.kind === 'once' ? call : (Math.floor(caller * strides) + call) % buffers.length
  try {
    const tally = await closedLoop({ callers: connections, span, notice }, async (caller, call) => {
      const at = requestAt(caller, call)
      const answer = await opened[caller]?.send(buffers[at] as Buffer)
      if (answer?.status !== status) {
        throw new Error(`${requests[at]?.method} ${requests[at]?.path} answered ${answer?.status}, not ${status}.`)
      }
      headBytes = answer.headBytes
      bodyBytes = answer.bodyBytes
    })
    return { ...tally, latenciesMs: span.kind === 'once' ? tally.latenciesMs : [], headBytes, bodyBytes }
  } finally {
    for (const connection of opened) connection.end()
  }
})
