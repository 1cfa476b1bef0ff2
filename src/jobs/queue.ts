import type { Clock } from '../kernel/clock.ts'
import { isId, newId } from '../kernel/ids.ts'
import { insertJob } from './job.store.ts'
import type { JobKind, Jobs } from './jobs.ts'

export type JobQueue = Jobs & {
  /** Only jobs of declared kinds are taken: one that nobody works on would lie for ever. */
  declare(kinds: JobKind<object>[]): void
  /** Called with the kind when a job that may run now has been committed on this node. */
  onEnqueued(listener: (kind: string) => void): void
}

/** The side of the queue that capabilities see. It works from the moment its tables are there, with or without workers. */
export function jobQueue(clock: Clock): JobQueue {
  const declared = new Map<string, JobKind<object>>()
  const listeners: ((kind: string) => void)[] = []
  return {
    declare: (kinds) => {
      for (const kind of kinds) {
        if (declared.has(kind.name)) throw new Error(`The kind of job ${kind.name} is declared twice.`)
        declared.set(kind.name, kind)
      }
    },
    onEnqueued: (listener) => {
      listeners.push(listener)
    },
    enqueue: async (scope, kind, job) => {
      if (!declared.has(kind.name)) throw new Error(`Nobody declared the kind of job ${kind.name}.`)
      if ((kind.order === 'key') !== (job.key !== undefined))
        throw new Error(`A job of ${kind.name} has a key if and only if its kind has an order.`)
      const now = clock.now()
      const id = job.id ?? newId(now)
      if (!isId(id)) throw new Error(`The id of a job of ${kind.name} is no UUID.`)
      await insertJob(scope, { kind, job, id })
      if (job.runAt !== undefined && job.runAt > now) return
      scope.handle.afterCommit(() => {
        for (const listener of listeners) listener(kind.name)
      })
    },
  }
}
