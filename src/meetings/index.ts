import { availableParallelism } from 'node:os'
import type { ModelSettings } from '../ai/model-client.ts'
import { tenantModel } from '../ai/tenant-model.ts'
import type { RateCounter } from '../http/limits/rate-limit.ts'
import type { Log } from '../http/parts.ts'
import type { Route } from '../http/route.ts'
import type { Audit, Quotas } from '../identity/index.ts'
import { type InboundSettings, inbound } from '../inbound/index.ts'
import { type Jobs, type JobWork, work } from '../jobs/jobs.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { EventBus } from '../storage/events.ts'
import type { FanOut } from '../storage/fan-out.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import { summaryWriter, type WriterOptions } from '../summarizer/writing/writer.ts'
import { answerService } from './answers/answer.service.ts'
import { liveRoutes } from './live/live.routes.ts'
import type { SummaryOf } from './live/live-session.ts'
import { meetingFeeds } from './live/meeting-feeds.ts'
import { erasureService } from './meetings/erasure.service.ts'
import { meetingRoutes } from './meetings/meeting.routes.ts'
import { meetingService } from './meetings/meeting.service.ts'
import { meetingChangedOver } from './meetings/meeting-news.ts'
import { personalityRoutes } from './meetings/personality.routes.ts'
import { assistantMetrics } from './meetings.metrics.ts'
import { summaryRoutes } from './summaries/summary.routes.ts'
import { summaryService } from './summaries/summary.service.ts'
import { assistantTables } from './tenant-tables.ts'
import { transcriptRoutes } from './transcripts/transcript.routes.ts'
import { transcriptService } from './transcripts/transcript.service.ts'

export type AssistantDeps = {
  /** In the name of the system: erases meetings whose time is over. */
  platform: PlatformScope
  clock: Clock
  log: Pick<Log, 'warn'>
  events: EventBus
  audit: Audit
  quotas: Quotas
  /** Null: the local engine writes all summaries. */
  languageModel: ModelSettings | null
  fanOut: FanOut
  secrets: Secrets
  metrics: Metrics
  jobs: Jobs
  rateCounter: RateCounter
  /** Whether the database works in this process. */
  isEmbedded: boolean
  tenantExists(scope: PlatformScope, tenantId: string): Promise<boolean>
  soleTenant(scope: PlatformScope, named: string | null): Promise<string | null>
  /** What is otherwise than the service has it. */
  inbound?: Partial<InboundSettings>
  writing?: Partial<WriterOptions>
}

export type { ModelSettings } from '../ai/model-client.ts'
export { sealedWebhookSecrets } from '../inbound/connections/connection-secrets.ts'
export type { InboundSettings } from '../inbound/index.ts'
export type { WriterOptions } from '../summarizer/writing/writer.ts'

export type Assistant = {
  routes: Route[]
  jobs: JobWork[]
  tenantTables: TenantTable[]
  prepare(): Promise<void>
  /** Ends the threads that write summaries. */
  flush: () => Promise<void>
}

const erasing = {
  name: 'assistant.meetings.erase-expired',
  attemptsMax: 3,
  backoffSeconds: 60,
  timeoutSeconds: 300,
  cron: '*/10 * * * *',
}

/** Two threads keep a core for requests on small machines; a minute is more than the longest transcript takes. */
const writing = { workersMax: Math.max(1, Math.min(4, availableParallelism() - 1)), queueMax: 64, timeoutMs: 60_000 }
// What is said is heard this much later at most where the news of it are lost.
const livePollMs = 3_000

/** The meeting assistant: meetings, their transcripts and summaries, and following them live. */
export function assistant(given: AssistantDeps): Assistant {
  const deps = { ...given, meetingChanged: meetingChangedOver(given.fanOut) }
  const meetings = meetingService(deps)
  const transcripts = transcriptService(deps)
  const model = deps.languageModel && tenantModel(deps.languageModel, deps.clock)
  const writer = summaryWriter({ ...writing, ...given.writing })
  const { summaryWritten, answers: counted } = assistantMetrics(deps.metrics)
  const summaries = summaryService({ ...deps, writer, model, summaryWritten })
  const summaryOf: SummaryOf = (scope, user, { meetingId, mode }) =>
    summaries.get(scope, user, { id: meetingId, ...(mode === undefined ? {} : { mode }) })
  const erasures = erasureService(deps)
  const answers = counted(answerService({ model }))
  const feeds = meetingFeeds({ platform: deps.platform, fanOut: deps.fanOut, pollMs: livePollMs })
  // What is drafted for a chat is made of quotes alone, which go with their meetings.
  const webhooks = inbound({ ...deps, answers: answerService({ model: null }) }, given.inbound)
  deps.events.on('user.removed', erasures.eraseOfUser)
  return {
    routes: [
      ...meetingRoutes(meetings),
      ...transcriptRoutes(transcripts),
      ...summaryRoutes(summaries),
      ...personalityRoutes(),
      ...liveRoutes({ feeds, transcripts, answers, summaryOf }),
      ...webhooks.routes,
    ],
    jobs: [work(erasing, () => erasures.eraseExpired(deps.platform)), ...webhooks.jobs],
    tenantTables: assistantTables,
    prepare: webhooks.prepare,
    flush: () => writer.close(),
  }
}
