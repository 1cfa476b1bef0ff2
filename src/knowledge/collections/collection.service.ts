import { requireRevision } from '../../http/cache/precondition.ts'
import { eraseStoredAnswers } from '../../http/idempotency.store.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isId, newId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import type { OrganizationMembers, OrgRole } from '../../organizations/index.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import { type Collection, collectionsMax, mayManage, mayWrite } from './collection.rules.ts'
import type { CollectionPatch, NewCollection } from './collection.schema.ts'
import {
  type CollectionKey,
  countCollections,
  deleteCollection,
  findAnyCollection,
  findCollection,
  insertCollection,
  listCollections,
  lockCollections,
  putMember,
  saveCollection,
} from './collection.store.ts'
import { insertChange, listChanges, type ReadChange } from './collection-history.store.ts'

export type User = { id: string }
/** A collection, and who asks for it. */
export type Target = CollectionKey & { user: User; ifMatch?: string | undefined }

export type ErasedCounts = { documents: number; versions: number; chunks: number }

export type CollectionDeps = {
  clock: Clock
  audit: Audit
  members: OrganizationMembers
  /** Erases all documents of locked collections. Returns what must be removed from the blob store after the transaction. */
  eraseDocuments(
    tx: TenantScope,
    collections: { orgId: string; collectionIds: string[] },
  ): Promise<ErasedCounts & { blobs: string[] }>
  /** Removes blobs without a claim. */
  removeBlobs(scope: TenantScope, keys: string[]): Promise<void>
  noteErased(tx: TenantScope, ids: string[]): Promise<void>
}

export type Collections = ReturnType<typeof collectionService>

