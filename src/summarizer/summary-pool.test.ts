import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { incident } from '../../test/meetings/written.ts'
import { Refusal } from '../kernel/refusal.ts'
import { summarize } from './summarize.ts'
import type { SummaryRequest } from './summary.ts'
import { type SummaryPoolOptions, summaryPool } from './summary-pool.ts'

const request: SummaryRequest = { title: 'Review', transcript: incident, mode: 'short', personality: 'neutral' }
const scriptOf = (source: string) =>
  new URL(`data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'; ${source}`)}`)
const endless = scriptOf("parentPort.on('message', () => { while (true); })")
const failing = scriptOf("parentPort.on('message', () => { throw new Error('a fault') })")

function aPool(options: Partial<SummaryPoolOptions> = {}) {
  const pool = summaryPool({ workersMax: 1, queueMax: 1, timeoutMs: 20_000, ...options })
  after(() => pool.close())
  return pool
}
const isUnavailable = (error: unknown) => error instanceof Refusal && error.code === 'UNAVAILABLE'

test('a summary from a thread equals a direct one, and no thread runs before the first request', async () => {
  const pool = aPool()
  assert.equal(pool.workerCount(), 0)
  assert.deepEqual(await pool.summarize(request), summarize(request))
  await pool.summarize(request)
  assert.equal(pool.workerCount(), 1, 'a thread is used again')
})

test('a summary that takes too long is refused, its thread ends, and the next request gets a new one', async () => {
  const pool = aPool({ script: endless, timeoutMs: 50 })
  await assert.rejects(pool.summarize(request), isUnavailable)
  assert.equal(pool.workerCount(), 0)
  await assert.rejects(pool.summarize(request), isUnavailable)
})

test('more requests than the queue holds are refused at once, and those in it are answered', async () => {
  const pool = aPool()
  const running = pool.summarize(request)
  const waiting = pool.summarize(request)
  await assert.rejects(pool.summarize(request), isUnavailable)
  assert.equal((await running).text, (await waiting).text)
})

test('an error of the summarizer reaches the caller, and the pool goes on', async () => {
  const pool = aPool({ script: failing })
  await assert.rejects(pool.summarize(request), /a fault/)
  await assert.rejects(pool.summarize(request), /a fault/)
})

test('closing ends the threads and refuses waiting and later requests', async () => {
  const pool = aPool({ script: endless })
  const running = assert.rejects(pool.summarize(request), isUnavailable)
  const waiting = assert.rejects(pool.summarize(request), isUnavailable)
  await pool.close()
  await Promise.all([running, waiting])
  await assert.rejects(pool.summarize(request), isUnavailable)
  assert.equal(pool.workerCount(), 0)
})
