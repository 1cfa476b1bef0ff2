import { availableParallelism } from 'node:os'
import type { ModelSettings } from '../ai/model-client.ts'
import { tenantModel } from '../ai/tenant-model.ts'
import { aiTables } from '../ai/tenant-tables.ts'
import { mount, type TenantExists, tenantMount } from '../http/mounts.ts'
import type { Route } from '../http/route.ts'
import type { Log } from '../http/server-deps.ts'
import type { Audit } from '../identity/index.ts'
import type { HandleMention } from '../inbound/index.ts'
import { housekeeping, type JobHandler, type Jobs, jobHandler } from '../jobs/jobs.ts'
import type { Clock } from '../kernel/clock.ts'
import type { MeetingHosts } from '../kernel/meeting-links.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { OrganizationMembers } from '../organizations/index.ts'
import type { EventBus } from '../storage/events.ts'
import type { FanOut } from '../storage/fan-out.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import { summaryWriter, type WriterOptions } from '../summarizer/writing/writer.ts'
import type { LimitCounts, Metering, Quotas } from '../usage/index.ts'
import { answerService } from './answers/answer.service.ts'
import { type ChatAnswers, chatAnswers } from './answers/chat-answers.ts'
import { draftedAnswerBase, draftedAnswerRoutes } from './answers/drafted-answer.routes.ts'
import { deleteOldDrafts, draftedAnswers, draftingJob } from './answers/drafted-answer.service.ts'
import { mentionHandler } from './answers/mention.service.ts'
import { meteredAnswers } from './answers/metered-answers.ts'
import type { OpenAnswers } from './answers/open-answers.ts'
import { organizationAnswers } from './answers/organization-answer.service.ts'
import { type BotMeetings, botMeetings } from './bot-meetings/bot-meeting.service.ts'
import type { FindGaps } from './entries/gap.schema.ts'
import { createAsyncApi } from './live/asyncapi.ts'
import { liveRoutes } from './live/live.routes.ts'
import type { GetSummary } from './live/live-session.ts'
import { meetingFeeds } from './live/meeting-feeds.ts'
import { erasureService } from './meetings/erasure.service.ts'
import { joinUrlSeal } from './meetings/join-url.ts'
import { leavingService } from './meetings/leaving.service.ts'
import { meetingRoutes } from './meetings/meeting.routes.ts'
import type { MeetingStatus } from './meetings/meeting.rules.ts'
import { meetingService } from './meetings/meeting.service.ts'
import { countCreatedByDay, countMeetings } from './meetings/meeting.store.ts'
import { getMeeting } from './meetings/meeting-access.ts'
import { meetingChangeNotifier, meetingReadersNotifier } from './meetings/meeting-changes.ts'
import { type PlannedMeetings, plannedMeetings } from './meetings/planned-meetings.ts'
import { meetingSharing } from './meetings/sharing.service.ts'
import { isMeetingReadableBy } from './meetings/sharing.store.ts'
import { meetingMetrics } from './meetings.metrics.ts'
import { personalityRoutes } from './personalities/personality.routes.ts'
import { type RecordedMeetings, recordedMeetings } from './recordings/recorded-meeting.service.ts'
import { type ActionItems, actionItemService } from './summaries/action-items.service.ts'
import { listEndedFor } from './summaries/ended-meetings.store.ts'
import { summaryRoutes } from './summaries/summary.routes.ts'
import { summaryService } from './summaries/summary.service.ts'
import { summaryReader } from './summaries/summary-reader.ts'
import { meetingTables } from './tenant-tables.ts'
import { hasParticipant } from './transcripts/searchable-transcript.store.ts'
import { type SearchableTranscripts, searchableTranscripts } from './transcripts/searchable-transcript.ts'
import { transcriptRoutes } from './transcripts/transcript.routes.ts'
import { transcriptService } from './transcripts/transcript.service.ts'
import { transcriptMeetings } from './transcripts/transcript-meeting.ts'

