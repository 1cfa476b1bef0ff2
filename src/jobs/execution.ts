import { systemCaller } from '../kernel/caller.ts'
import type { Handle } from '../storage/handle.ts'
import { mintPlatformScope, mintTenantScope } from '../storage/mint.ts'
import type { StorageLog } from '../storage/pool.ts'
import type { Boss, ClaimedJob } from './boss.ts'
import { completionBatch } from './completion-batch.ts'
import { type Attempt, platformGroup, recordHeartbeats, returnToQueue } from './job.store.ts'
import type { JobHandler, JobRun } from './jobs.ts'

/** What a handler may still do after the stop has aborted its signal. */
const lastWordsMs = 1000

/** What is known of a try, also by a node that did not make it. */
export type JobAttempt = Pick<ClaimedJob, 'id' | 'name' | 'data' | 'groupId' | 'retryCount' | 'retryLimit'>

type Running = { job: ClaimedJob; controller: AbortController; givenUp: PromiseWithResolvers<never> }

class Stopped extends Error {}

export type Execution = {
  /** Runs the job's handler and writes how it ended; never rejects. */
  runJob(work: JobHandler, job: ClaimedJob): Promise<void>
  /** Writes that this try failed; at the last one the kind has the last word, where it wants it. */
  fail(work: JobHandler, job: JobAttempt, error: unknown): Promise<void>
  running(): number
  /** Resolves when nothing runs. */
  idle(): Promise<void>
  /** Says of all running jobs that they run; one that the queue has given to another node is aborted. */
  heartbeat(): Promise<void>
  /** Aborts what runs; what does not end at once goes back to the queue, and this try does not count. */
  abandon(): Promise<void>
}

export function execution({
  boss,
  handle,
  log,
}: {
  boss: () => Promise<Boss>
  handle: Handle
  log: StorageLog
}): Execution {
  const settling = completionBatch(boss)
  const platform = mintPlatformScope(handle, systemCaller)
  const running = new Set<Running>()
  let waitingForIdle: (() => void)[] = []

  const scopeOf = ({ groupId }: JobAttempt) =>
    groupId && groupId !== platformGroup ? mintTenantScope(handle, groupId, systemCaller) : platform

  const fail = async (work: JobHandler, job: JobAttempt, error: unknown): Promise<void> => {
    if (work.onExhausted === undefined || job.retryCount < job.retryLimit) return settling.fail(job, error)
    const reason = error instanceof Error ? error.message : String(error)
    await work.onExhausted({ data: job.data, scope: scopeOf(job), attempt: job.retryCount + 1, reason })
    return settling.complete(job)
  }

  const settle = async (work: JobHandler, { job, ...entry }: Running): Promise<void> => {
    try {
      await attempt(work, { job, ...entry })
    } catch (error) {
      if (error instanceof Stopped) return returnToQueue(platform, job.name, [attemptOf(job)])
      log.warn({ err: error, kind: job.name, jobId: job.id, attempt: job.retryCount + 1 }, 'a job failed')
      return fail(work, job, error)
    }
    return settling.complete(job)
  }

  /** Ends as the handler ends, or rejects when the handler's time is over. */
  const attempt = async ({ kind, handle: work }: JobHandler, { job, controller, givenUp }: Running): Promise<void> => {
    const tooLate = () => {
      const reason = new Error(`It took longer than ${kind.timeoutSeconds} s.`)
      controller.abort(reason)
      givenUp.reject(reason)
    }
    const timer = setTimeout(tooLate, kind.timeoutSeconds * 1000)
    const run: JobRun<object> = {
      id: job.id,
      data: job.data,
      scope: scopeOf(job),
      attempt: job.retryCount + 1,
      isLastAttempt: job.retryCount >= job.retryLimit,
      signal: controller.signal,
    }
    try {
      await Promise.race([Promise.try(work, run), givenUp.promise])
    } catch (error) {
      throw controller.signal.reason instanceof Stopped ? controller.signal.reason : error
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    runJob: async (work, job) => {
      const entry = { job, controller: new AbortController(), givenUp: Promise.withResolvers<never>() }
      running.add(entry)
      try {
        await settle(work, entry)
      } catch (error) {
        // It stays marked as running, without a sign of life: after a while the queue gives it to whoever asks.
        log.warn(
          { err: error, kind: job.name, jobId: job.id },
          'how a job ended could not be written; it will run again',
        )
      } finally {
        running.delete(entry)
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
      const asked = [...running]
      if (asked.length === 0) return
      const alive = new Set(
        await recordHeartbeats(
          platform,
          asked.map(({ job }) => ({ name: job.name, ...attemptOf(job) })),
        ),
      )
      for (const entry of asked) {
        // Not those that were written as ended while the statement ran.
        if (alive.has(entry.job.id) || !running.has(entry)) continue
        entry.controller.abort(new Error('Another node has this job now.'))
      }
    },
    abandon: async () => {
      const reason = new Stopped('The service stops.')
      for (const { controller } of running) controller.abort(reason)
      const timer = setTimeout(() => {
        for (const { givenUp } of running) givenUp.reject(reason)
      }, lastWordsMs)
      while (running.size > 0) await new Promise<void>((resolve) => waitingForIdle.push(resolve))
      clearTimeout(timer)
    },
  }
}

function attemptOf({ id, retryCount }: JobAttempt): Attempt {
  return { id, retryCount }
}
