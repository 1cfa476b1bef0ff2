import { requireRevision } from '../../http/cache/precondition.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { PublicChanged } from '../../storage/public-revision.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { auditChanges } from '../changes.rules.ts'
import { touchProduct } from '../products/parent-product.store.ts'
import { findParentId, lockParent, type PublicParent } from '../products/public-parent.store.ts'
import type { Place, Revised, RevisedStore } from './revised.store.ts'

export type RevisedDeps = { clock: Clock; audit: Audit; publicChanged: PublicChanged }

/** One change, inside its transaction. `before` is null for a new record. */
export type Change<Terms> = {
  product: PublicParent
  before: Revised<Terms> | null
  after: Revised<Terms>
  now: Date
}

/** What one kind of record has of its own. */
export type Kind<Terms, New, Sent> = {
  /** The noun in the audit log. */
  noun: string
  store: RevisedStore<Terms>
  /** Members that follow from others and are not told in the audit log. */
  derived: readonly (keyof Terms & string)[]
  /** The terms of a new record where nothing is sent for them. */
  plain(now: Date): Omit<Terms, keyof New> & Partial<Terms>
  /** The terms that were sent, and what is made of them: slow, so before the transaction. */
  read(sent: Sent, now: Date): Promise<Partial<Terms>>
  /** Refuses what cannot stand beside the other records; returns the terms as they are kept. */
  settle(tx: PlatformScope, change: Change<Terms>): Promise<Revised<Terms>>
  /** What is kept beside the row. `record` is null when it was removed. */
  written?(tx: PlatformScope, at: { product: PublicParent; id: string; record: Revised<Terms> | null }): Promise<void>
}

/** Changes of records of a product: each locks the product, is audited, and is seen by the public when it is answered. */
export function revisedService<Terms extends object, New extends object, Sent extends object>(
  deps: RevisedDeps,
  kind: Kind<Terms, New, Sent>,
) {
  const { store } = kind
  return {
    create: creating(deps, kind),
    update: updating(deps, kind),
    remove: removing(deps, kind),
    get: async (platform: PlatformScope, place: Place): Promise<Revised<Terms>> =>
      found(await store.find(platform, place)),
    /** Refuses NOT_FOUND where there is no such product. */
    list: async (platform: PlatformScope, productId: string, page: PageRequest): Promise<Page<Revised<Terms>>> => {
      found(await findParentId(platform, productId))
      return store.list(platform, productId, page)
    },
  }
}

function creating<Terms extends object, New extends object, Sent extends object>(
  deps: RevisedDeps,
  kind: Kind<Terms, New, Sent>,
) {
  const { noun, store } = kind
  return async (platform: PlatformScope, productId: string, sent: New & Sent): Promise<Revised<Terms>> => {
    const now = deps.clock.now()
    const terms = await kind.read(sent, now)
    return transaction(platform, async (tx) => {
      const product = found(await lockParent(tx, productId))
      const beside = { id: newId(now), productId, revision: 1, createdAt: now, updatedAt: now }
      const asked = { ...kind.plain(now), ...terms, ...beside } as unknown as Revised<Terms>
      const record = await kind.settle(tx, { product, before: null, after: asked, now })
      await store.add(tx, record)
      await kind.written?.(tx, { product, id: record.id, record })
      const changes = auditChanges({}, sent, kind.derived)
      await tell(deps, tx, { action: `${noun}.create`, type: noun, id: record.id, product, now, changes })
      return record
    })
  }
}

function updating<Terms extends object, New extends object, Sent extends object>(
  deps: RevisedDeps,
  kind: Kind<Terms, New, Sent>,
) {
  const { noun, store } = kind
  return async (platform: PlatformScope, place: Place, { sent, ifMatch }: Sending<Sent>): Promise<Revised<Terms>> => {
    const now = deps.clock.now()
    const terms = await kind.read(sent, now)
    return transaction(platform, async (tx) => {
      const product = found(await lockParent(tx, place.productId))
      const before = found(await store.find(tx, place))
      requireRevision(ifMatch, before)
      const record = await kind.settle(tx, { product, before, after: { ...before, ...terms }, now })
      const changes = auditChanges(before, record, kind.derived)
      if (Object.keys(changes).length === 0) return before
      const next = { ...record, revision: before.revision + 1, updatedAt: now }
      await store.save(tx, next)
      await kind.written?.(tx, { product, id: next.id, record: next })
      await tell(deps, tx, { action: `${noun}.update`, type: noun, id: next.id, product, now, changes })
      return next
    })
  }
}

function removing<Terms extends object, New extends object, Sent extends object>(
  deps: RevisedDeps,
  kind: Kind<Terms, New, Sent>,
) {
  const { noun, store } = kind
  return (platform: PlatformScope, place: Place, ifMatch: string | undefined): Promise<void> =>
    transaction(platform, async (tx) => {
      const now = deps.clock.now()
      const product = found(await lockParent(tx, place.productId))
      const record = found(await store.find(tx, place))
      requireRevision(ifMatch, record)
      await kind.written?.(tx, { product, id: record.id, record: null })
      await store.remove(tx, record.id)
      await tell(deps, tx, { action: `${noun}.delete`, type: noun, id: record.id, product, now, changes: {} })
    })
}

async function tell({ audit, publicChanged }: RevisedDeps, tx: PlatformScope, told: Told): Promise<void> {
  const { action, type, id, product, now, changes } = told
  await touchProduct(tx, product.id, now)
  await audit(tx, { action, target: { type, id }, changes: { product: product.slug, ...changes } })
  await publicChanged(tx)
}

type Told = {
  action: string
  type: string
  id: string
  product: PublicParent
  now: Date
  changes: Record<string, unknown>
}
type Sending<Sent> = { sent: Sent; ifMatch: string | undefined }

function found<T>(thing: T | null): T {
  if (thing === null) throw notFound()
  return thing
}
