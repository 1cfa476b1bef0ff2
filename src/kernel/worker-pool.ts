import { parentPort, Worker } from 'node:worker_threads'
import { concurrencyLimit } from './concurrency-limit.ts'
import { Refusal, type RefusalCode, type RefusalOptions } from './refusal.ts'

export type WorkerPoolSettings = {
  /** The module that each thread runs: it calls `answerInWorker`. */
  entry: URL
  /** Threads at once. Default: 1. */
  workersMax?: number
  /** Tasks that may wait for a thread. */
  queueMax: number
  /** For one task, without the time in the queue. */
  timeoutMs: number
  /** Of one thread. The default is many times what the longest texts need. */
  memoryMaxMb?: number
  /** A thread that had no task for so long is terminated: it keeps some 40 MB. */
  idleMsMax?: number
  /** What a task is refused with that takes too much time or memory. Its thread is terminated. */
  overLimit(): Refusal
}

export type WorkerPool<Task, Result> = {
  /**
   * Refuses UNAVAILABLE when too many tasks wait, and when the pool is closed.
   * @param bytes the thread gets a copy of them, made when it is its turn: those that wait take no more memory.
   */
  run(task: Task, bytes?: Uint8Array): Promise<Result>
  /** Threads that run now: none before the first task. */
  workerCount(): number
  /** Terminates all threads. Tasks that run or wait are refused. */
  close(): Promise<void>
}

type Message<Task> = { task: Task; bytes: Uint8Array | undefined }
/** What a worker answers to a task. */
type Reply =
  | { kind: 'result'; result: unknown }
  | { kind: 'refusal'; code: RefusalCode; options: RefusalOptions }
  | { kind: 'error'; error: unknown }
/** What becomes of a task whose worker cannot be used again. */
type Failure = { kind: 'over-limit' } | { kind: 'crash'; error: unknown }

/**
 * Computations in threads of their own, so that a hostile input costs its sender time and nobody else. A thread starts
 * when it is first needed, is used again, and ends when it has been idle. An idle thread does not keep the process alive.
 */
export function workerPool<Task, Result>(settings: WorkerPoolSettings): WorkerPool<Task, Result> {
  const { entry, workersMax = 1, queueMax, timeoutMs, memoryMaxMb = 512, idleMsMax = 20_000, overLimit } = settings
  const limited = concurrencyLimit(workersMax, queueMax)
  const workers = new Set<Worker>()
  const idle = new Map<Worker, NodeJS.Timeout>()
  let isClosed = false

  const start = (): Worker => {
    // Without the flags of the process: those of a test run would start the tests again.
    const worker = new Worker(entry, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: memoryMaxMb } })
    workers.add(worker)
    // The task that runs has a listener of its own. Without this one, an error between two tasks would end the process.
    worker.on('error', () => undefined)
    return worker.on('exit', () => {
      workers.delete(worker)
      idle.delete(worker)
    })
  }

  const takeIdle = (): Worker | undefined => {
    const [[worker, timer] = []] = idle
    if (worker === undefined) return undefined
    clearTimeout(timer)
    idle.delete(worker)
    return worker
  }

  const run = async (task: Task, bytes?: Uint8Array): Promise<Result> => {
    if (isClosed) throw new Refusal('UNAVAILABLE')
    const worker = takeIdle() ?? start()
    const outcome = await outcomeOfTask(worker, { task, bytes }, timeoutMs)
    if (outcome.kind === 'over-limit' || outcome.kind === 'crash') {
      await worker.terminate()
      if (isClosed) throw new Refusal('UNAVAILABLE')
    } else if (workers.has(worker)) {
      const end = () => {
        idle.delete(worker)
        void worker.terminate()
      }
      idle.set(worker, setTimeout(end, idleMsMax).unref())
    }
    switch (outcome.kind) {
      case 'result':
        return outcome.result as Result
      case 'refusal':
        throw new Refusal(outcome.code, outcome.options)
      case 'over-limit':
        throw overLimit()
      default:
        throw outcome.error
    }
  }

  return {
    run: (task, bytes) => limited(() => run(task, bytes)),
    workerCount: () => workers.size,
    close: async () => {
      isClosed = true
      await Promise.all([...workers].map((worker) => worker.terminate()))
    },
  }
}

async function outcomeOfTask(
  worker: Worker,
  { task, bytes }: Message<unknown>,
  timeoutMs: number,
): Promise<Reply | Failure> {
  const { promise, resolve } = Promise.withResolvers<Reply | Failure>()
  const timer = setTimeout(() => resolve({ kind: 'over-limit' }), timeoutMs)
  const onError = (error: unknown) => {
    const isOutOfMemory = (error as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
    resolve(isOutOfMemory ? { kind: 'over-limit' } : { kind: 'crash', error })
  }
  const onExit = () => onError(new Error('A worker thread ended while it computed.'))
  worker.on('message', resolve).on('error', onError).on('exit', onExit)
  worker.ref()
  // The copy goes over to the thread and ends with it: memory that both share waits for a garbage collection.
  const copy = bytes && new Uint8Array(bytes)
  worker.postMessage({ task, bytes: copy } satisfies Message<unknown>, copy ? [copy.buffer] : [])
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    worker.unref()
    worker.off('message', resolve).off('error', onError).off('exit', onExit)
  }
}

/** Called by the module that a worker runs. A refusal reaches the caller as a refusal, any other error as it is. */
export function answerInWorker<Task>(compute: (task: Task, bytes: Uint8Array) => unknown): void {
  parentPort?.on('message', async ({ task, bytes = new Uint8Array() }: Message<Task>) =>
    parentPort?.postMessage(await replyTo(() => compute(task, bytes))),
  )
}

async function replyTo(compute: () => unknown): Promise<Reply> {
  try {
    return { kind: 'result', result: await compute() }
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refusal', code: error.code, options: error.options }
    return { kind: 'error', error }
  }
}
