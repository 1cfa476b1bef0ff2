import type { Route } from '../http/route.ts'
import type { Audit, Quotas } from '../identity/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { EventBus } from '../storage/events.ts'
import type { FanOut } from '../storage/fan-out.ts'
import { type JobWork, work } from '../storage/jobs/jobs.ts'
import type { PlatformScope } from '../storage/scope.ts'
import { localAnswers } from './live/answers/answer.service.ts'
import { liveRoutes } from './live/live.routes.ts'
import type { SummaryOf } from './live/live-session.ts'
import { meetingFeeds } from './live/meeting-feeds.ts'
import { erasureService } from './meetings/erasure.service.ts'
import { meetingRoutes } from './meetings/meeting.routes.ts'
import { meetingService } from './meetings/meeting.service.ts'
import { meetingChangedOver } from './meetings/meeting-news.ts'
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
  fanOut: FanOut
  /** Summaries for those who follow a meeting live. */
  summaryOf?: SummaryOf
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

// What is said is heard this much later at most where the news of it are lost.
const livePollMs = 3_000

/** The meeting assistant: meetings and their transcripts. */
export function assistant(given: AssistantDeps): Assistant {
  const deps = { ...given, meetingChanged: meetingChangedOver(given.fanOut) }
  const meetings = meetingService(deps)
  const transcripts = transcriptService(deps)
  const erasures = erasureService(deps)
  const feeds = meetingFeeds({ platform: deps.platform, fanOut: deps.fanOut, pollMs: livePollMs })
  deps.events.on('user.removed', erasures.eraseOfUser)
  return {
    routes: [
      ...meetingRoutes(meetings),
      ...transcriptRoutes(transcripts),
      ...personalityRoutes(),
      ...liveRoutes({ feeds, transcripts, answers: localAnswers(), summaryOf: deps.summaryOf }),
    ],
    jobs: [work(erasing, () => erasures.eraseExpired(deps.platform))],
    tenantTables: assistantTables,
  }
}
