import type { EmbeddingSettings } from '../ai/embedding-client.ts'
import type { ModelSettings } from '../ai/model-client.ts'
import { documentReader, type ReadingLimits } from '../extraction/document-reader.ts'
import type { Route } from '../http/route.ts'
import type { Log } from '../http/server-deps.ts'
import type { Audit } from '../identity/index.ts'
import { housekeeping, type JobHandler, type JobLookup, type Jobs, jobHandler } from '../jobs/jobs.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { SearchableTranscripts } from '../meetings/index.ts'
import type { OrganizationMembers } from '../organizations/index.ts'
import type { Blobs } from '../storage/blobs/blobs.ts'
import { claimedBlobs } from '../storage/blobs/claimed-blobs.ts'
import type { EventBus } from '../storage/events.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { LimitCounts, Metering, ReadStockLimit, TellStored } from '../usage/index.ts'
import type { AnswersForReaders } from './asks/answers-for-readers.ts'
import type { OpenAnswers } from './asks/open-answers.service.ts'
import { collectionRoutes } from './collections/collection.routes.ts'
import { collectionService } from './collections/collection.service.ts'
import { collectionMemberService, followOrganizations } from './collections/collection-member.service.ts'
import { fileAdder } from './documents/add-file.ts'
import { blobRemoval } from './documents/blob-removal.ts'
import { contentRoute } from './documents/content.routes.ts'
import { contentService } from './documents/content.service.ts'
import { documentRoutes } from './documents/document.routes.ts'
import { documentService } from './documents/document.service.ts'
import { documentErasure } from './documents/document-erasure.ts'
import { documentRecords, extracting } from './documents/document-record.ts'
import { erasureCheck } from './documents/erasure-check.service.ts'
import { eraseWithOwners } from './documents/erasure-with-owners.ts'
import { extractionMetrics } from './documents/extraction.metrics.ts'
import { extractionService } from './documents/extraction.service.ts'
import { type ImportedDocuments, importedDocuments } from './documents/imported-document.service.ts'
import { lostExtractions } from './documents/lost-extractions.service.ts'
import { lostReindexing } from './documents/lost-reindexing.service.ts'
import { fileReceiver } from './documents/receive-file.ts'
import { reindexer, reindexing } from './documents/reindex.service.ts'
import { countStoredDocuments, recountDocuments } from './documents/stored-documents.store.ts'
import { textPreparation } from './documents/text-preparation.ts'
import { versionRoutes } from './documents/version.routes.ts'
import { knowledgeSearch } from './knowledge-search.ts'
import { searchTables } from './search-tables.ts'
import { knowledgeTables } from './tenant-tables.ts'

declare module '../storage/events.ts' {
  interface DomainEvents {
    'org.document.ready': { tenantId: string; orgId: string; documentId: string; version: number }
    'org.document.failed': { tenantId: string; orgId: string; documentId: string; version: number }
    /** All of one organization. Emitted once they are deleted. Not for those of an organization that is deleted. */
    'org.documents.deleted': { tenantId: string; orgId: string; documentIds: string[] }
  }
}

export type { EmbeddingSettings } from '../ai/embedding-client.ts'
export type { ReadingLimits } from '../extraction/document-reader.ts'
export type { ImportedDocuments } from './documents/imported-document.service.ts'

export type KnowledgeDeps = {
  platform: PlatformScope
  clock: Clock
  log: Log
  jobs: Jobs & JobLookup
  events: EventBus
  metrics: Metrics
  audit: Audit
  members: OrganizationMembers
  metering: Metering
  readStockLimit: ReadStockLimit
  tellStored: TellStored
  blobs: Blobs
  transcripts: SearchableTranscripts
  /** Null: all answers consist of quotes. */
  languageModel: ModelSettings | null
  /** Null: search and ask compare words alone. */
  embeddings: EmbeddingSettings | null
  reading?: Partial<ReadingLimits> | undefined
}

export type Knowledge = {
  routes: Route[]
  jobs: JobHandler[]
  tenantTables: TenantTable[]
  openAnswers: OpenAnswers
  /** Documents that are made of files of other services. */
  imported: ImportedDocuments
  /** Answers from what somebody may read who is known by an address, for example. */
  answersForReaders: AnswersForReaders
  /** Stores a file as a document. */
  files: ReturnType<typeof fileAdder>
  /** What is stored now, of what has limits. */
  limitCounts: LimitCounts
  /** Adds up what the documents of a tenant take, and puts right what was counted. */
  recountDocuments: typeof recountDocuments
  /** Ends the workers that read documents. */
  flush(): Promise<void>
}

/** Collections of documents that belong to organizations, and search and ask over them and over transcripts. */
export function knowledge(deps: KnowledgeDeps): Knowledge {
  const { platform, metrics, members, blobs } = deps
  const search = knowledgeSearch(deps)
  const { searchIndex } = search
  const claimed = claimedBlobs(deps)
  const removeBlobs = blobRemoval({ platform, claimed })
  const erasure = documentErasure({ ...deps, searchIndex })
  const collections = collectionService({
    ...deps,
    eraseDocuments: erasure.eraseAll,
    noteErased: erasure.noteErased,
    removeBlobs,
  })
  const collectionMembers = collectionMemberService({ ...deps, collections })
  followOrganizations({ ...deps, memberLeft: collectionMembers.memberLeft })
  const removeLater = eraseWithOwners({ ...deps, erasure, claimed })

  const records = documentRecords(deps)
  const documents = documentService({ ...deps, blobs: claimed, removeBlobs, records, erasure, searchIndex })
  const contents = contentService({ blobs, documents })
  const reader = documentReader(deps.reading)
  const texts = textPreparation()
  const extractionMeters = extractionMetrics(metrics, platform)
  const extractions = extractionService({
    ...{ ...deps, records, searchIndex, reader },
    prepareText: texts.prepare,
    removeBlobs,
    metrics: extractionMeters,
  })
  const reindexLost = lostReindexing(deps)
  const recoverLost = lostExtractions({ ...deps, records, extractions })
  const erasures = erasureCheck({ ...deps, metrics: extractionMeters })
  const files = fileReceiver({ blobs })
  const routeDeps = { documents, members, files }
  return {
    routes: [
      ...collectionRoutes({ collections, members: collectionMembers }),
      ...documentRoutes(routeDeps),
      ...versionRoutes(routeDeps),
      contentRoute({ contents }),
      ...search.routes,
    ],
    jobs: [
      { ...jobHandler(extracting, extractions.extract), onExhausted: extractions.onExhausted },
      jobHandler(reindexing, reindexer({ members, searchIndex })),
      removeLater,
      ...search.jobs,
      housekeeping('knowledge.titles.reindex-lost', '*/10 * * * *', ({ signal }) => reindexLost(platform, signal)),
      housekeeping('knowledge.extractions.recover', '* * * * *', ({ signal }) => recoverLost(platform, signal)),
      housekeeping('knowledge.erasures.check', '20 2 * * *', () => erasures.begin(platform)),
      erasures.handler,
    ],
    tenantTables: [...knowledgeTables, ...searchTables],
    openAnswers: search.openAnswers,
    imported: importedDocuments(routeDeps),
    answersForReaders: search.answersForReaders,
    files: fileAdder({ documents, files }),
    limitCounts: { tenant: { maxDocuments: countStoredDocuments } },
    recountDocuments,
    flush: async () => void (await Promise.all([reader.close(), texts.close()])),
  }
}
