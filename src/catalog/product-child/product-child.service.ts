import { requireRevision } from '../../http/cache/precondition.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { FieldRule, Fitting } from '../../kernel/field-rules.ts'
import { newId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import type { PublicChanged } from '../../storage/public-revision.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { auditChanges } from '../audit-changes.rules.ts'
import { lockParentProduct, type ParentProduct, productExists, touchProduct } from './parent-product.store.ts'
import {
  mergeFields,
  moveId,
  orderedChildrenMax,
  type ProductChild,
  type ProductChildKey,
  type SentFields,
} from './product-child.rules.ts'
import type { Positions, ProductChildStore } from './product-child.store.ts'

export type ProductChildDeps = { clock: Clock; audit: Audit; publicChanged: PublicChanged }

/** A child about to be written, in the transaction that holds its product's lock. `before` is null for a new one. */
export type ChildWrite<Fields> = {
  product: ParentProduct
  before: ProductChild<Fields> | null
  after: ProductChild<Fields>
  now: Date
}

/** The names of the members that a request must have. */
type RequiredNames<T> = { [Name in keyof T]-?: object extends Pick<T, Name> ? never : Name }[keyof T]

/** What one kind of children has of its own. */
export type ProductChildKind<Fields, Change, New extends Change> = {
  /** The prefix of the action and the type of the target in the audit log. Stored, so it never changes. */
  auditName: string
  store: ProductChildStore<Fields>
  /** For children whose `order` is their position among their siblings. Absent if `order` is an ordinary field. */
  positions?: Positions
  /** Values of the fields that a new child's request may leave out. */
  defaults(now: Date): Omit<Fields, RequiredNames<New>>
  /** What the schema cannot express, for the faults of a refused request. `isNew`: absent members get their defaults. */
  rules?(sent: Fitting<Change>, isNew: boolean, where: { platform: PlatformScope; productId: string }): FieldRule[]
  /** Turns a request into fields, before the transaction because it may be slow. Without it, the members are the fields. */
  parse?(sent: Change, now: Date): Promise<SentFields<Fields>>
  /** Refuses fields that contradict each other or the product's other records. Returns what to store. */
  validate?(tx: PlatformScope, write: ChildWrite<Fields>): Promise<ProductChild<Fields>>
  /** A field whose value is unique in the product, and the refusal of a value that is taken. */
  unique?: { field: keyof Fields & string; taken(value: string): Refusal }
  beforeRemove?(tx: PlatformScope, removal: { product: ParentProduct; id: string }): Promise<void>
  /** Updates what is stored beside the row. `child` is null after a removal. */
  afterWrite?(
    tx: PlatformScope,
    write: { product: ParentProduct; id: string; child: ProductChild<Fields> | null },
  ): Promise<void>
  /** Fields that follow from others: the audit log leaves them out. */
  derived?: readonly (keyof Fields & string)[]
}

/**
 * Administration of one kind of children. Every write locks the product, so that writes to its children run one after
 * the other. It is audited, and public as soon as it is answered.
 */
export function productChildService<Fields extends object, Change extends object, New extends Change>(
  deps: ProductChildDeps,
  kind: ProductChildKind<Fields, Change, New>,
) {
  const { store } = kind
  return {
    rules: (platform: PlatformScope, productId: string, { sent, isNew }: { sent: Fitting<Change>; isNew: boolean }) =>
      kind.rules?.(sent, isNew, { platform, productId }) ?? [],
    create: createChild(deps, kind),
    update: updateChild(deps, kind),
    remove: removeChild(deps, kind),

    get: async (platform: PlatformScope, key: ProductChildKey): Promise<ProductChild<Fields>> =>
      orNotFound(await store.find(platform, key)),

    /** Refuses NOT_FOUND for an unknown product. */
    list: async (
      platform: PlatformScope,
      productId: string,
      page: PageRequest,
    ): Promise<Page<ProductChild<Fields>>> => {
      if (!(await productExists(platform, productId))) throw notFound()
      return store.list(platform, productId, page)
    },
  }
}

/** Refuses NOT_FOUND, VALIDATION_ERROR, what `unique` refuses, and STATE_CONFLICT for too many ordered children. */
function createChild<Fields extends object, Change extends object, New extends Change>(
  deps: ProductChildDeps,
  kind: ProductChildKind<Fields, Change, New>,
) {
  const { store, positions } = kind
  return async (platform: PlatformScope, productId: string, sent: New): Promise<ProductChild<Fields>> => {
    const now = deps.clock.now()
    const parsed = await parse(kind, sent, now)
    return transaction(platform, async (tx) => {
      const product = orNotFound(await lockParentProduct(tx, productId))
      const defaults = kind.defaults(now)
      const base = { id: newId(now), productId, revision: 1, createdAt: now, updatedAt: now }
      const merged = { ...mergeFields(defaults, parsed, defaults), ...base } as unknown as ProductChild<Fields>
      const after = await validate(tx, kind, { product, before: null, after: merged, now })
      await addChild(tx, kind, after)
      const child = orNotFound(await store.find(tx, base))
      await kind.afterWrite?.(tx, { product, id: child.id, child })
      const changes = positions === undefined ? auditChanges({}, sent, kind.derived) : ownFields(after)
      await recordChange(deps, tx, { kind, verb: 'create', id: child.id, product, now, changes })
      return child
    })
  }
}

/** A request that changes nothing leaves no trace. Refuses as `create` does, and PRECONDITION_FAILED. */
function updateChild<Fields extends object, Change extends object, New extends Change>(
  deps: ProductChildDeps,
  kind: ProductChildKind<Fields, Change, New>,
) {
  const { store } = kind
  return async (
    platform: PlatformScope,
    key: ProductChildKey,
    { sent, ifMatch }: { sent: Change; ifMatch: string | undefined },
  ): Promise<ProductChild<Fields>> => {
    const now = deps.clock.now()
    const parsed = await parse(kind, sent, now)
    return transaction(platform, async (tx) => {
      const product = orNotFound(await lockParentProduct(tx, key.productId))
      const before = orNotFound(await store.find(tx, key))
      requireRevision(ifMatch, before)
      const merged = mergeFields(before, parsed, kind.defaults(now))
      const after = await validate(tx, kind, { product, before, after: merged, now })
      const changes = await saveChild(tx, kind, { before, after, now })
      if (Object.keys(changes).length === 0) return before
      const child = orNotFound(await store.find(tx, key))
      await kind.afterWrite?.(tx, { product, id: child.id, child })
      await recordChange(deps, tx, { kind, verb: 'update', id: child.id, product, now, changes })
      return child
    })
  }
}

/** The siblings of an ordered child close the gap. Refuses NOT_FOUND and PRECONDITION_FAILED. */
function removeChild<Fields extends object, Change extends object, New extends Change>(
  deps: ProductChildDeps,
  kind: ProductChildKind<Fields, Change, New>,
) {
  const { store, positions } = kind
  return (platform: PlatformScope, key: ProductChildKey, ifMatch: string | undefined): Promise<void> =>
    transaction(platform, async (tx) => {
      const now = deps.clock.now()
      const product = orNotFound(await lockParentProduct(tx, key.productId))
      const child = orNotFound(await store.find(tx, key))
      requireRevision(ifMatch, child)
      await kind.beforeRemove?.(tx, { product, id: child.id })
      await store.remove(tx, child.id)
      await positions?.setOrder(tx, product.id, await positions.listIds(tx, product.id))
      await kind.afterWrite?.(tx, { product, id: child.id, child: null })
      const changes =
        positions === undefined || kind.unique === undefined ? {} : { [kind.unique.field]: child[kind.unique.field] }
      await recordChange(deps, tx, { kind, verb: 'delete', id: child.id, product, now, changes })
    })
}

async function parse<Fields, Change, New extends Change>(
  kind: ProductChildKind<Fields, Change, New>,
  sent: Change,
  now: Date,
): Promise<object> {
  return kind.parse === undefined ? (sent as object) : kind.parse(sent, now)
}

async function validate<Fields, Change, New extends Change>(
  tx: PlatformScope,
  { validate, unique, store }: ProductChildKind<Fields, Change, New>,
  write: ChildWrite<Fields>,
): Promise<ProductChild<Fields>> {
  const child = validate === undefined ? write.after : await validate(tx, write)
  if (unique === undefined) return child
  const value = String(child[unique.field])
  if (await store.isTaken(tx, child, [unique.field, value])) throw unique.taken(value)
  return child
}

type Stores<Fields> = { store: ProductChildStore<Fields>; positions?: Positions }

/** Adds the child at the position in `order`. Refuses STATE_CONFLICT if the product has too many. */
async function addChild<Fields extends object>(
  tx: PlatformScope,
  { store, positions }: Stores<Fields>,
  child: ProductChild<Fields>,
): Promise<void> {
  if (positions === undefined) return store.add(tx, child)
  const { length } = await positions.listIds(tx, child.productId)
  if (length >= orderedChildrenMax)
    throw new Refusal('STATE_CONFLICT', {
      detail: `The product has ${orderedChildrenMax} of these, which is the maximum.`,
    })
  await store.add(tx, { ...child, order: length })
  await move(tx, positions, child)
}

type ChangedChild<Fields> = { before: ProductChild<Fields>; after: ProductChild<Fields>; now: Date }

/** Saves and moves the child as needed. Returns what changed, for the audit log. */
async function saveChild<Fields extends object>(
  tx: PlatformScope,
  { store, positions, derived = [] }: Stores<Fields> & { derived?: readonly string[] },
  { before, after, now }: ChangedChild<Fields>,
): Promise<Record<string, unknown>> {
  const changes = auditChanges(before, after, positions === undefined ? derived : [...derived, 'order'])
  const position = positions === undefined ? {} : { order: orderOf(before) }
  if (Object.keys(changes).length > 0)
    await store.save(tx, { ...after, ...position, revision: before.revision + 1, updatedAt: now })
  const order = positions === undefined ? null : await move(tx, positions, after)
  return order === null ? changes : { ...changes, order: { from: orderOf(before), to: order } }
}

/** Returns the new position, or null if the child is there already. */
async function move(tx: PlatformScope, positions: Positions, child: ProductChildKey): Promise<number | null> {
  const ids = await positions.listIds(tx, child.productId)
  const moved = moveId(ids, child.id, orderOf(child))
  if (moved.join() === ids.join()) return null
  await positions.setOrder(tx, child.productId, moved)
  return moved.indexOf(child.id)
}

function orderOf(child: object): number {
  return (child as { order: number }).order
}

/** The fields for the audit log, which lists values for new ordered children, and pairs of old and new for others. */
function ownFields(child: object): Record<string, unknown> {
  const { id: _, productId, revision, createdAt, updatedAt, order, ...fields } = child as Record<string, unknown>
  return fields
}

type ChildChange = {
  kind: { auditName: string }
  verb: 'create' | 'update' | 'delete'
  id: string
  product: ParentProduct
  now: Date
  changes: Record<string, unknown>
}

async function recordChange(
  { audit, publicChanged }: ProductChildDeps,
  tx: PlatformScope,
  { kind: { auditName }, verb, id, product, now, changes }: ChildChange,
): Promise<void> {
  await touchProduct(tx, product.id, now)
  const target = { type: auditName, id }
  await audit(tx, { action: `${auditName}.${verb}`, target, changes: { product: product.slug, ...changes } })
  await publicChanged(tx)
}

function orNotFound<T>(found: T | null): T {
  if (found === null) throw notFound()
  return found
}
