import { requireRevision } from '../../http/cache/precondition.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { differingFields } from '../../kernel/differing-fields.ts'
import { type FieldRule, type Fitting, ruleFor } from '../../kernel/field-rules.ts'
import { newId } from '../../kernel/ids.ts'
import { type FieldError, invalidField, Refusal, refuseFields } from '../../kernel/refusal.ts'
import type { PublicChanged } from '../../storage/public-revision.ts'
import { type PlatformScope, type Scope, transaction } from '../../storage/scope.ts'
import type { MediaLibrary } from '../media/media-library.ts'
import { readSlotKind, type Slot, type SlotFields, type SlotKind, slotsMax } from './slot.rules.ts'
import type { NewSlot, SlotChange, SlotOrder } from './slot.schema.ts'
import {
  countSlots,
  deleteSlot,
  getSlot,
  hasSlug,
  insertSlot,
  listLiveSlots,
  listSlotsOfKind,
  lockSlots,
  nextSlotChange,
  orderSlots,
  updateSlot,
} from './slot.store.ts'
import {
  addressFaults,
  defaultFields,
  readFields,
  readKindAt,
  refuseContradiction,
  renderedHtml,
} from './slot-input.ts'

export type SlotDeps = {
  clock: Clock
  audit: Audit
  publicChanged: PublicChanged
  media: MediaLibrary
  unknownProducts(scope: Scope, slugs: string[]): Promise<string[]>
  /** Returns those slugs whose product is not public. */
  draftProducts(scope: Scope, slugs: string[]): Promise<string[]>
}

export type Slots = ReturnType<typeof slotService>

