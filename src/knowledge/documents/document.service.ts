import type { Audit } from '../../identity/index.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { isId, newId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { invalidField, notFound, Refusal } from '../../kernel/refusal.ts'
import type { ClaimedBlobs } from '../../storage/blobs/claimed-blobs.ts'
import { rehearsal, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Collection } from '../collections/collection.rules.ts'
import { requireWriter, type User } from '../collections/collection.service.ts'
import { findCollection, findDefaultId, lockCollections } from '../collections/collection.store.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import type { RemoveBlobs } from './blob-removal.ts'
import { type Document, type DocumentVersion, normalizedTags, titleOf } from './document.rules.ts'
import type { DocumentPatch } from './document.schema.ts'
import {
  addToCollection,
  type DocumentFilter,
  findDocument,
  findSameBytes,
  insertDocument,
  type LockedDocument,
  listDocuments,
  saveState,
  saveTexts,
} from './document.store.ts'
import type { DocumentErasure } from './document-erasure.ts'
import { auditTarget, type DocumentRecords, type RecordDeps, type Target } from './document-record.ts'
import { findVersion, insertVersion, listVersions, requeueVersion } from './document-version.store.ts'
import type { ReceivedFile } from './receive-file.ts'
import { reindexing } from './reindex.service.ts'

export type DocumentDeps = Pick<RecordDeps, 'clock' | 'members'> & {
  audit: Audit
  jobs: Jobs
  blobs: ClaimedBlobs
  removeBlobs: RemoveBlobs
  records: DocumentRecords
  erasure: DocumentErasure
  searchIndex: SearchIndex
}

/** What is said of a file when it is uploaded. */
export type NewDocument = {
  title?: string | undefined
  collectionId?: string | undefined
  tags?: string[] | undefined
}
export type AddedDocument = { document: Document; isDuplicate: boolean }
type OnAdded = (tx: TenantScope, added: AddedDocument) => Promise<void>

export type Documents = ReturnType<typeof documentService>

