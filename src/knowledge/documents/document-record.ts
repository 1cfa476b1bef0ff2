import { requireRevision } from '../../http/cache/precondition.ts'
import type { Audit } from '../../identity/index.ts'
import type { JobKind, Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import type { OrganizationMembers, OrgRole } from '../../organizations/index.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { ReadStockLimit, StockLimit, TellStored } from '../../usage/index.ts'
import type { Collection } from '../collections/collection.rules.ts'
import type { User } from '../collections/collection.service.ts'
import { findCollection, lockCollections } from '../collections/collection.store.ts'
import { type Document, mayChange, triesMax, type VersionFile, versionsKept } from './document.rules.ts'
import { findCollectionId, findDocument, type LockedDocument, lockDocument, saveState } from './document.store.ts'
import { deleteOldVersions, insertVersion } from './document-version.store.ts'
import { type Amounts, giveRoomBack, takeRoom } from './stored-documents.store.ts'

export type RecordDeps = {
  clock: Clock
  audit: Audit
  jobs: Jobs
  members: OrganizationMembers
  readStockLimit: ReadStockLimit
  tellStored: TellStored
}

/** A document, and who asks for it. */
export type Target = { user: User; orgId: string; id: string; ifMatch?: string | undefined }

/**
 * Reads one version and makes it ready or failed. It is known by the id of its job, which the version has: the queue keeps its
 * jobs for a day, and holds no id of a document that was erased meanwhile.
 */
export const extracting: JobKind<{ extractionId: string }> = {
  name: 'knowledge.document.extract',
  attemptsMax: triesMax,
  backoffSeconds: 2,
  // Reading ends after 60 s by itself; then thousands of chunks are written.
  timeoutSeconds: 180,
  // Each reads in one worker of its node. Tenants take turns.
  concurrency: { node: 1, tenant: 4 },
}

export type StorageLimits = Record<keyof Amounts, StockLimit>

export type LockedTarget = { document: Document; locked: LockedDocument; collection: Collection; role: OrgRole }

export type DocumentRecords = ReturnType<typeof documentRecords>

/** What the use cases of documents have in common: locks, versions, room in the storage, and jobs. */
export function documentRecords({ clock, jobs, members, readStockLimit, tellStored }: RecordDeps) {
  /** Call it first in a transaction. Refuses TENANT_SUSPENDED. */
  const readLimits = async (tx: TenantScope): Promise<StorageLimits> => ({
    bytes: await readStockLimit(tx, 'storageBytes'),
    documents: await readStockLimit(tx, 'documents'),
  })

  /** Call it last. Refuses QUOTA_EXCEEDED. */
  async function take(tx: TenantScope, amounts: Amounts, limits: StorageLimits): Promise<void> {
    const { bytes, documents } = limits
    const lacking = await takeRoom(tx, amounts, { bytesMax: bytes.max, documentsMax: documents.max })
    if (lacking === 'documents')
      throw new Refusal('QUOTA_EXCEEDED', { detail: `${documents.text}, and as many documents are stored.` })
    if (lacking === 'bytes')
      throw new Refusal('QUOTA_EXCEEDED', {
        detail: `${bytes.text}, and the tenant's documents and mails leave no room for ${amounts.bytes} bytes more.`,
      })
    await tellStored(tx, bytes)
    if (amounts.documents > 0) await tellStored(tx, documents)
  }

  /** A document that the caller may read, with its organization and collection, all locked. Refuses NOT_FOUND and PRECONDITION_FAILED. */
  async function lock(
    tx: TenantScope,
    { user, orgId, id, ifMatch }: Target,
    alsoLocked: string[] = [],
  ): Promise<LockedTarget> {
    const { role } = await members.lock(tx, user, { orgId })
    // A transaction that moves a document locks the organization, too.
    const collectionId = isId(id) ? await findCollectionId(tx, id) : null
    if (collectionId === null) throw notFound()
    await lockCollections(tx, [collectionId, ...alsoLocked])
    const collection = await findCollection(tx, { orgId, id: collectionId }, user.id)
    const locked = collection && (await lockDocument(tx, id))
    const document = locked && (await findDocument(tx, { orgId, id }, user.id))
    if (!collection || !locked || !document) throw notFound()
    requireRevision(ifMatch, document)
    return { document, locked, collection, role }
  }

  /** The same for who may change it. Refuses INSUFFICIENT_ROLE, too. */
  async function lockToChange(tx: TenantScope, target: Target, alsoLocked: string[] = []): Promise<LockedTarget> {
    const found = await lock(tx, target, alsoLocked)
    requireChanger(found, target.user)
    return found
  }

  /** Adds a version to a locked document, with the job that reads it. Returns what was dropped for it. */
  async function addVersion(
    tx: TenantScope,
    document: LockedDocument,
    { file, createdBy, restoredFrom = null }: { file: VersionFile; createdBy: string; restoredFrom?: number | null },
    limits: StorageLimits,
  ): Promise<{ version: number; droppedBlobs: string[] }> {
    const now = clock.now()
    const version = document.lastVersion + 1
    const isShown = document.status !== 'ready'
    const extractionId = newId(now)
    await insertVersion(tx, { ...file, documentId: document.id, version, extractionId, restoredFrom, createdBy, now })
    const state = isShown ? ({ version, status: 'queued' } as const) : document
    await saveState(tx, { ...document, ...state, lastVersion: version }, now)
    await enqueue(tx, extractionId)
    const droppedBlobs = await dropOldVersions(tx, { id: document.id, version: state.version })
    await take(tx, { bytes: file.size, documents: document.status === 'failed' ? 1 : 0 }, limits)
    return { version, droppedBlobs }
  }

  /** Those beyond 20. Returns what may have lost its last claim. `version`: the one that is shown. */
  async function dropOldVersions(
    tx: TenantScope,
    { id, version }: Pick<LockedDocument, 'id' | 'version'>,
  ): Promise<string[]> {
    const dropped = await deleteOldVersions(tx, { documentId: id, current: version, kept: versionsKept })
    const freed = dropped.reduce((sum, { status, bytes }) => sum + (status === 'failed' ? 0 : bytes), 0)
    if (freed > 0) await giveRoomBack(tx, { bytes: freed, documents: 0 })
    return dropped.map(({ sha256 }) => sha256)
  }

  const enqueue = (tx: TenantScope, extractionId: string): Promise<void> =>
    jobs.enqueue(tx, extracting, { id: extractionId, data: { extractionId }, tenantId: tx.tenantId })

  return { readLimits, take, lock, lockToChange, addVersion, dropOldVersions, enqueue }
}

/** Refuses INSUFFICIENT_ROLE. */
function requireChanger({ document, collection, role }: LockedTarget, user: User): void {
  if (mayChange(document, { collection, role, userId: user.id })) return
  throw new Refusal('INSUFFICIENT_ROLE', {
    detail:
      collection.access === 'open'
        ? 'A document of an open collection is changed by who added it, and by admins and owners.'
        : 'A document of a restricted collection is changed by those who may write in the collection.',
  })
}

/** The target of an audit entry about a document. */
export function auditTarget(id: string): { type: string; id: string } {
  return { type: 'document', id }
}
