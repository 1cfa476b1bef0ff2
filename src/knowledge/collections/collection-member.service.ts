import { requireRevision } from '../../http/cache/precondition.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import type { EventBus } from '../../storage/events.ts'
import { inTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import { type Collection, type MemberAccess, membersMax } from './collection.rules.ts'
import { auditTarget, type Collections, requireManager, type Target } from './collection.service.ts'
import {
  deleteMember,
  findAnyCollection,
  insertCollection,
  lockCollections,
  lockCollectionsOfMember,
  putMember,
  saveCollection,
} from './collection.store.ts'
import { insertChange } from './collection-history.store.ts'

export type CollectionMemberDeps = {
  clock: Clock
  audit: Audit
  members: OrganizationMembers
  collections: Collections
}

export type CollectionMembers = ReturnType<typeof collectionMemberService>

export function collectionMemberService({ clock, audit, members, collections }: CollectionMemberDeps) {
  /** Refuses NOT_FOUND, INSUFFICIENT_ROLE, PRECONDITION_FAILED and QUOTA_EXCEEDED. */
  const set = (
    scope: TenantScope,
    target: Target,
    member: { userId: string; access: MemberAccess },
  ): Promise<Collection> =>
    transaction(scope, async (tx) => {
      const { user, orgId, id } = target
      const { userId, access } = member
      const collection = await lockToSet(tx, target, userId)
      if (!isId(userId) || !(await members.isMember(tx, { orgId, userId }))) throw notFound()
      const known = collection.members.find((each) => each.userId === userId)
      if (known?.access === access) return collection
      if (known === undefined && collection.members.length >= membersMax)
        throw new Refusal('QUOTA_EXCEEDED', { detail: `A collection lists at most ${membersMax} members.` })
      const now = clock.now()
      await putMember(tx, { orgId, id, userId, access })
      const revision = await saveCollection(tx, { ...collection, now })
      const fields = ['access']
      await insertChange(tx, id, { revision, action: 'memberSet', fields, actorId: user.id, userId, at: now })
      await audit(tx, { action: 'collection.member.set', target: auditTarget(id), changes: { userId, access } })
      return collections.read(tx, target)
    })

  /** An owner may add themselves, also where they may not read. */
  async function lockToSet(tx: TenantScope, target: Target, userId: string): Promise<Collection> {
    const { user, orgId, id } = target
    const { role } = await members.lock(tx, user, { orgId })
    if (role === 'owner' && userId === user.id && isId(id)) {
      await lockCollections(tx, [id])
      const any = await findAnyCollection(tx, { orgId, id }, user.id)
      if (any !== null) {
        requireRevision(target.ifMatch, any)
        return any
      }
    }
    const { collection } = await collections.lock(tx, target)
    requireManager(collection, role)
    return collection
  }

  /** Everybody may remove themselves. Refuses NOT_FOUND, INSUFFICIENT_ROLE and PRECONDITION_FAILED. */
  const remove = (scope: TenantScope, target: Target, userId: string): Promise<void> =>
    transaction(scope, async (tx) => {
      const { user, id } = target
      const { collection, role } = await collections.lock(tx, target)
      if (userId !== user.id) requireManager(collection, role)
      if (collection.members.every((each) => each.userId !== userId)) throw notFound()
      await end(tx, collection, { userId, actorId: user.id })
      await audit(tx, { action: 'collection.member.remove', target: auditTarget(id), changes: { userId } })
    })

  async function end(
    tx: TenantScope,
    collection: Pick<Collection, 'id' | 'name' | 'access'>,
    { userId, actorId }: { userId: string; actorId: string | null },
  ): Promise<void> {
    const now = clock.now()
    await deleteMember(tx, { id: collection.id, userId })
    const revision = await saveCollection(tx, { ...collection, now })
    const fields = ['access']
    await insertChange(tx, collection.id, { revision, action: 'memberRemoved', fields, actorId, userId, at: now })
  }

  /** Somebody who leaves the organization is removed from all lists. The organization must be locked. */
  async function memberLeft(tx: TenantScope, { orgId, userId }: { orgId: string; userId: string }): Promise<void> {
    for (const collection of await lockCollectionsOfMember(tx, { orgId, userId }))
      await end(tx, collection, { userId, actorId: null })
  }

  return { set, remove, memberLeft }
}

/** What happens to collections with organizations and their members. */
export function followOrganizations({
  clock,
  events,
  memberLeft,
}: Pick<CollectionMembers, 'memberLeft'> & { clock: Clock; events: EventBus }): void {
  events.on('org.created', async (scope, { tenantId, orgId }) => {
    const now = clock.now()
    const general = { id: newId(now), orgId, name: 'General', access: 'open', isDefault: true, now } as const
    await insertCollection(inTenant(scope, tenantId), general)
  })
  events.on('org.member.left', (scope, { tenantId, ...member }) => memberLeft(inTenant(scope, tenantId), member))
}