declare module '../storage/events.ts' {
  interface DomainEvents {
    'meeting.created': { tenantId: string; meetingId: string }
    /** Somebody else than the owner may read it now, or with whom it is shared has changed. */
    'meeting.shared': { tenantId: string; meetingId: string }
    /** `userId`: the owner of the meeting. */
    'meeting.completed': { tenantId: string; meetingId: string; orgId: string | null; userId: string }
    /** The search is done, and the answer can be sent. */
    'answer.drafted': { tenantId: string; answerId: string }
    /** Somebody asked in a conversation with us alone, and nothing says whose meetings may be quoted. */
    'answer.asker.unknown': { tenantId: string; answerId: string }
    /** All meetings belong to one tenant. Their transcripts and summaries are deleted with them. */
    'meetings.deleted': { tenantId: string; meetingIds: string[] }
    /** The title of a meeting of an organization was changed. */
    'meeting.renamed': { tenantId: string; meetingId: string }
    /** It belongs to an organization now, or to another one than before. */
    'meeting.assigned': { tenantId: string; meetingId: string }
    /** Part of a transcript was erased, with what was made from it. */
    'transcript.erased': { tenantId: string; meetingIds: string[] }
    /** The place, the time or the status of a meeting was changed by a person or a calendar. */
    'meeting.changed': { tenantId: string; meetingId: string }
    /** They left their organization, for another one or for none. All belong to one tenant, and are locked. */
    'meetings.moved': { tenantId: string; meetingIds: string[] }
    /** `userId`: the owner of the meeting. `minutes`: by how many begun minutes the transcript became longer. */
    'transcript.updated': {
      tenantId: string
      meetingId: string
      orgId: string | null
      status: MeetingStatus
      userId: string
      minutes: number
    }
    /** `userId`: the owner of the meeting. */
    'summary.ready': {
      tenantId: string
      meetingId: string
      mode: string
      orgId: string | null
      status: MeetingStatus
      userId: string
    }
  }
}

declare module '../storage/row-counts.ts' {
  interface CountedTables {
    meetings: true
  }
}

export type MeetingsDeps = {
  /** Erases expired meetings across tenants. */
  platform: PlatformScope
  clock: Clock
  secrets: Secrets
  /** Hosts of meetings beside those that everybody knows. */
  meetingHosts: MeetingHosts
  log: Pick<Log, 'warn'>
  events: EventBus
  audit: Audit
  quotas: Quotas
  metering: Metering
  members: OrganizationMembers
  /** When bots of a meeting were away from it. */
  findGaps: FindGaps
  /** Answers from what all members of an organization may read. */
  openAnswers(): OpenAnswers
  tenantExists: TenantExists
  /** Null: the local engine writes all summaries. */
  languageModel: ModelSettings | null
  fanOut: FanOut
  metrics: Metrics
  jobs: Jobs
  /** Replaces settings of the workers that write summaries. */
  writing?: Partial<WriterOptions>
}

export type { ModelSettings } from '../ai/model-client.ts'
export type { WriterOptions } from '../summarizer/writing/writer.ts'
export type { ChatAnswers } from './answers/chat-answers.ts'
export type { ChatAnswer } from './answers/drafted-answer.rules.ts'
export type { BotMeetings } from './bot-meetings/bot-meeting.service.ts'
export type { NewEntry } from './entries/entry.rules.ts'
export type { TranscriptGap } from './entries/gap.schema.ts'
export { sealedJoinUrls } from './meetings/join-url.ts'
export type { Meeting } from './meetings/meeting.rules.ts'
export type { PlannedMeetings } from './meetings/planned-meetings.ts'
export type { RecordedMeetings } from './recordings/recorded-meeting.service.ts'
export type { ActionItem, ActionItems, CitedEntry, MeetingActionItems } from './summaries/action-items.service.ts'
export type { SummaryPointer } from './summaries/summary-pointers.store.ts'
export type { QuotableEntry, SearchableTranscripts } from './transcripts/searchable-transcript.ts'

export type Meetings = {
  routes: Route[]
  jobs: JobHandler[]
  tenantTables: TenantTable[]
  /** Drafts an answer to a question from a chat. */
  handleMention: HandleMention
  actionItems: ActionItems
  chatAnswers: ChatAnswers
  /** Meetings that follow calendars. */
  planned: PlannedMeetings
  /** Transcripts of meetings that another service has recorded. */
  recorded: RecordedMeetings
  /** Makes meetings of transcript files. */
  readTranscript: ReturnType<typeof transcriptMeetings>
  /** Meetings that ended, with their decisions. */
  listEndedFor: typeof listEndedFor
  /** Whether a meeting that is not private names an address among its participants. */
  hasParticipant: typeof hasParticipant
  searchableTranscripts: SearchableTranscripts
  /** What is stored now, of what has limits. */
  limitCounts: LimitCounts
  /** For the nightly check of what was counted. */
  countCreatedByDay: typeof countCreatedByDay
  /** A meeting with its short summary, for those who may read it. Refuses NOT_FOUND and UNAVAILABLE. */
  readSummary: ReturnType<typeof summaryReader>
  /** Refuses NOT_FOUND to those who may not read the meeting. */
  requireReadable: typeof getMeeting
  /** For queries of other capabilities. */
  isMeetingReadableBy: typeof isMeetingReadableBy
  /** What bots do with their meetings. */
  botMeetings: BotMeetings
  /** Describes the WebSocket. */
  asyncApi: (version: string) => object
  /** Ends the workers that write summaries. */
  flush: () => Promise<void>
}

