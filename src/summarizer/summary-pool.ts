import { Worker } from 'node:worker_threads'
import { concurrencyLimit } from '../kernel/concurrency-limit.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { Summary, SummaryRequest } from './summary.ts'

/** `script` is the worker's file; tests give one that never ends. */
export type SummaryPoolOptions = { workersMax: number; queueMax: number; timeoutMs: number; script?: URL }

export type SummaryPool = {
  /** Refuses as UNAVAILABLE when too many wait, when the time is over, and when the pool is closed. */
  summarize: (request: SummaryRequest) => Promise<Summary>
  /** How many threads run now: none before the first request. */
  workerCount: () => number
  /** Ends all threads; who still waits is refused. */
  close: () => Promise<void>
}

/** A summary of 100,000 words needs less than half of it; a thread that wants more ends, and the process lives. */
const memoryMaxMb = 384

/** Summaries in threads of their own, so that no transcript holds the event loop. Threads start when they are needed. */
export function summaryPool({ workersMax, queueMax, timeoutMs, script }: SummaryPoolOptions): SummaryPool {
  const url = script ?? new URL('./summary-worker.ts', import.meta.url)
  const inTurn = concurrencyLimit(workersMax, queueMax)
  const idle: Worker[] = []
  const workers = new Set<Worker>()
  let isClosed = false

  const start = () => {
    // Without the flags of the process: those of a test run would start the tests again.
    const worker = new Worker(url, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: memoryMaxMb } })
    workers.add(worker)
    worker.unref()
    worker.once('exit', () => {
      workers.delete(worker)
      const at = idle.indexOf(worker)
      if (at >= 0) idle.splice(at, 1)
    })
    return worker
  }

  const run = async (request: SummaryRequest): Promise<Summary> => {
    if (isClosed) throw new Refusal('UNAVAILABLE')
    const worker = idle.pop() ?? start()
    try {
      const summary = await answerOf(worker, request, timeoutMs)
      if (!isClosed) idle.push(worker)
      return summary
    } catch (error) {
      // What it is doing cannot be stopped in any other way.
      await worker.terminate()
      throw error
    }
  }

  return {
    summarize: (request) => inTurn(() => run(request)),
    workerCount: () => workers.size,
    close: async () => {
      isClosed = true
      await Promise.all([...workers].map((worker) => worker.terminate()))
    },
  }
}

/** One request, one answer: an end of the thread or of the time is UNAVAILABLE, a fault of the summarizer is thrown as it is. */
async function answerOf(worker: Worker, request: SummaryRequest, timeoutMs: number): Promise<Summary> {
  const { promise, resolve, reject } = Promise.withResolvers<Summary>()
  const unavailable = () => reject(new Refusal('UNAVAILABLE', { retryAfterSeconds: 1 }))
  const fail = (error: unknown) => (isOutOfMemory(error) ? unavailable() : reject(error))
  const timer = setTimeout(unavailable, timeoutMs)
  worker.once('message', resolve)
  worker.once('error', fail)
  worker.once('exit', unavailable)
  // A waiting request keeps the process alive, an idle thread does not.
  worker.ref()
  try {
    worker.postMessage(request)
    return await promise
  } finally {
    clearTimeout(timer)
    worker.unref()
    worker.off('message', resolve)
    worker.off('error', fail)
    worker.off('exit', unavailable)
  }
}

const isOutOfMemory = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
