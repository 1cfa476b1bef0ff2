import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { constants, getPriority, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Refusal } from '../kernel/refusal.ts'
import { frameOf, frameReader } from './frames.ts'
import type { FromWorker } from './messages.ts'

export type WorkerLimits = {
  /** Of the heap of objects. */
  heapMaxMb: number
  /** Of processor time, in its life. It ends a worker whose service is gone, and that would never stop by itself. */
  cpuSecondsMax: number
  /** Whether the service and its database come first where they need the processor, too. */
  isBackground: boolean
}

/** How a worker ended: by a limit of memory or time, or otherwise, with what the caller of its task is told. */
export type WorkerEnd = { kind: 'over-limit' } | { kind: 'crash'; error: unknown }

export type TaskListener = {
  onMessage(message: FromWorker): void
  onEnd(end: WorkerEnd): void
}

export type WorkerProcess = {
  /** Sends a task. The listener hears what comes, until `stopListening`. */
  send(task: unknown, bytes: Uint8Array | undefined, listener: TaskListener): void
  stopListening(): void
  /** Memory that is its own, in megabytes. Null where the system does not tell: it does on Linux. */
  memoryMb(): Promise<number | null>
  /** Ends it at once, whatever it does, and resolves when it has ended. */
  kill(): Promise<void>
  ended: Promise<void>
}

const launcher = fileURLToPath(new URL('../../scripts/node24.js', import.meta.url))
/** No result is longer: what is read has at most 32 MiB. */
const resultBytesMax = 1024 ** 3
/** Of what it wrote to its standard error, for the report of a crash. */
const errorTextMax = 4000
/** V8 aborts a process whose heap is full, and the kernel kills one that takes too much time, or what the machine lacks. */
const limitSignals: (string | null)[] = ['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGXCPU', 'SIGKILL']
const stopSignals: (string | null)[] = ['SIGTERM', 'SIGINT', 'SIGHUP']
/** What a process that V8 has aborted returns on Windows. */
const abortCode = 134

/**
 * Without files of its memory, which hold what people sent; with a limit of processor time; and the first that is killed
 * when the machine has no memory left.
 */
const shellScript = 'ulimit -c 0; ulimit -t "$0"; { echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null; exec "$@"'
/**
 * A third of what another process gets that wants the processor, and all of it while none does. With less, a long document would
 * reach its limit of time where the service is busy.
 */
const backgroundSteps = 5
const lowestPriority = constants.priority.PRIORITY_LOW

/**
 * Starts a process that runs the module. It does not keep the service alive unless a task runs. Refuses UNAVAILABLE where
 * the machine has no memory, process or file left for it.
 */
export function startWorkerProcess(entry: URL, limits: WorkerLimits): WorkerProcess {
  const child = launch(entry, limits)
  const socket = child.stdio[3] as Socket
  const ended = Promise.withResolvers<void>()
  let listener: TaskListener | null = null
  let errorText = ''

  const tellEnd = (end: WorkerEnd) => {
    const { onEnd } = listener ?? {}
    listener = null
    onEnd?.(end)
  }
  child.on('error', () => {
    // It could not be started, but there is a child to say so.
    if (child.pid !== undefined) return
    tellEnd({ kind: 'crash', error: new Refusal('UNAVAILABLE') })
    ended.resolve()
  })
  child.on('close', (code, signal) => {
    tellEnd(endOf(code, signal, errorText))
    ended.resolve()
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorText = (errorText + text).slice(-errorTextMax)
  })
  const read = frameReader(({ value }) => listener?.onMessage(value as FromWorker), resultBytesMax)
  socket.on('data', (chunk: Buffer) => {
    try {
      read(chunk)
    } catch (error) {
      tellEnd({ kind: 'crash', error })
      child.kill('SIGKILL')
    }
  })
  // One that ends while it is sent a task is heard of by its exit.
  socket.on('error', () => undefined)

  const handles = [child, socket, child.stderr as Socket]
  const keepAlive = (isNeeded: boolean) => {
    for (const handle of handles) isNeeded ? handle.ref() : handle.unref()
  }
  keepAlive(false)

  return {
    send(task, bytes, taskListener) {
      listener = taskListener
      keepAlive(true)
      for (const piece of frameOf(task, bytes)) socket.write(piece)
    },
    stopListening() {
      listener = null
      keepAlive(false)
    },
    async memoryMb() {
      const status = await readFile(`/proc/${child.pid}/status`, 'latin1').catch(() => '')
      const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]
      return kilobytes === undefined ? null : Number(kilobytes) / 1024
    },
    async kill() {
      child.kill('SIGKILL')
      keepAlive(true)
      await ended.promise
    },
    ended: ended.promise,
  }
}

function launch(entry: URL, { heapMaxMb, cpuSecondsMax, isBackground }: WorkerLimits): ChildProcess {
  const isWindows = process.platform === 'win32'
  const command = [process.execPath, `--max-old-space-size=${heapMaxMb}`, launcher, fileURLToPath(entry)]
  const [file = '', ...args] = isWindows ? command : ['/bin/sh', '-c', shellScript, String(cpuSecondsMax), ...command]
  const options: SpawnOptions = {
    // A group of its own: the keys that stop the service in a terminal do not stop what it has begun.
    detached: !isWindows,
    // The secrets of the service are none of a worker's business.
    env: isWindows ? { SystemRoot: process.env['SystemRoot'] } : {},
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    windowsHide: true,
  }
  try {
    const child = spawn(file, args, options)
    // Where no more files can be opened, Node returns a child without pipes, which then tells of its error.
    if ((child.stdio as unknown) !== undefined) {
      if (isBackground) lowerPriority(child)
      return child
    }
    child.on('error', () => undefined)
  } catch {
    // Other lacks are thrown.
  }
  throw new Refusal('UNAVAILABLE')
}

function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    setPriority(pid, Math.min(getPriority() + backgroundSteps, lowestPriority))
    // Linux may share the processor between sessions first, and a worker is a session of its own.
    writeFileSync(`/proc/${pid}/autogroup`, String(backgroundSteps))
  } catch {
    // Where there are no such sessions, or it is not allowed, the priority of the process has to do.
  }
}

function endOf(code: number | null, signal: string | null, errorText: string): WorkerEnd {
  if (limitSignals.includes(signal) || code === abortCode) return { kind: 'over-limit' }
  if (stopSignals.includes(signal)) return { kind: 'crash', error: new Refusal('UNAVAILABLE') }
  const reason = `${signal ?? `code ${code}`}${errorText && `: ${errorText}`}`
  return { kind: 'crash', error: new Error(`A worker ended while it computed (${reason}).`) }
}
