import { requireRevision } from '../../http/cache/precondition.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { differingFields } from '../../kernel/differing-fields.ts'
import { newId } from '../../kernel/ids.ts'
import { invalidField, Refusal } from '../../kernel/refusal.ts'
import type { PublicChanged } from '../../storage/public-revision.ts'
import { type PlatformScope, type Scope, transaction } from '../../storage/scope.ts'
import type { MediaLibrary } from '../media/media-library.ts'
import { htmlOf, kindOf, readTerms, refuseContradiction, standardTerms } from './slot.reading.ts'
import { type Slot, type SlotKind, type SlotTerms, slotsMax } from './slot.rules.ts'
import type { NewSlot, SlotChange, SlotOrder } from './slot.schema.ts'
import {
  countSlots,
  deleteSlot,
  getSlot,
  hasSlug,
  insertSlot,
  listLiveSlots,
  listSlotsOf,
  lockSlots,
  nextSlotChange,
  placeSlots,
  updateSlot,
} from './slot.store.ts'

export type SlotDeps = {
  clock: Clock
  audit: Audit
  publicChanged: PublicChanged
  media: MediaLibrary
  unknownProducts(scope: Scope, slugs: string[]): Promise<string[]>
  /** Those of the slugs whose product is not public. */
  draftProducts(scope: Scope, slugs: string[]): Promise<string[]>
}

export type Slots = ReturnType<typeof slotService>

