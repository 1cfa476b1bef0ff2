import type { Route } from '../http/route.ts'
import type { Audit, Quotas } from '../identity/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { EventBus } from '../storage/events.ts'
import type { JobWork } from '../storage/jobs/jobs.ts'
import type { PlatformScope } from '../storage/scope.ts'
import { meetingRoutes } from './meetings/meeting.routes.ts'
import { meetingService } from './meetings/meeting.service.ts'
import { assistantTables } from './tenant-tables.ts'

export type AssistantDeps = {
  /** In the name of the system: erases meetings whose time is over. */
  platform: PlatformScope
  clock: Clock
  events: EventBus
  audit: Audit
  quotas: Quotas
}

export type Assistant = {
  routes: Route[]
  jobs: JobWork[]
  tenantTables: TenantTable[]
}

/** The meeting assistant: meetings and their transcripts. */
export function assistant(deps: AssistantDeps): Assistant {
  const meetings = meetingService(deps)
  return {
    routes: [...meetingRoutes(meetings)],
    jobs: [],
    tenantTables: assistantTables,
  }
}