export function collectionService({ clock, audit, members, eraseDocuments, removeBlobs, noteErased }: CollectionDeps) {
  /** Refuses NOT_FOUND. */
  async function get(scope: TenantScope, { user, orgId, id }: Target): Promise<Collection> {
    await members.get(scope, user, { orgId })
    const found = isId(id) ? await findCollection(scope, { orgId, id }, user.id) : null
    if (found === null) throw notFound()
    return found
  }

  /** `all`: for owners. Refuses NOT_FOUND and INSUFFICIENT_ROLE. */
  async function list(
    scope: TenantScope,
    { user, orgId, all, ...page }: PageRequest & { user: User; orgId: string; all: boolean },
  ): Promise<Page<Collection>> {
    await members.get(scope, user, { orgId, least: all ? 'owner' : 'viewer' })
    return listCollections(scope, { ...page, orgId, userId: user.id, all })
  }

  /** Who makes it may write. Refuses NOT_FOUND, INSUFFICIENT_ROLE and QUOTA_EXCEEDED. */
  const create = (
    scope: TenantScope,
    { user, orgId }: { user: User; orgId: string },
    { name, access = 'open' }: NewCollection,
  ): Promise<Collection> =>
    transaction(scope, async (tx) => {
      await members.lock(tx, user, { orgId, least: 'admin' })
      if ((await countCollections(tx, orgId)) >= collectionsMax)
        throw new Refusal('QUOTA_EXCEEDED', { detail: `An organization has at most ${collectionsMax} collections.` })
      const now = clock.now()
      const id = newId(now)
      await insertCollection(tx, { id, orgId, name: name.trim(), access, isDefault: false, now })
      await putMember(tx, { orgId, id, userId: user.id, access: 'write' })
      await insertChange(tx, id, {
        revision: 1,
        action: 'created',
        fields: [],
        actorId: user.id,
        userId: null,
        at: now,
      })
      await audit(tx, { action: 'collection.create', target: auditTarget(id), changes: { orgId } })
      return read(tx, { user, orgId, id })
    })

  /** Refuses NOT_FOUND, INSUFFICIENT_ROLE and PRECONDITION_FAILED. */
  const update = (scope: TenantScope, target: Target, { name, access }: CollectionPatch): Promise<Collection> =>
    transaction(scope, async (tx) => {
      const { user, orgId, id } = target
      const before = await lockToManage(tx, target)
      const after = { id, name: name?.trim() ?? before.name, access: access ?? before.access }
      const fields = (['name', 'access'] as const).filter((field) => before[field] !== after[field])
      if (fields.length === 0) return before
      const now = clock.now()
      const revision = await saveCollection(tx, { ...after, now })
      // Otherwise the one who restricts it would be shut out.
      if (fields.includes('access') && after.access === 'restricted')
        await putMember(tx, { orgId, id, userId: user.id, access: 'write' })
      await insertChange(tx, id, { revision, action: 'updated', fields, actorId: user.id, userId: null, at: now })
      await audit(tx, { action: 'collection.update', target: auditTarget(id), changes: { fields } })
      return read(tx, target)
    })

  /** With its documents, if `erase` says so. Refuses NOT_FOUND, INSUFFICIENT_ROLE, PRECONDITION_FAILED and STATE_CONFLICT. */
  async function remove(scope: TenantScope, target: Target, { erase }: { erase: boolean }): Promise<void> {
    const blobs = await transaction(scope, async (tx) => {
      const { orgId, id } = target
      const { documentCount } = await lockToManage(tx, target)
      if (documentCount > 0 && !erase)
        throw new Refusal('STATE_CONFLICT', {
          detail: `The collection has ${documentCount} documents. Send documents=erase to erase them, too.`,
        })
      const { blobs, ...erased } = await eraseDocuments(tx, { orgId, collectionIds: [id] })
      await deleteCollection(tx, id)
      await eraseStoredAnswers(tx, [id])
      await noteErased(tx, [id])
      const changes = { orgId, ...erased, blobs: blobs.length }
      await audit(tx, { action: 'collection.delete', target: auditTarget(id), changes })
      return blobs
    })
    await removeBlobs(scope, blobs)
  }

  /** Newest first. Refuses NOT_FOUND. */
  async function history(scope: TenantScope, target: Target, page: PageRequest): Promise<Page<ReadChange>> {
    const { id } = await get(scope, target)
    return listChanges(scope, id, page)
  }

  /** A collection that the caller may read, locked, with the caller's role. Refuses NOT_FOUND and PRECONDITION_FAILED. */
  async function lock(tx: TenantScope, target: Target): Promise<{ collection: Collection; role: OrgRole }> {
    const { user, orgId, id, ifMatch } = target
    const { role } = await members.lock(tx, user, { orgId })
    if (!isId(id)) throw notFound()
    await lockCollections(tx, [id])
    const collection = await findCollection(tx, { orgId, id }, user.id)
    if (collection === null) throw notFound()
    requireRevision(ifMatch, collection)
    return { collection, role }
  }

  async function lockToManage(tx: TenantScope, target: Target): Promise<Collection> {
    const { collection, role } = await lock(tx, target)
    requireManager(collection, role)
    return collection
  }

  async function read(tx: TenantScope, { user, orgId, id }: Target): Promise<Collection> {
    const found = await findAnyCollection(tx, { orgId, id }, user.id)
    if (found === null) throw notFound()
    return found
  }

  return { get, list, create, update, remove, history, lock, read }
}

/** Refuses INSUFFICIENT_ROLE. */
export function requireManager(collection: Collection, role: OrgRole): void {
  if (mayManage(collection, role)) return
  throw new Refusal('INSUFFICIENT_ROLE', {
    detail:
      collection.access === 'open'
        ? `Your role in the organization is ${role}. An open collection is managed by admins and owners.`
        : 'A restricted collection is managed by those who may write in it.',
  })
}

/** Refuses INSUFFICIENT_ROLE. */
export function requireWriter(collection: Collection, role: OrgRole): void {
  if (mayWrite(collection, role)) return
  throw new Refusal('INSUFFICIENT_ROLE', {
    detail:
      role === 'viewer' ? 'A viewer of the organization adds no documents.' : 'You may only read this collection.',
  })
}

/** The target of an audit entry about a collection. */
export function auditTarget(id: string): { type: string; id: string } {
  return { type: 'collection', id }
}
