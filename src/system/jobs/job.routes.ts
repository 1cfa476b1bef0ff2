import { admin } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import type { Audit } from '../../identity/index.ts'
import { listJobs, reviveJob, reviveJobs } from '../../jobs/job-list.store.ts'
import { toPagination } from '../../kernel/paging.ts'
import { notFound } from '../../kernel/refusal.ts'
import { isoOrNull } from '../../kernel/schemas.ts'
import { transaction } from '../../storage/scope.ts'
import { JobList, JobQuery, JobsToRevive, RevivedJob, RevivedJobs } from './job.schema.ts'

export type JobRouteDeps = { audit: Audit }

const tag = 'Jobs'
const revivedMax = 1000

export function jobRoutes({ audit }: JobRouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/platform/admin/jobs',
      name: 'listJobs',
      tag,
      summary: 'List the unfinished jobs, newest first',
      description: 'The data of a job is not shown: it may contain a secret.',
      access: admin('VIEWER'),
      query: JobQuery,
      answers: { 200: JobList },
      handle: async ({ platform, query: { page = 1, limit = 20, kind = null, state = null } }) => {
        const { items, total } = await listJobs(platform, { page, limit, kind, state })
        const jobs = items.map(({ enqueuedAt, runAt, startedAt, diedAt, ...job }) => ({
          ...job,
          enqueuedAt: enqueuedAt.toISOString(),
          runAt: runAt.toISOString(),
          startedAt: isoOrNull(startedAt),
          diedAt: isoOrNull(diedAt),
        }))
        return ok({ jobs, pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'POST',
      path: '/v1/platform/admin/jobs/:jobId/retry',
      name: 'retryJob',
      tag,
      summary: 'Retry a dead job',
      access: admin('OWNER'),
      idempotent: true,
      answers: { 200: RevivedJob },
      handle: ({ platform, params }) =>
        transaction(platform, async (tx) => {
          const job = await reviveJob(tx, params.jobId)
          if (job === null) throw notFound()
          const { id, kind, tenantId } = job
          await audit(tx, { action: 'job.retry', target: { type: 'job', id }, tenantId, changes: { kind } })
          return ok({ job: { id, kind } })
        }),
    }),
    route({
      method: 'POST',
      path: '/v1/platform/admin/jobs/retry',
      name: 'retryJobs',
      tag,
      summary: 'Retry the dead jobs of a kind',
      access: admin('OWNER'),
      body: JobsToRevive,
      idempotent: true,
      answers: { 200: RevivedJobs },
      handle: ({ platform, body: { kind } }) =>
        transaction(platform, async (tx) => {
          const retried = await reviveJobs(tx, { kind, limit: revivedMax })
          if (retried > 0)
            await audit(tx, { action: 'job.retry', target: { type: 'job', id: null }, changes: { kind, retried } })
          return ok({ retried })
        }),
    }),
  ]
}