/** One core stays free for requests on small machines. A minute is more than the longest transcript takes. */
const writerOptions = {
  workersMax: Math.max(1, Math.min(4, availableParallelism() - 1)),
  queueMax: 64,
  timeoutMs: 60_000,
}
// The longest delay of an entry when the notice of its change is lost, and of closing the connection of somebody who may no
// longer read. That must take less than two seconds.
const livePollMs = 1_500

/** Meetings, their transcripts and summaries, and following them live. */
export function meetings(outerDeps: MeetingsDeps): Meetings {
  const sharing = meetingSharing(outerDeps)
  const joinUrls = joinUrlSeal(outerDeps.secrets)
  const deps = { ...outerDeps, sharing, joinUrls, notifyChange: meetingChangeNotifier(outerDeps.fanOut) }
  const meetingRecords = meetingService(deps)
  const transcripts = transcriptService(deps)
  const model = deps.languageModel && tenantModel(deps.languageModel, deps)
  const writer = summaryWriter({ ...writerOptions, ...deps.writing })
  const { recordSummary, measureAnswers } = meetingMetrics(deps.metrics)
  const summaries = summaryService({ ...deps, writer, model, recordSummary })
  const getSummary: GetSummary = (scope, user, { meetingId, mode }) =>
    summaries.get(scope, user, { id: meetingId, ...(mode === undefined ? {} : { mode }) })
  const erasures = erasureService(deps)
  const answerQuestion = measureAnswers(
    meteredAnswers({ ...deps, answerQuestion: answerService({ model }), engine: model === null ? 'local' : 'llm' }),
  )
  const feeds = meetingFeeds({ platform: deps.platform, fanOut: deps.fanOut, pollMs: livePollMs })
  // Without a model: an answer for a chat consists of quotes, which are deleted with their meetings.
  const ofOrganizations = organizationAnswers(deps)
  const drafts = draftedAnswers({
    ...deps,
    answerQuestion: answerService({ model: null }),
    organizationAnswers: ofOrganizations,
  })
  const answers = draftedAnswerRoutes({ organizationAnswers: ofOrganizations })
  deps.events.on('user.removed', erasures.eraseMeetingsOfUser)
  const leaving = leavingService({ ...deps, notifyReaders: meetingReadersNotifier(deps.fanOut) })
  deps.events.on('org.member.left', leaving.memberLeft)
  deps.events.on('org.deleted', leaving.organizationDeleted)
  return {
    routes: [
      ...meetingRoutes(meetingRecords),
      ...transcriptRoutes(transcripts, deps.findGaps),
      ...summaryRoutes(summaries),
      ...personalityRoutes(),
      ...liveRoutes({ feeds, transcripts, answerQuestion, getSummary }),
      ...answers,
      ...mount(answers, [tenantMount(draftedAnswerBase, deps.tenantExists)]),
    ],
    jobs: [
      housekeeping('assistant.meetings.erase-expired', '*/10 * * * *', () => erasures.eraseExpired(deps.platform)),
      jobHandler(draftingJob, ({ scope, data }) => drafts.answer(scope, data.answerId)),
      housekeeping('meetings.drafted-answers.drop-old', '40 3 * * *', () => deleteOldDrafts(deps.platform, deps.clock)),
    ],
    tenantTables: [...meetingTables, ...aiTables],
    readSummary: summaryReader(summaries),
    requireReadable: getMeeting,
    isMeetingReadableBy,
    botMeetings: botMeetings({ ...deps, meetings: meetingRecords, answerQuestion, openJoinUrl: joinUrls.open }),
    searchableTranscripts,
    listEndedFor,
    hasParticipant,
    limitCounts: { tenant: { maxMeetings: countMeetings } },
    countCreatedByDay,
    asyncApi: createAsyncApi,
    handleMention: mentionHandler(drafts),
    chatAnswers: chatAnswers({ ...deps, organizationAnswers: ofOrganizations }),
    actionItems: actionItemService({ writer }),
    planned: plannedMeetings(meetingRecords),
    recorded: recordedMeetings({ ...deps, meetings: meetingRecords }),
    readTranscript: transcriptMeetings({ meetings: meetingRecords, transcripts }),
    flush: () => writer.close(),
  }
}
