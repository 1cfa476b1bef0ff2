import { requireRevision } from '../../http/cache/precondition.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import type { PublicChanged } from '../../storage/public-revision.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { auditChanges } from '../changes.rules.ts'
import { touchProduct } from '../products/parent-product.store.ts'
import { getProduct, lockProduct } from '../products/product.store.ts'
import type { Place } from '../revised/revised.store.ts'
import { movedTo, recordsMax, type Stored } from './record.rules.ts'
import type { RecordStore } from './record.store.ts'

/** What features, plans and media differ in. */
export type RecordKind<Terms, Sent> = {
  noun: string
  store: RecordStore<Terms>
  /** The member that tells the records of a product apart. */
  unique: (keyof Terms & keyof Sent & string) | null
  /**
   * The terms with what was sent put into them. `attempt` counts from 1: a name that the program itself makes is asked
   * for again where it is taken. Refuses VALIDATION_ERROR.
   */
  read(sent: Sent, before: Terms | null, attempt: number): Terms
}

export type RecordDeps = {
  clock: Clock
  audit: Audit
  publicChanged: PublicChanged
  /** Tells the media library what the product uses now. */
  keepUses(tx: PlatformScope, product: { id: string; slug: string }): Promise<void>
}

type Sending<Sent> = { sent: Sent; ifMatch: string | undefined }

/** Administration of one kind of record. All changes of a product's records take turns: the product is locked. */
export function recordService<Terms extends object, Sent extends { order?: number | undefined }>(
  { noun, store, unique, read }: RecordKind<Terms, Sent>,
  { clock, audit, publicChanged, keepUses }: RecordDeps,
) {
  const get = async (scope: PlatformScope, place: Place): Promise<Stored<Terms>> => {
    const record = await store.find(scope, place)
    if (record === null) throw notFound()
    return record
  }

  /** Terms whose name no other record of the product has. Refuses SLUG_TAKEN for a name that was sent. */
  const readFree = async (tx: PlatformScope, place: Place, { sent, before }: { sent: Sent; before: Terms | null }) => {
    for (let attempt = 1; ; attempt++) {
      const terms = read(sent, before, attempt)
      if (unique === null || !(await store.isTaken(tx, place, [unique, String(terms[unique])]))) return terms
      if (sent[unique] !== undefined || attempt > recordsMax)
        throw new Refusal('SLUG_TAKEN', {
          detail: `Another ${noun} of the product has the ${unique} ${terms[unique]}.`,
        })
    }
  }

  const written = async (
    tx: PlatformScope,
    { productId, id }: Place,
    { verb, changes }: { verb: string; changes: Record<string, unknown> },
  ): Promise<void> => {
    const product = await touchProduct(tx, productId, clock.now())
    if (product === null) throw notFound()
    await keepUses(tx, product)
    const target = { type: `product-${noun}`, id }
    await audit(tx, { action: `product-${noun}.${verb}`, target, changes: { product: product.slug, ...changes } })
    await publicChanged(tx)
  }

  const place = async (tx: PlatformScope, { productId, id }: Place, order: number | undefined): Promise<boolean> => {
    if (order === undefined) return false
    const ids = await store.idsOf(tx, productId)
    const wanted = movedTo(ids, id, order)
    if (wanted.join() === ids.join()) return false
    await store.setOrder(tx, productId, wanted)
    return true
  }

  return {
    get,

    /** Refuses NOT_FOUND for a product that is not there. */
    list: async (scope: PlatformScope, productId: string, page: PageRequest): Promise<Page<Stored<Terms>>> => {
      await getProduct(scope, productId)
      return store.list(scope, productId, page)
    },

    /** Last, unless `order` names a place. Refuses NOT_FOUND, VALIDATION_ERROR, SLUG_TAKEN and STATE_CONFLICT. */
    create: (platform: PlatformScope, productId: string, sent: Sent): Promise<Stored<Terms>> =>
      transaction(platform, async (tx) => {
        const now = clock.now()
        const here = { productId, id: newId(now) }
        await lockProduct(tx, productId)
        const terms = await readFree(tx, here, { sent, before: null })
        const { length } = await store.idsOf(tx, productId)
        if (length >= recordsMax)
          throw new Refusal('STATE_CONFLICT', { detail: `The product has ${recordsMax} of these, which is the most.` })
        await store.add(tx, { ...terms, ...here, order: length, revision: 1, createdAt: now, updatedAt: now })
        await place(tx, here, sent.order)
        await written(tx, here, { verb: 'create', changes: terms as Record<string, unknown> })
        return get(tx, here)
      }),

    /** What changes nothing leaves no trace. Refuses NOT_FOUND, VALIDATION_ERROR, SLUG_TAKEN and PRECONDITION_FAILED. */
    update: (platform: PlatformScope, here: Place, { sent, ifMatch }: Sending<Sent>): Promise<Stored<Terms>> =>
      transaction(platform, async (tx) => {
        await lockProduct(tx, here.productId)
        const before = await get(tx, here)
        requireRevision(ifMatch, before)
        const terms = await readFree(tx, here, { sent, before })
        const changes = auditChanges(pick(before, terms), terms)
        const isChanged = Object.keys(changes).length > 0
        const revision = before.revision + 1
        if (isChanged) await store.save(tx, { ...before, ...terms, revision, updatedAt: clock.now() })
        const isMoved = await place(tx, here, sent.order)
        if (!isChanged && !isMoved) return before
        const after = await get(tx, here)
        const moves = isMoved ? { order: { from: before.order, to: after.order } } : {}
        await written(tx, here, { verb: 'update', changes: { ...changes, ...moves } })
        return after
      }),

    /** The others close the gap. Refuses NOT_FOUND and PRECONDITION_FAILED. */
    remove: (platform: PlatformScope, here: Place, ifMatch: string | undefined): Promise<void> =>
      transaction(platform, async (tx) => {
        await lockProduct(tx, here.productId)
        const record = await get(tx, here)
        requireRevision(ifMatch, record)
        await store.remove(tx, here.id)
        await store.setOrder(tx, here.productId, await store.idsOf(tx, here.productId))
        const changes = unique === null ? {} : { [unique]: record[unique] }
        await written(tx, here, { verb: 'delete', changes })
      }),
  }
}

/** The members of a stored record that are its terms. */
function pick<Terms extends object>(record: Stored<Terms>, terms: Terms): Terms {
  return Object.fromEntries(Object.keys(terms).map((name) => [name, record[name as keyof Terms]])) as Terms
}
