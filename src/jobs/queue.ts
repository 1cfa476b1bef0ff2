import type { Clock } from '../kernel/clock.ts'
import { isId, newId } from '../kernel/ids.ts'
import { insertJob, listPendingJobs } from './job.store.ts'
import type { JobKind, JobLookup, Jobs } from './jobs.ts'

export type JobQueue = Jobs &
  JobLookup & {
    /** Only jobs of declared kinds can be enqueued: any other would never run. */
    declare(kinds: JobKind<object>[]): void
    /** The listener is called with the kind when this node has committed a job that may run now. */
    onEnqueued(listener: (kind: string) => void): void
  }

/** The part of the queue that capabilities use. It needs its tables, but no running workers. */
export function jobQueue(clock: Clock): JobQueue {
  const declared = new Map<string, JobKind<object>>()
  const listeners: ((kind: string) => void)[] = []
  return {
    declare: (kinds) => {
      for (const kind of kinds) {
        if (declared.has(kind.name)) throw new Error(`The job kind ${kind.name} is declared twice.`)
        declared.set(kind.name, kind)
      }
    },
    onEnqueued: (listener) => {
      listeners.push(listener)
    },
    listPending: (scope, { name }, ids) => listPendingJobs(scope, { name, ids }),
    enqueue: async (scope, kind, job) => {
      if (!declared.has(kind.name)) throw new Error(`The job kind ${kind.name} is not declared.`)
      if ((kind.order === 'key') !== (job.key !== undefined))
        throw new Error(`A job of ${kind.name} must have a key exactly if its kind is ordered by key.`)
      const now = clock.now()
      const id = job.id ?? newId(now)
      if (!isId(id)) throw new Error(`The id of a job of ${kind.name} is not a UUID.`)
      await insertJob(scope, { kind, job, id })
      if (job.runAt !== undefined && job.runAt > now) return
      scope.handle.afterCommit(() => {
        for (const listener of listeners) listener(kind.name)
      })
    },
  }
}
