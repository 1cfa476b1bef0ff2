import type { Subscriptions } from '../email/index.ts'
import type { Route } from '../http/route.ts'
import { housekeeping, type JobHandler } from '../jobs/jobs.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { PlatformScope } from '../storage/scope.ts'
import { digestRoutes } from './digest.routes.ts'
import { type DigestDeps, digestService } from './digest.service.ts'
import { digestTables } from './tenant-tables.ts'

export type DigestsModule = {
  routes: Route[]
  jobs: JobHandler[]
  tenantTables: TenantTable[]
  /** The links that end digests. */
  subscriptions: Subscriptions
}

/** Mails to users about their meetings and tasks, each day or week, for those who want them. */
export function digests({ platform, ...deps }: DigestDeps & { platform: PlatformScope }): DigestsModule {
  const service = digestService(deps)
  return {
    routes: digestRoutes(service),
    jobs: [
      // The names are older than this folder. They are stored with the jobs.
      // Every quarter of an hour, because the offsets of time zones are whole quarters.
      housekeeping('email.digests.send', '*/15 * * * *', () => service.sendDue(platform)),
      housekeeping('email.digests.drop-old', '50 3 * * *', () => service.dropOld(platform)),
    ],
    tenantTables: digestTables,
    subscriptions: service.subscriptions,
  }
}
