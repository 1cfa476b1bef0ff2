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
  /**
   * Of the memory of a thread's arrays, which `memoryMaxMb` does not count. A thread that goes past it is terminated, as
   * soon as that is seen. Default: not looked at, for threads whose arrays are as large as what they were sent.
   */
  arraysMaxMb?: number
  /** A thread that had no task for so long is terminated: it keeps some 40 MB. */
  idleMsMax?: number
  /** What a task fails with that takes too much time or memory. Its thread is terminated. */
  overLimit(): Error
}

export type TaskOptions = {
  /** The thread gets a copy of them, made when it is its turn: those that wait take no more memory. */
  bytes?: Uint8Array | undefined
  /** Gets what the thread reports while it computes. */
  onProgress?: ((report: unknown) => void) | undefined
  /** Aborted, it ends the thread of the task, and the task fails with its reason. */
  signal?: AbortSignal | undefined
}

export type WorkerPool<Task, Result> = {
  /** Refuses UNAVAILABLE when too many tasks wait, and when the pool is closed. */
  run(task: Task, options?: TaskOptions): Promise<Result>
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
/** What a worker says before that. */
type Report = { kind: 'progress'; report: unknown }
/** What becomes of a task whose worker cannot be used again. */
type Failure = { kind: 'over-limit' } | { kind: 'crash'; error: unknown }

/** A thread fills some megabytes in this time. */
const arraysCheckMs = 20
const megabyte = 1024 * 1024

/**
 * Computations in threads of their own, so that a hostile input costs its sender time and nobody else. A thread starts
 * when it is first needed, is used again, and ends when it has been idle. An idle thread does not keep the process alive.
 */
export function workerPool<Task, Result>(settings: WorkerPoolSettings): WorkerPool<Task, Result> {
  const {
    entry,
    workersMax = 1,
    queueMax,
    timeoutMs,
    memoryMaxMb = 512,
    arraysMaxMb,
    idleMsMax = 20_000,
    overLimit,
  } = settings
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

  const run = async (task: Task, { bytes, onProgress, signal }: TaskOptions): Promise<Result> => {
    if (isClosed) throw new Refusal('UNAVAILABLE')
    signal?.throwIfAborted()
    const worker = takeIdle() ?? start()
    const outcome = await outcomeOfTask(worker, { task, bytes }, { timeoutMs, arraysMaxMb, onProgress, signal })
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
    run: (task, options = {}) => limited(() => run(task, options)),
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
  {
    timeoutMs,
    arraysMaxMb,
    onProgress,
    signal,
  }: Omit<TaskOptions, 'bytes'> & {
    timeoutMs: number
    arraysMaxMb: number | undefined
  },
): Promise<Reply | Failure> {
  const { promise, resolve } = Promise.withResolvers<Reply | Failure>()
  const overLimit = () => resolve({ kind: 'over-limit' })
  const timer = setTimeout(overLimit, timeoutMs)
  const endWatch = arraysMaxMb === undefined ? () => undefined : watchArrays(worker, arraysMaxMb, overLimit)
  const onError = (error: unknown) => {
    const isOutOfMemory = (error as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
    resolve(isOutOfMemory ? { kind: 'over-limit' } : { kind: 'crash', error })
  }
  const onExit = () => onError(new Error('A worker thread ended while it computed.'))
  const onMessage = (message: Reply | Report) => {
    if (message.kind !== 'progress') return resolve(message)
    try {
      onProgress?.(message.report)
    } catch (error) {
      resolve({ kind: 'crash', error })
    }
  }
  const onAbort = () => resolve({ kind: 'crash', error: signal?.reason })
  worker.on('message', onMessage).on('error', onError).on('exit', onExit)
  signal?.addEventListener('abort', onAbort)
  worker.ref()
  // The copy goes over to the thread and ends with it: memory that both share waits for a garbage collection.
  const copy = bytes && new Uint8Array(bytes)
  worker.postMessage({ task, bytes: copy } satisfies Message<unknown>, copy ? [copy.buffer] : [])
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    endWatch()
    worker.unref()
    worker.off('message', onMessage).off('error', onError).off('exit', onExit)
    signal?.removeEventListener('abort', onAbort)
  }
}

/** Node limits a thread's heap, and its arrays lie beside it. A thread answers this between two steps of a busy loop. */
function watchArrays(worker: Worker, arraysMaxMb: number, onOver: () => void): () => void {
  const look = async () => {
    const { external_memory: bytes } = await worker.getHeapStatistics()
    if (bytes > arraysMaxMb * megabyte) onOver()
  }
  // A thread that is about to end has no statistics.
  const timer = setInterval(() => look().catch(() => undefined), arraysCheckMs).unref()
  return () => clearInterval(timer)
}

/**
 * Called by the module that a worker runs. A refusal reaches the caller as a refusal, any other error as it is, and what
 * is reported by `progress` before that.
 */
export function answerInWorker<Task>(
  compute: (task: Task, bytes: Uint8Array, progress: (report: unknown) => void) => unknown,
): void {
  const progress = (report: unknown) => parentPort?.postMessage({ kind: 'progress', report } satisfies Report)
  parentPort?.on('message', async ({ task, bytes = new Uint8Array() }: Message<Task>) =>
    parentPort?.postMessage(await replyTo(() => compute(task, bytes, progress))),
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
