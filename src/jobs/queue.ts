import type { Clock } from '../kernel/clock.ts'
import { isId, newId } from '../kernel/ids.ts'
import type { Scope } from '../storage/scope.ts'
import { insertJob, insertJobWithRow, listPendingJobs } from './job.store.ts'
import type { JobKind, JobLookup, Jobs, NewJob, RowJobs } from './jobs.ts'

export type JobQueue = Jobs &
  JobLookup &
  RowJobs & {
    /** Only jobs of declared kinds can be enqueued: any other would never run. */
    declare(kinds: JobKind<object>[]): void
    /** The listener is called with the kind when this node has committed a job that may run now. */
    onEnqueued(listener: (kind: string) => void): void
  }

/** The part of the queue that capabilities use. It needs its tables, but no running workers. */
export function jobQueue(clock: Clock): JobQueue {
  const declared = new Map<string, JobKind<object>>()
  const listeners: ((kind: string) => void)[] = []

  /** The id of a job that may be enqueued. */
  const jobId = <D extends object>(kind: JobKind<D>, job: NewJob<D>): string => {
    if (!declared.has(kind.name)) throw new Error(`The job kind ${kind.name} is not declared.`)
    if ((kind.order === 'key') !== (job.key !== undefined))
      throw new Error(`A job of ${kind.name} must have a key exactly if its kind is ordered by key.`)
    const id = job.id ?? newId(clock.now())
    if (!isId(id)) throw new Error(`The id of a job of ${kind.name} is not a UUID.`)
    return id
  }

  const announce = (scope: Scope, kind: { name: string }, { runAt }: Pick<NewJob<object>, 'runAt'>): void => {
    if (runAt !== undefined && runAt > clock.now()) return
    scope.handle.afterCommit(() => {
      for (const listener of listeners) listener(kind.name)
    })
  }

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
      await insertJob(scope, { kind, job, id: jobId(kind, job) })
      announce(scope, kind, job)
    },
    enqueueWithRow: async (scope, insert, kind, job) => {
      const isInserted = await insertJobWithRow(scope, insert, { kind, job, id: jobId(kind, job) })
      if (isInserted) announce(scope, kind, job)
      return isInserted
    },
  }
}
