import { concurrencyLimit } from '../kernel/concurrency-limit.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { FromWorker } from './messages.ts'
import { startWorkerProcess, type WorkerEnd, type WorkerProcess } from './worker-process.ts'

export type WorkerPoolSettings = {
  /** The module that each worker runs: it calls `answerInWorker`. */
  entry: URL
  /** Workers at once. Default: 1. */
  workersMax?: number
  /** Tasks that may wait for a worker. */
  queueMax: number
  /** For one task, without the time in the queue. */
  timeoutMs: number
  /** Of the objects and texts of one worker. The default is many times what the longest texts need. */
  heapMaxMb?: number
  /**
   * Of what one worker has beside its objects: arrays of bytes, mostly. On Linux, one that goes past both together is ended
   * as soon as that is seen.
   */
  arraysMaxMb?: number
  /** A worker that had no task for so long is ended: it keeps 20 to 40 MB. */
  idleMsMax?: number
  /** Whether nobody waits for an answer: requests then have the processor first. Default: no. */
  isBackground?: boolean
  /** What a task fails with that takes too much time or memory. Its worker is ended. */
  overLimit(): Error
}

export type TaskOptions = {
  /** They are sent when it is the task's turn, and must not change before its end. They are not copied on the way. */
  bytes?: Uint8Array | undefined
  /** Gets what the worker reports while it computes. */
  onProgress?: ((report: unknown) => void) | undefined
  /** Aborted, it ends the worker of the task, and the task fails with its reason. */
  signal?: AbortSignal | undefined
}

export type WorkerPool<Task, Result> = {
  /** Refuses UNAVAILABLE when too many tasks wait, and when the pool is closed. */
  run(task: Task, options?: TaskOptions): Promise<Result>
  /** Workers that run now: none before the first task. */
  workerCount(): number
  /** Ends all workers. Tasks that run or wait are refused. */
  close(): Promise<void>
}

type Answer = Exclude<FromWorker, { kind: 'progress' }>

/** A worker fills some megabytes in this time. */
const memoryCheckMs = 20
/** What a worker has before its first task, beside its objects. */
const emptyWorkerMb = 32
/** Of processor time, for each second of a task: garbage is collected by threads of their own. */
const cpuPerSecond = 4

/**
 * Computations in processes of their own, so that a hostile input costs its sender time and nobody else. A worker starts
 * when it is first needed, is used again, and ends when it has been idle. An idle worker does not keep the service alive.
 *
 * Not threads: a thread whose heap is full ends the whole process, in all cases in which V8 needs much memory at once.
 */
export function workerPool<Task, Result>(settings: WorkerPoolSettings): WorkerPool<Task, Result> {
  const {
    entry,
    workersMax = 1,
    queueMax,
    timeoutMs,
    heapMaxMb = 512,
    arraysMaxMb = 512,
    idleMsMax = 20_000,
    isBackground = false,
    overLimit,
  } = settings
  const limited = concurrencyLimit(workersMax, queueMax)
  const memoryMaxMb = emptyWorkerMb + heapMaxMb + arraysMaxMb
  const taskCpuSeconds = Math.ceil((timeoutMs / 1000) * cpuPerSecond)
  const workers = new Set<WorkerProcess>()
  const idle = new Map<WorkerProcess, NodeJS.Timeout>()
  let isClosed = false

  const start = (): WorkerProcess => {
    const worker = startWorkerProcess(entry, { heapMaxMb, cpuSecondsMax: 2 * taskCpuSeconds, isBackground })
    workers.add(worker)
    void worker.ended.then(() => {
      workers.delete(worker)
      clearTimeout(idle.get(worker))
      idle.delete(worker)
    })
    return worker
  }

  const takeIdle = (): WorkerProcess | undefined => {
    const [[worker, timer] = []] = idle
    if (worker === undefined) return undefined
    clearTimeout(timer)
    idle.delete(worker)
    return worker
  }

  const keep = (worker: WorkerProcess, { cpuSeconds }: Answer) => {
    if (!workers.has(worker)) return
    const end = () => {
      idle.delete(worker)
      void worker.kill()
    }
    // One more task could take it to the limit of its life.
    if (cpuSeconds > taskCpuSeconds) return end()
    idle.set(worker, setTimeout(end, idleMsMax).unref())
  }

  const run = async (task: Task, options: TaskOptions): Promise<Result> => {
    if (isClosed) throw new Refusal('UNAVAILABLE')
    options.signal?.throwIfAborted()
    const worker = takeIdle() ?? start()
    const outcome = await outcomeOfTask(worker, task, { timeoutMs, memoryMaxMb, ...options })
    if (outcome.kind === 'over-limit' || outcome.kind === 'crash') {
      await worker.kill()
      if (isClosed) throw new Refusal('UNAVAILABLE')
      throw outcome.kind === 'crash' ? outcome.error : overLimit()
    }
    keep(worker, outcome)
    if (outcome.kind === 'result') return outcome.result as Result
    throw outcome.kind === 'refusal' ? new Refusal(outcome.code, outcome.options) : outcome.error
  }

  return {
    run: (task, options = {}) => limited(() => run(task, options)),
    workerCount: () => workers.size,
    close: async () => {
      isClosed = true
      await Promise.all([...workers].map((worker) => worker.kill()))
    },
  }
}

async function outcomeOfTask(
  worker: WorkerProcess,
  task: unknown,
  { timeoutMs, memoryMaxMb, bytes, onProgress, signal }: TaskOptions & { timeoutMs: number; memoryMaxMb: number },
): Promise<Answer | WorkerEnd> {
  const { promise, resolve } = Promise.withResolvers<Answer | WorkerEnd>()
  const onOverLimit = () => resolve({ kind: 'over-limit' })
  const crash = (error: unknown) => resolve({ kind: 'crash', error })
  const onMessage = (message: FromWorker) => {
    if (message.kind !== 'progress') return resolve(message)
    try {
      onProgress?.(message.report)
    } catch (error) {
      crash(error)
    }
  }
  const onAbort = () => crash(signal?.reason)
  const timer = setTimeout(onOverLimit, timeoutMs)
  const stopWatch = watchMemory(worker, memoryMaxMb, onOverLimit)
  signal?.addEventListener('abort', onAbort)
  try {
    worker.send(task, bytes, { onMessage, onEnd: resolve })
    return await promise
  } catch (error) {
    return { kind: 'crash', error }
  } finally {
    clearTimeout(timer)
    stopWatch()
    worker.stopListening()
    signal?.removeEventListener('abort', onAbort)
  }
}

/** V8 limits the heap of a worker, and its arrays lie beside it. */
function watchMemory(worker: WorkerProcess, maxMb: number, onOver: () => void): () => void {
  const look = async () => {
    if (((await worker.memoryMb()) ?? 0) > maxMb) onOver()
  }
  const timer = setInterval(look, memoryCheckMs).unref()
  return () => clearInterval(timer)
}