export function slotService({ clock, audit, publicChanged, media, unknownProducts, draftProducts }: SlotDeps) {
  /** The current homepage, and until when it is valid. */
  async function homepage(platform: PlatformScope): Promise<{ slots: Slot[]; validUntil: Date | null }> {
    const now = clock.now()
    const live = await listLiveSlots(platform, now)
    const hidden = await hiddenSlotIds(platform, live)
    return { slots: live.filter(({ id }) => !hidden.has(id)), validUntil: await nextSlotChange(platform, now) }
  }

  /** The ids of slots that show a non-public product: they stay hidden until it is public. */
  async function hiddenSlotIds(platform: PlatformScope, slots: Slot[]): Promise<Set<string>> {
    const slugs = slots.map(({ productSlug }) => productSlug).filter((slug) => slug !== null)
    const drafts = slugs.length === 0 ? [] : await draftProducts(platform, [...new Set(slugs)])
    return new Set(slots.filter(({ productSlug }) => drafts.includes(productSlug ?? '')).map(({ id }) => id))
  }

  /** Rules of `create` and `update`; a change has no kind. */
  function rules(platform: PlatformScope, sent: Fitting<NewSlot>): FieldRule[] {
    const { kind, startsAt, endsAt, links, productSlug, mediaId } = sent
    const known = kind === undefined ? null : readSlotKind(kind)
    const span = { startsAt: startsAt ? new Date(startsAt) : null, endsAt: endsAt ? new Date(endsAt) : null }
    // A change may have links, if its slot is of their kind.
    const whole = { ...span, links: known === null ? [] : (links ?? []) }
    return [
      ruleFor(kind, (word) => readKindAt(word, '/body/kind')),
      () => refuseFields(addressFaults(sent, '/body')),
      () => refuseContradiction(known ?? 'FOOTER_LINKS', whole, '/body'),
      ruleFor(productSlug, (slug) => refuseUnknownProduct(platform, { productSlug: slug })),
      ruleFor(mediaId, (id) => refuseUnknownFile(platform, id)),
    ]
  }

  async function refuseUnknownFile(platform: PlatformScope, id: string): Promise<void> {
    if (!(await media.find(platform, [id])).has(id))
      throw invalidField('/body/mediaId', { code: 'media', message: 'is not the id of an uploaded file' })
  }

  /** Refuses with VALIDATION_ERROR, UNKNOWN_PRODUCT, SLUG_TAKEN, and STATE_CONFLICT if the kind is full. */
  async function create(platform: PlatformScope, { kind: word, slug, ...asked }: NewSlot): Promise<Slot> {
    const now = clock.now()
    const id = newId(now)
    const kind = readKindAt(word, '/body/kind')
    const given = readFields(asked, '/body')
    const bodyHtml = await renderedHtml(given.body ?? null)
    return transaction(platform, async (tx) => {
      await lockSlots(tx)
      const { count, last } = await countSlots(tx, kind)
      if (count >= slotsMax) throw conflict(`The kind ${kind} already has ${slotsMax} slots, the maximum.`)
      const terms = { ...defaultFields, order: last + 1, ...given }
      refuseContradiction(kind, terms, '/body')
      await refuseUnknownProduct(tx, terms)
      const name = slug ?? `${kind.toLowerCase().replaceAll('_', '-')}-${id.slice(-12)}`
      if (await hasSlug(tx, name)) throw new Refusal('SLUG_TAKEN', { detail: `Another slot has the slug ${name}.` })
      const slot = await insertSlot(tx, { ...terms, id, slug: name, kind, bodyHtml, createdAt: now })
      await media.setUses(tx, mediaUse(slot), slotMediaIds(slot))
      await recordAudit(tx, 'slot.create', { id, changes: { slug: name, kind, title: slot.title } })
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
    const given = readFields(asked, '/body')
    const rendered = given.body === undefined ? {} : { bodyHtml: await renderedHtml(given.body) }
    return transaction(platform, async (tx) => {
      await lockSlots(tx)
      const before = await getSlot(tx, id)
      requireRevision(ifMatch, before)
      const fields = differingFields(slotFields(before), { ...slotFields(before), ...given })
      if (fields.length === 0) return before
      const after = { ...before, ...given, ...rendered, updatedAt: now }
      refuseContradiction(before.kind, after, '/body')
      if (fields.includes('productSlug')) await refuseUnknownProduct(tx, after)
      const slot = await updateSlot(tx, after)
      await media.setUses(tx, mediaUse(slot), slotMediaIds(slot))
      await recordAudit(tx, 'slot.update', { id, changes: { slug: slot.slug, fields } })
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
      await media.setUses(tx, mediaUser(slot), [])
      await recordAudit(tx, 'slot.delete', { id, changes: { slug: slot.slug, kind: slot.kind } })
    })
  }

  /** Returns all slots of the kind in their new order. Refuses VALIDATION_ERROR for an unknown or repeated id. */
  async function reorder(platform: PlatformScope, { kind: word, ids }: SlotOrder): Promise<Slot[]> {
    const now = clock.now()
    const kind = readKindAt(word, '/body/kind')
    return transaction(platform, async (tx) => {
      await lockSlots(tx)
      const before = await listSlotsOfKind(tx, kind)
      refuseForeign(before, kind, ids)
      const others = before.filter(({ id }) => !ids.includes(id)).map(({ id }) => id)
      await orderSlots(tx, [...ids, ...others], now)
      await recordAudit(tx, 'slot.reorder', { id: null, changes: { kind, ids } })
      return listSlotsOfKind(tx, kind)
    })
  }

  async function refuseUnknownProduct(
    tx: PlatformScope,
    { productSlug }: Pick<SlotFields, 'productSlug'>,
  ): Promise<void> {
    if (productSlug === null || (await unknownProducts(tx, [productSlug])).length === 0) return
    throw invalidField('/body/productSlug', {
      code: 'unknown',
      message: `is not the slug of a product: ${productSlug}`,
      refusal: 'UNKNOWN_PRODUCT',
    })
  }

  async function recordAudit(
    tx: PlatformScope,
    action: string,
    { id, changes }: { id: string | null; changes: Record<string, unknown> },
  ): Promise<void> {
    await audit(tx, { action, target: { type: 'slot', id }, changes })
    await publicChanged(tx)
  }

  return { homepage, hiddenOf: hiddenSlotIds, rules, create, update, remove, reorder }
}

/** How the media library identifies the slot. */
export function mediaUser({ id, slug }: { id: string; slug: string }) {
  return { kind: 'slot', id, label: slug } as const
}

/** The slot with the texts it shows, for the media library. */
export function mediaUse(slot: Slot) {
  return { ...mediaUser(slot), texts: slot.body }
}

export function slotMediaIds({ mediaId }: SlotFields): string[] {
  return mediaId === null ? [] : [mediaId]
}

function slotFields(slot: Slot): SlotFields {
  const { id: _, slug, kind, bodyHtml, revision, createdAt, updatedAt, ...terms } = slot
  return terms
}

function refuseForeign(slots: Slot[], kind: SlotKind, ids: string[]): void {
  const faults = [...ids.entries()].flatMap(([index, id]): FieldError[] => {
    const path = `/body/ids/${index}`
    if (ids.indexOf(id) < index) return [{ path, code: 'duplicate', message: 'is listed twice' }]
    return slots.some((slot) => slot.id === id) ? [] : [{ path, code: 'unknown', message: `is not a slot of ${kind}` }]
  })
  refuseFields(faults)
}

function conflict(detail: string): Refusal {
  return new Refusal('STATE_CONFLICT', { detail })
}
