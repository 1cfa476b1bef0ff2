import type { Boss } from './boss.ts'
import type { Attempt } from './job.store.ts'

const errorCharactersMax = 500

type NamedAttempt = Attempt & { name: string }

export type CompletionBatch = {
  /** Completes the job. Jobs of a kind that end at about the same time are completed by one statement. */
  complete(job: NamedAttempt): Promise<void>
  /** Records a failed attempt: there will be another after a wait, or the job is dead. */
  fail(job: NamedAttempt, error: unknown): Promise<void>
}

type Batch = { jobs: NamedAttempt[]; filled: PromiseWithResolvers<void>; written: Promise<void> }

export type CompletionDeps = {
  boss(): Promise<Boss>
  /** How many jobs of a kind have begun and are not recorded. */
  running(kind: string): number
  /** How long an ended job waits for others of its kind that run, so that one statement completes them all. */
  gatherMs: number
}

/** Records how attempts ended. An attempt that the queue has given to another node in the meantime is left alone. */
export function completionBatch({ boss, running, gatherMs }: CompletionDeps): CompletionBatch {
  const batches = new Map<string, Batch>()
  const isFull = ({ jobs }: Batch, kind: string) => jobs.length >= running(kind)

  const write = async (kind: string, batch: Batch): Promise<void> => {
    // Jobs without I/O of their own end in the same iteration of the event loop.
    await new Promise(setImmediate)
    if (!isFull(batch, kind)) {
      const timer = setTimeout(batch.filled.resolve, gatherMs)
      await batch.filled.promise
      clearTimeout(timer)
    }
    batches.delete(kind)
    await (await boss()).complete(kind, batch.jobs)
  }

  return {
    complete: (job) => {
      const begun = batches.get(job.name)
      if (begun) {
        begun.jobs.push(job)
        if (isFull(begun, job.name)) begun.filled.resolve()
        return begun.written
      }
      const batch: Batch = { jobs: [job], filled: Promise.withResolvers(), written: Promise.resolve() }
      batches.set(job.name, batch)
      batch.written = write(job.name, batch)
      return batch.written
    },
    fail: async (job, error) => {
      await (await boss()).fail(job.name, job, { message: errorMessage(error) })
    },
  }
}

/** What administrators see of a failure. */
function errorMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  // PostgreSQL cannot store NUL in text.
  return text.replaceAll('\0', '').slice(0, errorCharactersMax)
}
