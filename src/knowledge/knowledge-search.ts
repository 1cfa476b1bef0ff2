import { type EmbeddingClient, type EmbeddingSettings, embeddingClient } from '../ai/embedding-client.ts'
import type { ModelSettings } from '../ai/model-client.ts'
import { tenantModel } from '../ai/tenant-model.ts'
import type { Route } from '../http/route.ts'
import { housekeeping, type JobHandler, type Jobs, jobHandler } from '../jobs/jobs.ts'
import type { Clock } from '../kernel/clock.ts'
import { fairLimit } from '../kernel/fair-limit.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { SearchableTranscripts } from '../meetings/index.ts'
import type { OrganizationMembers } from '../organizations/index.ts'
import type { EventBus } from '../storage/events.ts'
import { inTenant, type PlatformScope, type Scope } from '../storage/scope.ts'
import type { Metering } from '../usage/index.ts'
import { type AnswersForReaders, answersForReaders } from './asks/answers-for-readers.ts'
import { askRoutes } from './asks/ask.routes.ts'
import { asksKeptSince } from './asks/ask.rules.ts'
import { askService } from './asks/ask.service.ts'
import { deleteAsksBefore, deleteAsksOf, deleteQuotes } from './asks/ask.store.ts'
import { draftAnswer } from './asks/draft-answer.ts'
import { type OpenAnswers, openAnswers } from './asks/open-answers.service.ts'
import { readableCollectionIds } from './collections/collection-access.store.ts'
import { passageReader } from './search/passages.ts'
import { searchRoute } from './search/search.routes.ts'
import { searchService } from './search/search.service.ts'
import { vectorSearch } from './search/vector-search.ts'
import { type ReadableSources, visibility } from './search/visible.store.ts'
import { documentIndex } from './search-index/document-index.ts'
import { deleteStagedBefore } from './search-index/indexed-item.store.ts'
import { itemIndex } from './search-index/item-index.service.ts'
import { missingTranscripts } from './search-index/missing-transcripts.service.ts'
import type { SearchIndex } from './search-index/search-index.ts'
import { indexAfterMeetings, transcriptIndex, transcriptJob } from './search-index/transcript-index.service.ts'
import { embeddingJob, embedItem, missingVectors } from './vectors/embedding.service.ts'

export type SearchingDeps = {
  platform: PlatformScope
  clock: Clock
  events: EventBus
  jobs: Jobs
  metrics: Metrics
  members: OrganizationMembers
  metering: Metering
  transcripts: SearchableTranscripts
  /** Null: all answers consist of quotes. */
  languageModel: ModelSettings | null
  /** Null: search and ask compare words alone. */
  embeddings: EmbeddingSettings | null
}

export type KnowledgeSearch = {
  routes: Route[]
  jobs: JobHandler[]
  searchIndex: SearchIndex
  openAnswers: OpenAnswers
  answersForReaders: AnswersForReaders
}

// Each reads some hundred index entries and twenty passages.
const askLimits = { concurrent: 4, queueMax: 200, keyQueueMax: 50 }
const dayMs = 24 * 60 * 60 * 1000
const batchRows = 500

/** Search and ask, and the index that both look through. */
export function knowledgeSearch(deps: SearchingDeps): KnowledgeSearch {
  const { clock, events, platform, transcripts, members } = deps
  const embeddings = deps.embeddings && embeddingClient(deps.embeddings, clock)
  const items = itemIndex({
    clock,
    onPublished: async (tx, indexedId) => {
      if (embeddings === null) return
      await deps.jobs.enqueue(tx, embeddingJob, { data: { indexedId }, tenantId: tx.tenantId, key: indexedId })
    },
  })
  indexAfterMeetings({ ...deps, items })
  const indexTranscript = transcriptIndex({ items, transcripts })
  const readableSources: ReadableSources = (reader, organization) => ({
    collections: readableCollectionIds(reader, organization),
    meetings: transcripts.meetingIdsFor(reader, organization),
  })
  const visible = visibility(readableSources)
  const passages = passageReader({ readableSources, transcripts })
  const compared = deps.metrics.counter({
    name: 'knowledge_vector_searches_total',
    help: 'Searches that compared vectors, and those that could not.',
    labels: ['outcome'],
  })
  const recordVectors = (outcome: 'used' | 'failed') => compared(outcome).add()
  const vectors = embeddings && vectorSearch({ visible, embeddings, recordVectors })
  const searching = searchService({ visible, passages, members, vectors })
  const model = deps.languageModel && tenantModel(deps.languageModel, deps)
  const asked = deps.metrics.counter({
    name: 'knowledge_asks_total',
    help: 'Questions answered from documents and transcripts, by engine, and whether an answer was found.',
    labels: ['engine', 'found'],
  })
  const recordAsk = ({ engine, found }: { engine: string; found: boolean }) => asked(engine, String(found)).add()
  const limitAsks = fairLimit(askLimits)
  const draft = draftAnswer({ searching, limitAsks, model })
  const asks = askService({ ...deps, searching, draft, passages, model, recordAsk })
  // Nobody else may read them.
  events.on('org.member.left', (tx, { tenantId, orgId, userId }) =>
    deleteAsksOf(inTenant(tx, tenantId), { orgId, userId }),
  )
  const eraseQuotes = (tx: Scope, { tenantId, meetingIds }: { tenantId: string; meetingIds: string[] }) =>
    deleteQuotes(inTenant(tx, tenantId), meetingIds)
  events.on('meetings.deleted', eraseQuotes)
  events.on('transcript.erased', eraseQuotes)
  const documents = documentIndex(items)
  return {
    routes: [searchRoute({ searching }), ...askRoutes({ asks })],
    jobs: [
      ...embeddingJobs(embeddings, deps),
      jobHandler(transcriptJob, ({ scope, data }) => indexTranscript(scope, data.meetingId)),
      housekeeping('knowledge.transcripts.index-missing', '*/10 * * * *', missingTranscripts(deps)),
      housekeeping('knowledge.asks.drop-old', '55 3 * * *', () =>
        inBatches(() => deleteAsksBefore(platform, asksKeptSince(clock.now()), batchRows)),
      ),
      housekeeping('knowledge.index.drop-staged', '35 3 * * *', () =>
        inBatches(() => deleteStagedBefore(platform, new Date(clock.now().getTime() - dayMs), batchRows)),
      ),
    ],
    openAnswers: openAnswers({ members, searching, limitAsks, passages }),
    answersForReaders: answersForReaders({ ...deps, draft, passages, model }),
    searchIndex: {
      ...documents,
      remove: async (tx, documentIds) => {
        await deleteQuotes(tx, documentIds)
        await documents.remove(tx, documentIds)
      },
    },
  }
}

/** None without an endpoint. Then jobs that were enqueued before wait for one. */
function embeddingJobs(
  embeddings: EmbeddingClient | null,
  { transcripts, platform, jobs }: SearchingDeps,
): JobHandler[] {
  if (embeddings === null) return []
  const sweep = missingVectors({ platform, jobs, model: embeddings.model })
  return [
    jobHandler(embeddingJob, embedItem({ embeddings, transcripts })),
    housekeeping('knowledge.vectors.embed-missing', '*/10 * * * *', sweep),
  ]
}

async function inBatches(deleteBatch: () => Promise<number>): Promise<void> {
  while ((await deleteBatch()) === batchRows);
}