export function slotService({ clock, audit, publicChanged, media, unknownProducts, draftProducts }: SlotDeps) {
  /** What the homepage shows now, and when that changes by itself. */
  async function homepage(platform: PlatformScope): Promise<{ slots: Slot[]; validUntil: Date | null }> {
    const now = clock.now()
    const live = await listLiveSlots(platform, now)
    const hidden = await hiddenOf(platform, live)
    return { slots: live.filter(({ id }) => !hidden.has(id)), validUntil: await nextSlotChange(platform, now) }
  }

  /** The ids of those that show a product which is not public: nobody is shown them before it is. */
  async function hiddenOf(platform: PlatformScope, slots: Slot[]): Promise<Set<string>> {
    const slugs = slots.map(({ productSlug }) => productSlug).filter((slug) => slug !== null)
    const drafts = slugs.length === 0 ? [] : await draftProducts(platform, [...new Set(slugs)])
    return new Set(slots.filter(({ productSlug }) => drafts.includes(productSlug ?? '')).map(({ id }) => id))
  }

  /** Refuses with VALIDATION_ERROR, UNKNOWN_PRODUCT, SLUG_TAKEN, and STATE_CONFLICT where the kind is full. */
  async function create(platform: PlatformScope, { kind: word, slug, ...asked }: NewSlot): Promise<Slot> {
    const now = clock.now()
    const id = newId(now)
    const kind = kindOf(word, '/body/kind')
    const given = readTerms(asked, '/body')
    const bodyHtml = await htmlOf(given.body ?? null)
    return transaction(platform, async (tx) => {
      await lockSlots(tx)
      const { count, last } = await countSlots(tx, kind)
      if (count >= slotsMax) throw conflict(`There are ${slotsMax} slots of ${kind}, which is the most.`)
      const terms = { ...standardTerms, order: last + 1, ...given }
      refuseContradiction(kind, terms, '/body')
      await refuseUnknownProduct(tx, terms)
      const name = slug ?? `${kind.toLowerCase().replaceAll('_', '-')}-${id.slice(-12)}`
      if (await hasSlug(tx, name)) throw new Refusal('SLUG_TAKEN', { detail: `Another slot is called ${name}.` })
      const slot = await insertSlot(tx, { ...terms, id, slug: name, kind, bodyHtml, createdAt: now })
      await media.setUses(tx, useOf(slot), mediaOf(slot))
      await note(tx, 'slot.create', { id, changes: { slug: name, kind, title: slot.title } })
      return slot
    })
  }

  /** Refuses with NOT_FOUND, PRECONDITION_FAILED, VALIDATION_ERROR and UNKNOWN_PRODUCT. */
  async function update(
    platform: PlatformScope,
    id: string,
    { asked, ifMatch }: { asked: SlotChange; ifMatch: string | undefined },
  ): Promise<Slot> {
    const now = clock.now()
    const given = readTerms(asked, '/body')
    const rendered = given.body === undefined ? {} : { bodyHtml: await htmlOf(given.body) }
    return transaction(platform, async (tx) => {
      await lockSlots(tx)
      const before = await getSlot(tx, id)
      requireRevision(ifMatch, before)
      const fields = differingFields(termsOf(before), { ...termsOf(before), ...given })
      if (fields.length === 0) return before
      const after = { ...before, ...given, ...rendered, updatedAt: now }
      refuseContradiction(before.kind, after, '/body')
      if (fields.includes('productSlug')) await refuseUnknownProduct(tx, after)
      const slot = await updateSlot(tx, after)
      await media.setUses(tx, useOf(slot), mediaOf(slot))
      await note(tx, 'slot.update', { id, changes: { slug: slot.slug, fields } })
      return slot
    })
  }

  /** Refuses with NOT_FOUND and PRECONDITION_FAILED. */
  async function remove(platform: PlatformScope, id: string, ifMatch: string | undefined): Promise<void> {
    await transaction(platform, async (tx) => {
      await lockSlots(tx)
      const slot = await getSlot(tx, id)
      requireRevision(ifMatch, slot)
      await deleteSlot(tx, id)
      await media.setUses(tx, userOf(slot), [])
      await note(tx, 'slot.delete', { id, changes: { slug: slot.slug, kind: slot.kind } })
    })
  }

  /** All slots of the kind in their new order. Refuses with VALIDATION_ERROR an id that is none of them or comes twice. */
  async function reorder(platform: PlatformScope, { kind: word, ids }: SlotOrder): Promise<Slot[]> {
    const now = clock.now()
    const kind = kindOf(word, '/body/kind')
    return transaction(platform, async (tx) => {
      await lockSlots(tx)
      const before = await listSlotsOf(tx, kind)
      refuseForeign(before, kind, ids)
      const others = before.filter(({ id }) => !ids.includes(id)).map(({ id }) => id)
      await placeSlots(tx, [...ids, ...others], now)
      await note(tx, 'slot.reorder', { id: null, changes: { kind, ids } })
      return listSlotsOf(tx, kind)
    })
  }

  async function refuseUnknownProduct(tx: PlatformScope, { productSlug }: SlotTerms): Promise<void> {
    if (productSlug === null || (await unknownProducts(tx, [productSlug])).length === 0) return
    throw invalidField('/body/productSlug', {
      code: 'unknown',
      message: `names no product: ${productSlug}`,
      refusal: 'UNKNOWN_PRODUCT',
    })
  }

  async function note(
    tx: PlatformScope,
    action: string,
    { id, changes }: { id: string | null; changes: Record<string, unknown> },
  ): Promise<void> {
    await audit(tx, { action, target: { type: 'slot', id }, changes })
    await publicChanged(tx)
  }

  return { homepage, hiddenOf, create, update, remove, reorder }
}

/** As the library of files knows a slot. */
export function userOf({ id, slug }: { id: string; slug: string }) {
  return { kind: 'slot', id, label: slug } as const
}

/** The same with what it shows by address. */
export function useOf(slot: Slot) {
  return { ...userOf(slot), texts: slot.body }
}

export function mediaOf({ mediaId }: SlotTerms): string[] {
  return mediaId === null ? [] : [mediaId]
}

function termsOf(slot: Slot): SlotTerms {
  const { id: _, slug, kind, bodyHtml, revision, createdAt, updatedAt, ...terms } = slot
  return terms
}

function refuseForeign(slots: Slot[], kind: SlotKind, ids: string[]): void {
  for (const [index, id] of ids.entries()) {
    const path = `/body/ids/${index}`
    if (ids.indexOf(id) < index) throw invalidField(path, { code: 'duplicate', message: 'comes a second time' })
    if (!slots.some((slot) => slot.id === id))
      throw invalidField(path, { code: 'unknown', message: `is no slot of ${kind}` })
  }
}

function conflict(detail: string): Refusal {
  return new Refusal('STATE_CONFLICT', { detail })
}
