import type { Boss } from './boss.ts'
import type { Attempt } from './job.store.ts'

const errorCharactersMax = 500

type NamedAttempt = Attempt & { name: string }

export type CompletionBatch = {
  /** Completes the job. Jobs of a kind that end in the same moment are completed by one statement. */
  complete(job: NamedAttempt): Promise<void>
  /** Records a failed attempt: there will be another after a wait, or the job is dead. */
  fail(job: NamedAttempt, error: unknown): Promise<void>
}

/** Records how attempts ended. An attempt that the queue has given to another node in the meantime is left alone. */
export function completionBatch(boss: () => Promise<Boss>): CompletionBatch {
  const batches = new Map<string, { jobs: NamedAttempt[]; written: Promise<void> }>()

  const write = async (kind: string): Promise<void> => {
    // Jobs without I/O of their own end in the same iteration of the event loop.
    await new Promise(setImmediate)
    const jobs = batches.get(kind)?.jobs ?? []
    batches.delete(kind)
    await (await boss()).complete(kind, jobs)
  }

  return {
    complete: (job) => {
      const batch = batches.get(job.name)
      if (batch) {
        batch.jobs.push(job)
        return batch.written
      }
      const jobs = [job]
      const made = { jobs, written: Promise.resolve() }
      batches.set(job.name, made)
      made.written = write(job.name)
      return made.written
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
