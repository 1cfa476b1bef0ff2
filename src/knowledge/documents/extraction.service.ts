import { buffer } from 'node:stream/consumers'
import type { DocumentReader } from '../../extraction/document-reader.ts'
import type { DocumentType } from '../../extraction/document-type.ts'
import type { Log } from '../../http/server-deps.ts'
import type { ExhaustedJob, JobRun, Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import type { DocumentChunk } from '../../retrieval/chunks/chunk.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import type { EventBus } from '../../storage/events.ts'
import { type Scope, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Metering } from '../../usage/index.ts'
import { lockCollections } from '../collections/collection.store.ts'
import type { SearchIndex, StagedDocument } from '../search-index/search-index.ts'
import { countedPages, type DocumentFailure, triesMax } from './document.rules.ts'
import {
  findCollectionId,
  findTitle,
  type LockedDocument,
  lockDocument,
  saveState,
  setReindex,
} from './document.store.ts'
import { deleteChunks, insertChunks } from './document-chunk.store.ts'
import type { DocumentRecords } from './document-record.ts'
import {
  beginExtraction,
  type Extraction,
  findExtraction,
  makeVersionFailed,
  makeVersionReady,
  type ReadText,
  requeueVersion,
  saveProgress,
} from './document-version.store.ts'
import type { ExtractionMetrics } from './extraction.metrics.ts'
import { progressReport } from './progress-report.ts'
import { reindexing } from './reindex.service.ts'
import { giveRoomBack } from './stored-documents.store.ts'
import type { TextPreparation } from './text-preparation.ts'

export type ExtractionDeps = {
  clock: Clock
  log: Log
  jobs: Jobs
  events: EventBus
  members: OrganizationMembers
  metering: Metering
  blobs: Blobs
  /** Removes blobs without a claim. */
  removeBlobs(scope: TenantScope, keys: string[]): Promise<void>
  reader: DocumentReader
  prepareText: TextPreparation
  records: DocumentRecords
  searchIndex: SearchIndex
  metrics: ExtractionMetrics
}

type ExtractionData = { extractionId: string }

/** `beganAt`: its pages are used in the month in which the job began to read them. */
type BegunExtraction = Extraction & { beganAt: Date }

/** About 30 KB of text: a statement that takes milliseconds. */
const batchChunks = 25

export type Extractions = ReturnType<typeof extractionService>

/** Reads files. Whatever happens, the version ends ready or failed, in one transaction with all that follows. */
export function extractionService(deps: ExtractionDeps) {
  const {
    clock,
    log,
    jobs,
    events,
    members,
    metering,
    blobs,
    removeBlobs,
    reader,
    prepareText,
    records,
    searchIndex,
    metrics,
  } = deps

  async function extract({ scope, data: { extractionId }, signal }: JobRun<ExtractionData>): Promise<void> {
    const tenant = ofTenant(scope)
    const extraction = await findExtraction(tenant, extractionId)
    if (extraction === null) return
    const end = metrics.begin(extraction.type)
    const beganAt = clock.now()
    await beginExtraction(tenant, extraction)
    end(await readAndStore(tenant, { ...extraction, beganAt }, signal))
  }

  async function readAndStore(scope: TenantScope, extraction: BegunExtraction, signal: AbortSignal): Promise<string> {
    const bytes = await openOriginal(extraction)
    if (bytes === null) return fail(scope, extraction, { code: 'BROKEN', detail: 'The file is lost. Upload it again.' })
    const progress = progressReport((pages) => saveProgress(scope, extraction, pages))
    const read = await reader.read({ bytes, type: extraction.type as DocumentType, signal, onPage: progress.onPage })
    await progress.settled()
    if ('failure' in read) {
      const { code, detail, cause, isOverLimit = false } = read.failure
      if (cause !== undefined) log.warn({ err: cause, tenantId: scope.tenantId }, 'a document could not be read')
      const isLastTry = extraction.lostJobs + 1 >= triesMax
      return isOverLimit && !isLastTry ? tryAgain(scope, extraction) : fail(scope, extraction, { code, detail })
    }
    const { blocks, pages } = read.extraction
    const { chunks, ...text } = await prepareText(blocks)
    await storeChunks(scope, extraction, chunks, signal)
    const { orgId, documentId, version, title } = extraction
    const about = { orgId, documentId, version, title, language: text.language }
    const staged = await searchIndex.stage(scope, { ...about, chunks })
    // The document was erased.
    if (staged === null) return 'ready'
    try {
      signal.throwIfAborted()
      const dropped = await transaction(scope, (tx) => finish(tx, extraction, { ...text, staged, pages }))
      await removeBlobs(scope, dropped)
      return 'ready'
    } catch (error) {
      if (!isOverLimit(error)) throw error
      return fail(scope, extraction, { code: 'USAGE_EXCEEDED', detail: error.options.detail ?? error.message })
    } finally {
      await searchIndex.unstage(scope, staged)
    }
  }

  async function openOriginal({ sha256 }: Extraction): Promise<Uint8Array | null> {
    const stream = await blobs.open(sha256)
    return stream && buffer(stream)
  }

  /** In small transactions, where nobody sees them: a long text must not keep the others waiting. */
  async function storeChunks(
    scope: TenantScope,
    extraction: Extraction,
    chunks: readonly DocumentChunk[],
    signal: AbortSignal,
  ): Promise<void> {
    await deleteChunks(scope, extraction)
    for (let first = 0; first < chunks.length; first += batchChunks) {
      signal.throwIfAborted()
      await insertChunks(scope, extraction, { first, chunks: chunks.slice(first, first + batchChunks) })
      await new Promise(setImmediate)
    }
  }

  /** From the commit on the version is current and found. Returns dropped blobs. Refuses USAGE_EXCEEDED and QUOTA_EXCEEDED. */
  async function finish(
    tx: TenantScope,
    extraction: BegunExtraction,
    { staged, ...text }: ReadText & { characters: number; staged: StagedDocument },
  ): Promise<string[]> {
    const limits = await records.readLimits(tx)
    const found = await lock(tx, extraction)
    if (found === null) return []
    const { orgId, documentId, version, createdBy, restoredFrom, beganAt: at, extractionId: key } = extraction
    const now = clock.now()
    await makeVersionReady(tx, extraction, { ...text, now })
    const isNewer = found.status !== 'ready' || version > found.version
    if (isNewer) {
      await saveState(tx, { ...found, version, status: 'ready' }, now)
      await searchIndex.publish(tx, { ...staged, collectionId: found.collectionId })
      await reindexIfRenamed(tx, extraction)
    }
    await events.emit(tx, 'org.document.ready', { tenantId: tx.tenantId, orgId, documentId, version })
    // More than 20 may have been under way at once.
    const dropped = await records.dropOldVersions(tx, { id: documentId, version: isNewer ? version : found.version })
    // A document that was failed when a version older than that became ready is one document again.
    const documents = isNewer && found.status === 'failed' ? 1 : 0
    await records.take(tx, { bytes: text.textBytes, documents }, limits)
    if (restoredFrom === null)
      await metering.count(tx, { orgId, userId: createdBy, at, key, amounts: { documentPages: countedPages(text) } })
    return dropped
  }

  async function reindexIfRenamed(tx: TenantScope, { documentId, title }: Extraction): Promise<void> {
    if ((await findTitle(tx, documentId)) === title) return
    const reindexId = newId(clock.now())
    await setReindex(tx, { id: documentId, reindexId })
    await jobs.enqueue(tx, reindexing, { id: reindexId, data: { reindexId }, tenantId: tx.tenantId })
  }

  const fail = (scope: TenantScope, extraction: Extraction, failure: DocumentFailure): Promise<string> =>
    transaction(scope, async (tx) => {
      const found = await lock(tx, extraction)
      if (found === null) return failure.code
      const { orgId, documentId, version, size } = extraction
      await makeVersionFailed(tx, extraction, failure)
      await deleteChunks(tx, extraction)
      const isShown = found.status !== 'ready' && version === found.version
      if (isShown) await saveState(tx, { ...found, status: 'failed' }, clock.now())
      await events.emit(tx, 'org.document.failed', { tenantId: tx.tenantId, orgId, documentId, version })
      await giveRoomBack(tx, { bytes: size, documents: isShown && found.status !== 'failed' ? 1 : 0 })
      return failure.code
    })

  /**
   * By a new job: the next try comes behind all documents of the tenant that wait now, as a file that always takes too long would
   * keep them waiting three times. The document is queued until it is its turn again.
   */
  const tryAgain = (scope: TenantScope, extraction: Extraction): Promise<string> =>
    transaction(scope, async (tx) => {
      if ((await lock(tx, extraction)) === null) return 'AGAIN'
      const requeued = { extractionId: newId(clock.now()), lostJobs: extraction.lostJobs + 1 }
      await requeueVersion(tx, extraction, requeued)
      await records.enqueue(tx, requeued.extractionId)
      return 'AGAIN'
    })

  /** The document of an extraction that still is under way, with its collection, both locked. Null: it is over, or it is gone. */
  async function lock(
    tx: TenantScope,
    { orgId, documentId, extractionId }: Extraction,
  ): Promise<LockedDocument | null> {
    // Held, no document moves to another collection.
    const collectionId = (await members.hold(tx, orgId)) ? await findCollectionId(tx, documentId) : null
    if (collectionId === null) return null
    await lockCollections(tx, [collectionId])
    const document = await lockDocument(tx, documentId)
    if (document === null) return null
    return (await findExtraction(tx, extractionId)) === null ? null : document
  }

  /** The last try has failed, took too long or was killed with its process. */
  async function onExhausted({ scope, data }: ExhaustedJob<object>): Promise<void> {
    const tenant = ofTenant(scope)
    const extraction = await findExtraction(tenant, (data as ExtractionData).extractionId)
    if (extraction !== null) metrics.begin(extraction.type)(await giveUp(tenant, extraction))
  }

  const giveUp = (scope: TenantScope, extraction: Extraction): Promise<string> =>
    fail(scope, extraction, { code: 'TOO_MUCH', detail: 'The document could not be read in three attempts.' })

  return { extract, onExhausted, giveUp }
}

function ofTenant(scope: Scope): TenantScope {
  if (scope.kind !== 'tenant') throw new Error('A document belongs to a tenant.')
  return scope
}

function isOverLimit(error: unknown): error is Refusal {
  return error instanceof Refusal && ['USAGE_EXCEEDED', 'QUOTA_EXCEEDED'].includes(error.code)
}
