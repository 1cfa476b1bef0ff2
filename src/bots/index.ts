import type { RunnerAuthenticator } from '../http/access/callers.ts'
import type { Route } from '../http/route.ts'
import type { Log } from '../http/server-deps.ts'
import type { Audit } from '../identity/index.ts'
import { housekeeping, type JobHandler, type Jobs, jobHandler } from '../jobs/jobs.ts'
import type { IntervalTask } from '../jobs/schedule.ts'
import type { Clock } from '../kernel/clock.ts'
import type { MeetingHosts } from '../kernel/meeting-links.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { BotMeetings, TranscriptGap } from '../meetings/index.ts'
import type { OrganizationMembers } from '../organizations/index.ts'
import type { AllowedHosts } from '../outgoing/target-address.ts'
import type { EventBus } from '../storage/events.ts'
import type { FanOut } from '../storage/fan-out.ts'
import type { PlatformScope, TenantScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { LimitCounts, Metering, Quotas } from '../usage/index.ts'
import { artifactRoute } from './artifacts/artifact.routes.ts'
import { deleteArtifactsBefore } from './artifacts/artifact.store.ts'
import { botRoutes } from './bots/bot.routes.ts'
import { botService } from './bots/bot.service.ts'
import { countLiveBots, listGaps, type ReadableBy } from './bots/bot.store.ts'
import { botChecks } from './bots/bot-checks.service.ts'
import { botTransitions } from './bots/bot-transitions.ts'
import { chatAnswerJob, chatAnswers } from './bots/chat-answers.ts'
import { deployService } from './bots/deploy.service.ts'
import { followMeeting } from './bots/follow-meeting.ts'
import { listening } from './bots/listening.ts'
import { followMeetings } from './bots/meeting-changes.service.ts'
import { tenantEndJob, tenantEnds } from './bots/tenant-ends.service.ts'
import { botTranscriber } from './bots/transcriber.ts'
import { type CalendarBots, calendarBotJob, calendarBots } from './calendars/calendar-bots.service.ts'
import { ingestRoute } from './ingest/ingest.routes.ts'
import { ingestService } from './ingest/ingest.service.ts'
import { botMinutes } from './minutes/bot-minutes.ts'
import { killSwitchRoutes } from './pause/kill-switch.routes.ts'
import { pauseSetter } from './pause/pause.service.ts'
import { policyRoutes } from './policies/policy.routes.ts'
import { replays } from './providers/replay.service.ts'
import { protocolRoutes } from './runner-protocol/protocol.routes.ts'
import { runnerProtocol } from './runner-protocol/protocol.service.ts'
import { workWaiter } from './runner-protocol/work-waiter.ts'
import { runnerRoutes } from './runners/runner.routes.ts'
import { runnerService } from './runners/runner.service.ts'
import { runnerAuthenticator } from './runners/runner-authenticator.ts'
import { botTables } from './tenant-tables.ts'
import { vendorRoutes } from './vendors/vendor.routes.ts'
import { type VendorConnections, vendorService } from './vendors/vendor.service.ts'
import { listVendors } from './vendors/vendor.store.ts'
import type { TakeHint } from './vendors/vendor-hint.service.ts'
import type { VendorEndpoints } from './vendors/vendor-http.ts'
import { vendorModule } from './vendors/vendor-module.ts'

export { sealedBotLinks } from './bots/link-seal.ts'
export { readVendorEndpoints } from './vendors/vendor-endpoints.ts'
export type { VendorEndpoints } from './vendors/vendor-http.ts'

export { sealedVendorKeys } from './vendors/vendor-key-seal.ts'

type BotNews = { tenantId: string; botId: string; meetingId: string }

declare module '../storage/events.ts' {
  interface DomainEvents {
    /** It waits to be let in. */
    'bot.waiting': BotNews
    'bot.joined': BotNews
    /** It is in the meeting, and hears nothing. */
    'bot.degraded': BotNews
    'bot.left': BotNews & { reason: string }
    'bot.failed': BotNews & { reason: string }
  }
}

export type BotsDeps = {
  platform: PlatformScope
  clock: Clock
  log: Pick<Log, 'warn'>
  secrets: Secrets
  events: EventBus
  metrics: Metrics
  audit: Audit
  quotas: Quotas
  metering: Metering
  members: OrganizationMembers
  meetings: BotMeetings
  meetingHosts: MeetingHosts
  meetingReadableBy: ReadableBy
  fanOut: FanOut
  jobs: Jobs
  /** Which hosts may be asked on behalf of a tenant. */
  allowedHosts: AllowedHosts
  vendorEndpoints: VendorEndpoints
  vendorConnections: VendorConnections
  /** The address of this service as vendors reach it. Null: it is not known. */
  publicUrl: string | null
  /** The tenant to which the platform's own runners belong. */
  platformTenant(): Promise<string>
}

export type BotModule = {
  routes: Route[]
  jobs: JobHandler[]
  intervalTasks: IntervalTask[]
  tenantTables: TenantTable[]
  authenticator: RunnerAuthenticator
  limitCounts: LimitCounts
  takeVendorHint: TakeHint
  /** Told each time that a calendar names a meeting. */
  followAttendance: CalendarBots['noticed']
  /** When bots of a meeting were away from it. */
  findGaps: (scope: TenantScope, meetingId: string) => Promise<TranscriptGap[]>
  /** Answers all waiting polls now. */
  drain(): void
}

/** Every two seconds: no status lasts more than five seconds longer than it may. */
const checkSeconds = 2
const artifactDays = 7
const dayMs = 24 * 3600 * 1000

/** Bots that join meetings, say that they are bots, write down what is said, and leave. */
export function bots(outer: BotsDeps): BotModule {
  const { platform, clock } = outer
  const count = outer.metrics.counter({
    name: 'bots_over_total',
    help: 'Bots that have ended, by provider and reason.',
    labels: ['provider', 'reason'],
  })
  const hearing = listening(outer)
  const minutes = botMinutes(outer)
  const transitions = botTransitions({
    ...outer,
    minutes,
    listening: hearing,
    countOutcome: ({ provider, reason }) => count(provider, reason ?? '').add(),
  })
  const answers = chatAnswers({ ...outer, transitions })
  const transcriber = botTranscriber({ ...outer, answers })
  const deployments = deployService({
    ...outer,
    minutes,
    transitions,
    replays: replays(outer),
    vendorsSetUp: async (scope) => (await listVendors(scope)).map(({ vendor }) => vendor),
  })
  const calendars = calendarBots({ ...outer, deployments, transitions })
  const records = botService({ ...outer, transitions, transcriber })
  const endOfTenant = tenantEnds({ ...outer, bots: records })
  const waiter = workWaiter(outer.fanOut)
  const protocol = runnerProtocol({ ...outer, transitions, transcriber, waiter })
  const { check } = botChecks({
    ...outer,
    listening: hearing,
    transitions,
    minutes,
    transcriber,
    deployments,
    follow: followMeeting({ ...outer, transitions }),
  })
  followMeetings({ ...outer, transitions, minutes })
  const vendors = vendorService({ ...outer, connections: outer.vendorConnections })
  const vendorPart = vendorModule({ ...outer, vendors, transitions, transcriber })
  return {
    routes: [
      ...killSwitchRoutes({ setPause: pauseSetter(outer), stopAll: records.stopAll }),
      ...policyRoutes(outer),
      ...vendorRoutes(vendors),
      ...runnerRoutes({ runners: runnerService(outer), platformTenant: outer.platformTenant }),
      ...botRoutes({ bots: records, deployments, readableBy: outer.meetingReadableBy, clock }),
      artifactRoute(records.artifact),
      ...protocolRoutes({ protocol, clock }),
      ingestRoute(ingestService({ platform, clock, transitions, transcriber })),
    ],
    followAttendance: calendars.noticed,
    jobs: [
      jobHandler(calendarBotJob, ({ scope, data }) => calendars.follow(scope, data)),
      jobHandler(tenantEndJob, ({ scope, data }) => endOfTenant(scope, data)),
      jobHandler(chatAnswerJob, ({ scope, data }) => answers.answer(scope, data)),
      housekeeping('bots.artifacts.drop-old', '15 * * * *', () =>
        deleteArtifactsBefore(platform, new Date(clock.now().getTime() - artifactDays * dayMs)),
      ),
      ...vendorPart.jobs,
    ],
    // The name is stored.
    intervalTasks: [{ name: 'bots.look', everySeconds: checkSeconds, run: check }, ...vendorPart.intervalTasks],
    tenantTables: botTables,
    findGaps: listGaps,
    authenticator: runnerAuthenticator({ platform, clock }),
    limitCounts: { tenant: { maxLiveBots: countLiveBots } },
    takeVendorHint: vendorPart.takeHint,
    drain: waiter.end,
  }
}
