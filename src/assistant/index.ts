import type { Route } from '../http/route.ts'
import type { Audit, Quotas } from '../identity/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { EventBus } from '../storage/events.ts'
import { type JobWork, work } from '../storage/jobs/jobs.ts'
import type { PlatformScope } from '../storage/scope.ts'
import { erasureService } from './meetings/erasure.service.ts'
import { meetingRoutes } from './meetings/meeting.routes.ts'
import { meetingService } from './meetings/meeting.service.ts'
import { personalityRoutes } from './meetings/personality.routes.ts'
import { assistantTables } from './tenant-tables.ts'
import { transcriptRoutes } from './transcripts/transcript.routes.ts'
import { transcriptService } from './transcripts/transcript.service.ts'

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

const erasing = {
  name: 'assistant.meetings.erase-expired',
  attemptsMax: 3,
  backoffSeconds: 60,
  timeoutSeconds: 300,
  cron: '*/10 * * * *',
}

/** The meeting assistant: meetings and their transcripts. */
export function assistant(deps: AssistantDeps): Assistant {
  const meetings = meetingService(deps)
  const erasures = erasureService(deps)
  deps.events.on('user.removed', erasures.eraseOfUser)
  return {
    routes: [...meetingRoutes(meetings), ...transcriptRoutes(transcriptService(deps)), ...personalityRoutes()],
    jobs: [work(erasing, () => erasures.eraseExpired(deps.platform))],
    tenantTables: assistantTables,
  }
}
