import { deleteDoneJobs } from './job.store.ts'
import { type JobKind, jobHandler } from './jobs.ts'

const kind: JobKind<object> = {
  name: 'storage.jobs.drop-done',
  attemptsMax: 3,
  backoffSeconds: 60,
  timeoutSeconds: 60,
  cron: '17 * * * *',
}

/** Forgets jobs that were done a day ago and dead ones of 90 days. */
export const deleteDoneJobsDaily = jobHandler(kind, async ({ scope }) => {
  await deleteDoneJobs(scope)
})
