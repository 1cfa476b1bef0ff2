import { Socket } from 'node:net'
import { Refusal } from '../kernel/refusal.ts'
import { frameOf, frameReader } from './frames.ts'
import type { FromWorker, Reply } from './messages.ts'

/** The service is connected to this file descriptor of a worker. */
const serviceFd = 3

/**
 * Called by the module that a worker runs. A refusal reaches the caller as a refusal, any other error as it is, and what
 * is reported by `progress` before that.
 */
export function answerInWorker<Task>(
  compute: (task: Task, bytes: Uint8Array, progress: (report: unknown) => void) => unknown,
): void {
  const service = new Socket({ fd: serviceFd, readable: true, writable: true })
  const send = (message: FromWorker) => {
    for (const piece of frameOf(message)) service.write(piece)
  }
  const answer = async (task: Task, bytes: Uint8Array) => {
    const reply = await replyTo(() => compute(task, bytes, (report) => send({ kind: 'progress', report })))
    const { user, system } = process.cpuUsage()
    const cpuSeconds = (user + system) / 1e6
    try {
      send({ ...reply, cpuSeconds })
    } catch (error) {
      send({ kind: 'error', error: new Error('The result cannot be sent.', { cause: String(error) }), cpuSeconds })
    }
  }
  service.on(
    'data',
    frameReader(({ value, bytes }) => void answer(value as Task, bytes)),
  )
  // The service has ended: a worker that waits ends too, and one that computes at the latest by its limit.
  service.on('close', () => process.exit())
  service.on('error', () => process.exit())
  // Who stops the service often signals all its processes, and the service finishes what it has begun.
  process.on('SIGTERM', () => undefined)
  process.on('SIGINT', () => undefined)
}

async function replyTo(compute: () => unknown): Promise<Reply> {
  try {
    return { kind: 'result', result: await compute() }
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refusal', code: error.code, options: error.options }
    return { kind: 'error', error }
  }
}
