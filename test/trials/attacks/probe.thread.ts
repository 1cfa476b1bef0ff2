import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

// A thread, so that the attacker's work in the main thread does not delay the questions.

export type ProbeTarget = { base: string; honest: { headers: Record<string, string>; body: string } }

/** What callers saw since the last report. */
export type Probed = {
  /** The longest time in which `GET /health/live` was not answered. */
  liveMs: number
  honestAsked: number
  /** The answers other than 200 that the honest caller got, by how often. */
  honestRefused: Record<string, number>
}

const { base, honest } = workerData as ProbeTarget
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
const honestAgent = new Agent({ keepAlive: true, localAddress: '127.0.0.2' })
let seen = nothingYet()
const pending = new Set<number>()

function nothingYet(): Probed {
  return { liveMs: 0, honestAsked: 0, honestRefused: {} }
}

function askLive(): void {
  const startedAt = performance.now()
  pending.add(startedAt)
  const end = () => {
    if (pending.delete(startedAt)) seen.liveMs = Math.max(seen.liveMs, performance.now() - startedAt)
  }
  request(`${base}/health/live`, { agent }, (answer) => answer.resume().on('end', end))
    .on('error', end)
    .end()
}

function askHonestly(): void {
  const { headers, body } = honest
  const end = (status: number | string) => {
    seen.honestAsked++
    if (status !== 200) seen.honestRefused[status] = (seen.honestRefused[status] ?? 0) + 1
  }
  request(`${base}/vault/v1/licenses/validate`, { method: 'POST', agent: honestAgent, headers }, (answer) => {
    answer.resume().on('end', () => end(answer.statusCode ?? 0))
  })
    .on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
    .end(body)
}

setInterval(askLive, 10)
setInterval(askHonestly, 50)
parentPort?.on('message', () => {
  for (const startedAt of pending) seen.liveMs = Math.max(seen.liveMs, performance.now() - startedAt)
  parentPort?.postMessage(seen)
  seen = nothingYet()
})
