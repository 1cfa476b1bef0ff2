import type { Boss } from './boss.ts'
import type { Attempt } from './job.store.ts'

const errorCharactersMax = 500

type Named = Attempt & { name: string }

export type CompletionBatch = {
  /** Done. Jobs of a kind that end in the same moment are settled by one statement. */
  complete(job: Named): Promise<void>
  /** This try failed: there will be another after a wait, or the job is dead. */
  fail(job: Named, error: unknown): Promise<void>
}

/** Writes how tries ended. A try that the queue has given to another node in the meantime is left alone. */
export function completionBatch(boss: () => Promise<Boss>): CompletionBatch {
  const batches = new Map<string, { jobs: Named[]; written: Promise<void> }>()

  const write = async (kind: string): Promise<void> => {
    // Jobs without I/O of their own end in the same turn of the event loop.
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

/** What administrators are shown of a failure. */
function errorMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  // PostgreSQL's text has no NUL.
  return text.replaceAll('\0', '').slice(0, errorCharactersMax)
}
