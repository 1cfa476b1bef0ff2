import { parentPort, Worker } from 'node:worker_threads'
import { concurrencyLimit } from './concurrency-limit.ts'
import { Refusal, type RefusalCode, type RefusalOptions } from './refusal.ts'

export type ThreadSettings = {
  /** The module that the thread runs: it calls `computeInThread`. */
  entry: URL
  /** For one computation: longer ones are ended and refused with VALIDATION_ERROR in the words of `tooMuch`. */
  durationMsMax: number
  waitingMax: number
  tooMuch: string
}

type Outcome =
  | { kind: 'result'; result: unknown }
  | { kind: 'refusal'; code: RefusalCode; options: RefusalOptions }
  | { kind: 'error'; error: unknown }
  | { kind: 'tooMuch' }

/** Node's number of a thread that has ended. */
const ended = -1
/** Many times what the longest texts need. A computation that needs more ends its thread, and not the process. */
const memoryMaxMb = 512

/**
 * A computation in a thread of its own, so that a hostile text costs its sender time and nobody else. One at a time;
 * refuses UNAVAILABLE when too many wait. The thread begins with the first computation, and no process waits for it.
 */
export function thread<Sent, Result>(settings: ThreadSettings): (sent: Sent) => Promise<Result> {
  const takeTurn = concurrencyLimit(1, settings.waitingMax)
  let idle: Worker | null = null

  const begin = (): Worker => {
    const worker = new Worker(settings.entry, { resourceLimits: { maxOldGenerationSizeMb: memoryMaxMb } })
    // Told to whoever waits, where somebody does: without this listener it would end the process.
    worker.on('error', () => undefined)
    return worker.on('exit', () => {
      if (idle === worker) idle = null
    })
  }
  const compute = async (sent: Sent): Promise<Result> => {
    const worker = idle ?? begin()
    idle = null
    worker.ref()
    const outcome = await outcomeOf(worker, sent, settings.durationMsMax)
    if (outcome.kind === 'tooMuch') await worker.terminate()
    else {
      worker.unref()
      idle = worker.threadId === ended ? null : worker
    }
    return resultOf(outcome, settings.tooMuch)
  }
  return (sent) => takeTurn(() => compute(sent))
}

async function outcomeOf(worker: Worker, sent: unknown, durationMsMax: number): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const timer = setTimeout(() => resolve({ kind: 'tooMuch' }), durationMsMax)
  const fail = (error: unknown) => {
    const isMemory = (error as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
    resolve(isMemory ? { kind: 'tooMuch' } : { kind: 'error', error })
  }
  const end = () => fail(new Error('A thread ended in the midst of its work.'))
  worker.on('message', resolve).on('error', fail).on('exit', end)
  worker.postMessage(sent)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    worker.off('message', resolve).off('error', fail).off('exit', end)
  }
}

function resultOf<Result>(outcome: Outcome, tooMuch: string): Result {
  switch (outcome.kind) {
    case 'result':
      return outcome.result as Result
    case 'refusal':
      throw new Refusal(outcome.code, outcome.options)
    case 'tooMuch':
      throw new Refusal('VALIDATION_ERROR', { detail: tooMuch })
    case 'error':
      throw outcome.error
  }
}

/** The other side: answers what is sent to this thread. Refusals arrive as refusals, all else as the error it is. */
export function computeInThread<Sent, Result>(compute: (sent: Sent) => Result): void {
  parentPort?.on('message', (sent: Sent) => parentPort?.postMessage(outcomeIn(compute, sent)))
}

function outcomeIn<Sent>(compute: (sent: Sent) => unknown, sent: Sent): Outcome {
  try {
    return { kind: 'result', result: compute(sent) }
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refusal', code: error.code, options: error.options }
    return { kind: 'error', error }
  }
}
