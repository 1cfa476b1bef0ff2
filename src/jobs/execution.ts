import { systemCaller } from '../kernel/caller.ts'
import type { Handle } from '../storage/handle.ts'
import { mintPlatformScope, mintTenantScope } from '../storage/mint.ts'
import type { StorageLog } from '../storage/pool.ts'
import type { Boss, ClaimedJob } from './boss.ts'
import { completionBatch } from './completion-batch.ts'
import { type Attempt, platformGroup, recordHeartbeats, returnToQueue } from './job.store.ts'
import type { JobHandler, JobRun } from './jobs.ts'

/** How long a handler may go on after the stop has aborted its signal. */
const abortGraceMs = 1000

/** What is known of an attempt, also by a node that did not make it. */
export type JobAttempt = Pick<ClaimedJob, 'id' | 'name' | 'data' | 'groupId' | 'retryCount' | 'retryLimit'>

type Running = { job: ClaimedJob; controller: AbortController; gaveUp: PromiseWithResolvers<never> }

class Stopped extends Error {}

export type Execution = {
  /** Runs the job's handler and records how it ended; never rejects. */
  runJob(handler: JobHandler, job: ClaimedJob): Promise<void>
  /** Records a failed attempt. After the last one it calls the kind's `onExhausted`, if it has one. */
  fail(handler: JobHandler, job: JobAttempt, error: unknown): Promise<void>
  running(): number
  /** Resolves when nothing runs. */
  idle(): Promise<void>
  /** Sends a sign of life for all running jobs. A job that the queue has given to another node is aborted. */
  heartbeat(): Promise<void>
  /** Aborts all running jobs. Those that do not end at once go back to the queue, and the attempt does not count. */
  abandon(): Promise<void>
}

export function execution({
  boss,
  handle,
  log,
  gatherMs,
}: {
  boss: () => Promise<Boss>
  handle: Handle
  log: StorageLog
  gatherMs: number
}): Execution {
  const platform = mintPlatformScope(handle, systemCaller)
  const running = new Set<Running>()
  const runningOfKind = new Map<string, number>()
  const completions = completionBatch({ boss, running: (kind) => runningOfKind.get(kind) ?? 0, gatherMs })
  let waitingForIdle: (() => void)[] = []

  const jobScope = ({ groupId }: JobAttempt) =>
    groupId && groupId !== platformGroup ? mintTenantScope(handle, groupId, systemCaller) : platform

  const count = (kind: string, change: number) => {
    runningOfKind.set(kind, (runningOfKind.get(kind) ?? 0) + change)
  }

  const fail = async (handler: JobHandler, job: JobAttempt, error: unknown): Promise<void> => {
    if (handler.onExhausted === undefined || job.retryCount < job.retryLimit) return completions.fail(job, error)
    const reason = error instanceof Error ? error.message : String(error)
    await handler.onExhausted({ data: job.data, scope: jobScope(job), attempt: job.retryCount + 1, reason })
    return completions.complete(job)
  }

  const settle = async (handler: JobHandler, { job, ...entry }: Running): Promise<void> => {
    try {
      await attempt(handler, { job, ...entry })
    } catch (error) {
      if (error instanceof Stopped) return returnToQueue(platform, job.name, [toAttempt(job)])
      log.warn({ err: error, kind: job.name, jobId: job.id, attempt: job.retryCount + 1 }, 'a job failed')
      return fail(handler, job, error)
    }
    return completions.complete(job)
  }

  /** Settles as the handler does, or rejects when its time is over. */
  const attempt = async ({ kind, handle }: JobHandler, { job, controller, gaveUp }: Running): Promise<void> => {
    const tooLate = () => {
      const reason = new Error(`The job took longer than ${kind.timeoutSeconds} s.`)
      controller.abort(reason)
      gaveUp.reject(reason)
    }
    const timer = setTimeout(tooLate, kind.timeoutSeconds * 1000)
    const run: JobRun<object> = {
      id: job.id,
      data: job.data,
      scope: jobScope(job),
      attempt: job.retryCount + 1,
      isLastAttempt: job.retryCount >= job.retryLimit,
      signal: controller.signal,
    }
    try {
      await Promise.race([Promise.try(handle, run), gaveUp.promise])
    } catch (error) {
      throw controller.signal.reason instanceof Stopped ? controller.signal.reason : error
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    runJob: async (handler, job) => {
      const entry = { job, controller: new AbortController(), gaveUp: Promise.withResolvers<never>() }
      running.add(entry)
      count(job.name, 1)
      try {
        await settle(handler, entry)
      } catch (error) {
        // The job stays marked as running, without a heartbeat: after a while the queue gives it to another node.
        log.warn(
          { err: error, kind: job.name, jobId: job.id },
          'the outcome of a job could not be recorded; the job will run again',
        )
      } finally {
        running.delete(entry)
        count(job.name, -1)
        if (running.size === 0) {
          for (const resolve of waitingForIdle) resolve()
          waitingForIdle = []
        }
      }
    },
    fail,
    running: () => running.size,
    idle: () => (running.size === 0 ? Promise.resolve() : new Promise((resolve) => waitingForIdle.push(resolve))),
    heartbeat: async () => {
      const entries = [...running]
      if (entries.length === 0) return
      const alive = new Set(
        await recordHeartbeats(
          platform,
          entries.map(({ job }) => ({ name: job.name, ...toAttempt(job) })),
        ),
      )
      for (const entry of entries) {
        // Skip those that ended while the statement ran.
        if (alive.has(entry.job.id) || !running.has(entry)) continue
        entry.controller.abort(new Error('Another node runs this job now.'))
      }
    },
    abandon: async () => {
      const reason = new Stopped('The service is stopping.')
      for (const { controller } of running) controller.abort(reason)
      const timer = setTimeout(() => {
        for (const { gaveUp } of running) gaveUp.reject(reason)
      }, abortGraceMs)
      while (running.size > 0) await new Promise<void>((resolve) => waitingForIdle.push(resolve))
      clearTimeout(timer)
    },
  }
}

function toAttempt({ id, retryCount }: JobAttempt): Attempt {
  return { id, retryCount }
}