export function documentService(deps: DocumentDeps) {
  const { clock, audit, members, blobs, removeBlobs, records, erasure, searchIndex, jobs } = deps

  /** Refuses NOT_FOUND. */
  async function get(scope: TenantScope, { user, orgId, id }: Target): Promise<Document> {
    await members.get(scope, user, { orgId })
    const found = isId(id) ? await findDocument(scope, { orgId, id }, user.id) : null
    if (found === null) throw notFound()
    return found
  }

  /** Refuses NOT_FOUND. */
  async function list(
    scope: TenantScope,
    { user, orgId, filter, ...page }: PageRequest & { user: User; orgId: string; filter: DocumentFilter },
  ): Promise<Page<Document>> {
    await members.get(scope, user, { orgId })
    return listDocuments(scope, { ...page, orgId, userId: user.id, filter })
  }

  /**
   * Stores a file, and lets a job read it. Bytes that the collection has already are answered with their document. `onAdded` runs in
   * the same transaction. Refuses NOT_FOUND, INSUFFICIENT_ROLE, VALIDATION_ERROR and QUOTA_EXCEEDED.
   */
  async function add(
    scope: TenantScope,
    { user, orgId }: { user: User; orgId: string },
    { file, onAdded, ...about }: NewDocument & { file: ReceivedFile; onAdded?: OnAdded | undefined },
  ): Promise<AddedDocument> {
    const stored = [{ draft: file.draft, contentType: file.mimeType }]
    await blobs.put(stored)
    try {
      return await transaction(scope, async (tx) => {
        await blobs.claim(tx, stored)
        const added = await insert(tx, { user, orgId, file, ...about })
        await onAdded?.(tx, added)
        return added
      })
    } catch (error) {
      await removeBlobs(scope, [file.sha256])
      throw error
    }
  }

  /** What `add` would answer or refuse. Stores nothing. */
  const foresee = (scope: TenantScope, member: { user: User; orgId: string }, file: ReceivedFile) =>
    rehearsal(scope, (tx) => insert(tx, { ...member, file }))

  type Inserted = NewDocument & { user: User; orgId: string; file: ReceivedFile }

  async function insert(tx: TenantScope, { user, orgId, file, ...about }: Inserted): Promise<AddedDocument> {
    const limits = await records.readLimits(tx)
    const collection = await lockToAdd(tx, { user, orgId, collectionId: about.collectionId })
    const same = await findSameBytes(tx, { collectionId: collection.id, sha256: file.sha256 })
    if (same !== null) return { document: same, isDuplicate: true }
    const now = clock.now()
    const id = newId(now)
    const extractionId = newId(now)
    const title = about.title?.trim() ?? titleOf(file.filename)
    const tags = normalizedTags(about.tags ?? [])
    await insertDocument(tx, { id, orgId, collectionId: collection.id, title, tags, createdBy: user.id, now })
    const version = { documentId: id, version: 1, extractionId, restoredFrom: null, createdBy: user.id, now }
    await insertVersion(tx, { ...file, ...version })
    await records.enqueue(tx, extractionId)
    await audit(tx, {
      action: 'document.create',
      target: auditTarget(id),
      changes: { collectionId: collection.id },
    })
    await records.take(tx, { bytes: file.size, documents: 1 }, limits)
    return { document: await read(tx, { user, orgId, id }), isDuplicate: false }
  }

  /** Refuses NOT_FOUND, INSUFFICIENT_ROLE and VALIDATION_ERROR. */
  async function lockToAdd(
    tx: TenantScope,
    { user, orgId, collectionId }: { user: User; orgId: string; collectionId: string | undefined },
  ): Promise<Collection> {
    const { role } = await members.lock(tx, user, { orgId, least: 'member' })
    const id = collectionId ?? (await findDefaultId(tx, orgId))
    if (id === null)
      throw invalidField('/body/collectionId', {
        code: 'required',
        message: 'is required: there is no General collection',
      })
    await lockCollections(tx, [id])
    const collection = await findCollection(tx, { orgId, id }, user.id)
    if (collection === null) throw unknownCollection()
    requireWriter(collection, role)
    return collection
  }

  /** Moving needs `write` in both collections. Refuses NOT_FOUND, INSUFFICIENT_ROLE, PRECONDITION_FAILED and VALIDATION_ERROR. */
  const update = (scope: TenantScope, target: Target, body: DocumentPatch): Promise<Document> =>
    transaction(scope, async (tx) => {
      const { user, orgId, id } = target
      const { collectionId: moveTo } = body
      const { document, collection, role } = await records.lockToChange(
        tx,
        target,
        moveTo === undefined ? [] : [moveTo],
      )
      const after = {
        title: body.title?.trim() ?? document.title,
        tags: body.tags === undefined ? document.tags : normalizedTags(body.tags),
        collectionId: moveTo ?? document.collectionId,
      }
      const fields = (['title', 'tags', 'collectionId'] as const).filter(
        (field) => JSON.stringify(after[field]) !== JSON.stringify(document[field]),
      )
      if (fields.length === 0) return document
      const now = clock.now()
      if (fields.includes('collectionId')) {
        requireWriter(collection, role)
        const other = await findCollection(tx, { orgId, id: after.collectionId }, user.id)
        if (other === null) throw unknownCollection()
        requireWriter(other, role)
        await addToCollection(tx, { collectionId: document.collectionId, count: -1 })
        await addToCollection(tx, { collectionId: after.collectionId, count: 1 })
        await searchIndex.move(tx, { documentId: id, toCollectionId: after.collectionId })
      }
      // What is found by its title is indexed again; until then the old words find it, too.
      const reindexId = fields.includes('title') && document.status === 'ready' ? newId(now) : null
      if (reindexId !== null)
        await jobs.enqueue(tx, reindexing, { id: reindexId, data: { reindexId }, tenantId: tx.tenantId })
      await saveTexts(tx, { id, ...after, reindexId, now })
      await audit(tx, { action: 'document.update', target: auditTarget(id), changes: { fields } })
      return read(tx, target)
    })

  /** With all versions. Refuses NOT_FOUND, INSUFFICIENT_ROLE and PRECONDITION_FAILED. */
  async function remove(scope: TenantScope, target: Target): Promise<void> {
    const removed = await transaction(scope, async (tx) => {
      const { locked } = await records.lockToChange(tx, target)
      const { blobs: keys, ...erased } = await erasure.erase(tx, { orgId: target.orgId, documents: [locked] })
      const changes = { orgId: target.orgId, ...erased, blobs: keys.length }
      await audit(tx, { action: 'document.delete', target: auditTarget(target.id), changes })
      return keys
    })
    await removeBlobs(scope, removed)
  }

  /**
   * Lets the newest version be read again if it has failed. The current one stays meanwhile, if there is one. Refuses NOT_FOUND,
   * INSUFFICIENT_ROLE, STATE_CONFLICT and QUOTA_EXCEEDED.
   */
  const retry = (scope: TenantScope, target: Target): Promise<Document> =>
    transaction(scope, async (tx) => {
      const limits = await records.readLimits(tx)
      const { locked } = await records.lockToChange(tx, target)
      const newest = await findVersion(tx, { documentId: locked.id, version: locked.lastVersion })
      if (newest?.status !== 'failed')
        throw new Refusal('STATE_CONFLICT', {
          detail: `Only a version that has failed can be read again. The newest one is ${newest?.status ?? 'gone'}.`,
        })
      const { version, size } = newest
      const now = clock.now()
      const extractionId = newId(now)
      await requeueVersion(tx, newest, { extractionId, lostJobs: 0 })
      const isShown = locked.status === 'failed'
      await saveState(tx, isShown ? { ...locked, version, status: 'queued' } : locked, now)
      await records.enqueue(tx, extractionId)
      await audit(tx, { action: 'document.retry', target: auditTarget(locked.id), changes: { version } })
      await records.take(tx, { bytes: size, documents: isShown ? 1 : 0 }, limits)
      return read(tx, target)
    })

  /** Newest first. Refuses NOT_FOUND. */
  async function versions(
    scope: TenantScope,
    target: Target,
  ): Promise<{ document: Document; versions: DocumentVersion[] }> {
    const document = await get(scope, target)
    return { document, versions: await listVersions(scope, document.id) }
  }

  /**
   * Stores another file as a new version. The current one stays until the new one is ready. Refuses NOT_FOUND,
   * INSUFFICIENT_ROLE and QUOTA_EXCEEDED.
   */
  async function addVersion(scope: TenantScope, target: Target, file: ReceivedFile): Promise<AddedVersion> {
    const stored = [{ draft: file.draft, contentType: file.mimeType }]
    await blobs.put(stored)
    let removable = [file.sha256]
    try {
      return await transaction(scope, async (tx) => {
        await blobs.claim(tx, stored)
        const limits = await records.readLimits(tx)
        const { locked } = await records.lockToChange(tx, target)
        const { version, droppedBlobs } = await records.addVersion(
          tx,
          locked,
          { file, createdBy: target.user.id },
          limits,
        )
        removable = [...droppedBlobs, file.sha256]
        await audit(tx, { action: 'document.version.create', target: auditTarget(target.id), changes: { version } })
        return readVersion(tx, target, version)
      })
    } finally {
      // After a failure the new file, after a success those of dropped versions: what no version has.
      await removeBlobs(scope, removable)
    }
  }

  /** Makes an earlier version the newest. Refuses NOT_FOUND, INSUFFICIENT_ROLE, STATE_CONFLICT and QUOTA_EXCEEDED. */
  async function restore(scope: TenantScope, target: Target, version: number): Promise<AddedVersion> {
    const { added, droppedBlobs } = await transaction(scope, async (tx) => {
      const limits = await records.readLimits(tx)
      const { locked } = await records.lockToChange(tx, target)
      const file = await findVersion(tx, { documentId: locked.id, version })
      if (file === null) throw notFound()
      requireRestorable(locked, file)
      const draft = { file, createdBy: target.user.id, restoredFrom: version }
      const made = await records.addVersion(tx, locked, draft, limits)
      const changes = { version: made.version, restoredFrom: version }
      await audit(tx, { action: 'document.version.restore', target: auditTarget(target.id), changes })
      return { added: await readVersion(tx, target, made.version), droppedBlobs: made.droppedBlobs }
    })
    await removeBlobs(scope, droppedBlobs)
    return added
  }

  async function readVersion(tx: TenantScope, target: Target, version: number): Promise<AddedVersion> {
    const document = await read(tx, target)
    const made = (await listVersions(tx, document.id)).find((each) => each.version === version)
    if (made === undefined) throw notFound()
    return { document, version: made }
  }

  async function read(tx: TenantScope, { user, orgId, id }: Target): Promise<Document> {
    const found = await findDocument(tx, { orgId, id }, user.id)
    if (found === null) throw notFound()
    return found
  }

  return { get, list, add, foresee, update, remove, retry, versions, addVersion, restore }
}

export type AddedVersion = { document: Document; version: DocumentVersion }

function requireRestorable(document: LockedDocument, { version, status }: { version: number; status: string }): void {
  if (status !== 'ready') throw new Refusal('STATE_CONFLICT', { detail: `Version ${version} is ${status}, not ready.` })
  if (version === document.version)
    throw new Refusal('STATE_CONFLICT', { detail: `Version ${version} is the current one.` })
}

function unknownCollection(): Refusal {
  const message = 'must be a collection of the organization that you may read'
  return invalidField('/body/collectionId', { code: 'unknown', message })
}
