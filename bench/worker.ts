// Processes of the bench that do one job after another, so that their processor time is not the service's.
import { type ChildProcess, fork } from 'node:child_process'
import type { Notice } from './closed-loop.ts'

export type Worker<Job, Result> = {
  pid: number
  /** Does one job; `notice` is called at its first and last moment that counts. Rejects with what went wrong in it. */
  do(job: Job, notice?: Notice): Promise<Result>
  stop(): void
}

type Message<Result> = { moment: 'begun' | 'ended' } | { result: Result } | { fault: string }

/** Starts `file`, a program that calls `serveJobs`. It ends with this process. */
export function startWorker<Job, Result>(file: URL, args: string[] = []): Worker<Job, Result> {
  const child = fork(file, args, { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  return {
    pid: child.pid as number,
    do: (job, notice) => waitForOutcome<Result>(child, () => child.send(job as object), notice),
    stop: () => child.disconnect(),
  }
}

function waitForOutcome<Result>(child: ChildProcess, begin: () => void, notice?: Notice): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  const hear = (message: Message<Result>) => {
    if ('moment' in message) notice?.(message.moment)
    else if ('result' in message) resolve(message.result)
    else reject(new Error(message.fault))
  }
  const end = (code: number | null) => reject(new Error(`A process of the bench ended with ${code}.`))
  child.on('message', hear as (message: unknown) => void)
  child.once('exit', end)
  begin()
  return promise.finally(() => {
    child.off('message', hear as (message: unknown) => void)
    child.off('exit', end)
  })
}

/** The other side: does what it is sent, one job at a time, and ends when nobody can send any more. */
export function serveJobs<Job, Result>(work: (job: Job, notice: Notice) => Promise<Result>): void {
  const tell = (message: Message<Result>) => process.send?.(message)
  process.on('message', (job) => {
    work(job as Job, (moment) => tell({ moment })).then(
      (result) => tell({ result }),
      (error: unknown) => tell({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
  process.on('disconnect', () => process.exit(0))
}
