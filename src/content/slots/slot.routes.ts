import { admin, open } from '../../http/access.ts'
import { type Answer, created, noContent, ok } from '../../http/answer.ts'
import { revisionTag } from '../../http/precondition.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { paginationOf } from '../../kernel/paging.ts'
import type { MediaLibrary } from '../media/media-library.ts'
import { kindOf } from './slot.reading.ts'
import { type Slot, slotKinds } from './slot.rules.ts'
import {
  Homepage,
  NewSlot,
  OrderedSlots,
  SlotChange,
  SlotDetail,
  SlotList,
  SlotOrder,
  SlotQuery,
} from './slot.schema.ts'
import type { Slots } from './slot.service.ts'
import { getSlot, listSlots } from './slot.store.ts'
import { adminSlot, mediaOfAll, publicSlot } from './slot.view.ts'

const tag = 'Content administration'

export type SlotRouteParts = { slots: Slots; media: MediaLibrary; clock: Clock }

export function slotRoutes(parts: SlotRouteParts): Route[] {
  return [homepageRoute(parts), ...reading(parts), ...changing(parts), orderRoute(parts)]
}

function homepageRoute({ slots, media }: SlotRouteParts): Route {
  return route({
    method: 'GET',
    path: '/cms/homepage',
    name: 'getHomepage',
    tag: 'Content',
    summary: 'Get what the homepage shows now',
    description: 'Slots by kind, in their order; only those that are switched on and whose time it is.',
    access: open('the homepage is public'),
    answers: { 200: Homepage },
    publicRead: { maxAgeSeconds: 0 },
    handle: async ({ platform }) => {
      const { slots: live, validUntil } = await slots.homepage(platform)
      const files = await mediaOfAll(platform, live, media)
      const byKind = Map.groupBy(live, ({ kind }) => kind)
      const shown = slotKinds.map((kind) => [kind, (byKind.get(kind) ?? []).map((slot) => publicSlot(slot, files))])
      return { ...ok({ slots: Object.fromEntries(shown) }), ...(validUntil === null ? {} : { validUntil }) }
    },
  })
}

function reading({ media, clock }: SlotRouteParts): Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/cms/slots',
      name: 'listSlots',
      tag,
      summary: 'List the homepage slots',
      description: 'By kind and, within a kind, in the order in which they are shown.',
      access: admin('VIEWER'),
      query: SlotQuery,
      answers: { 200: SlotList },
      handle: async ({ platform, query: { page = 1, limit = 20, kind, isActive = null } }) => {
        const filter = { kind: kind === undefined ? null : kindOf(kind, '/query/kind'), isActive }
        const { items, total } = await listSlots(platform, filter, { page, limit })
        const files = await mediaOfAll(platform, items, media)
        const now = clock.now()
        return ok({
          slots: items.map((slot) => adminSlot(slot, files, now)),
          pagination: paginationOf({ page, limit }, total),
        })
      },
    }),
    route({
      method: 'GET',
      path: '/admin/cms/slots/:slotId',
      name: 'getSlot',
      tag,
      summary: 'Show a homepage slot',
      access: admin('VIEWER'),
      answers: { 200: SlotDetail },
      handle: async ({ platform, params }) => {
        const slot = await getSlot(platform, params.slotId)
        const files = await mediaOfAll(platform, [slot], media)
        return tagged(slot, ok({ slot: adminSlot(slot, files, clock.now()) }))
      },
    }),
  ]
}

function changing({ slots, media, clock }: SlotRouteParts): Route[] {
  return [
    route({
      method: 'POST',
      path: '/admin/cms/slots',
      name: 'createSlot',
      tag,
      summary: 'Add a homepage slot',
      description: 'Without `order` it is the last of its kind.',
      access: admin('EDITOR'),
      body: NewSlot,
      answers: { 201: SlotDetail },
      refusals: ['SLUG_TAKEN', 'STATE_CONFLICT', 'UNKNOWN_PRODUCT'],
      idempotent: true,
      handle: async ({ platform, body }) => {
        const slot = await slots.create(platform, body)
        const files = await mediaOfAll(platform, [slot], media)
        return tagged(slot, created(`/admin/cms/slots/${slot.id}`, { slot: adminSlot(slot, files, clock.now()) }))
      },
    }),
    route({
      method: 'PATCH',
      path: '/admin/cms/slots/:slotId',
      name: 'updateSlot',
      tag,
      summary: 'Change a homepage slot',
      access: admin('EDITOR'),
      body: SlotChange,
      answers: { 200: SlotDetail },
      refusals: ['UNKNOWN_PRODUCT'],
      conditional: true,
      handle: async ({ platform, params, body, headers }) => {
        const slot = await slots.update(platform, params.slotId, { asked: body, ifMatch: headers['if-match'] })
        const files = await mediaOfAll(platform, [slot], media)
        return tagged(slot, ok({ slot: adminSlot(slot, files, clock.now()) }))
      },
    }),
    route({
      method: 'DELETE',
      path: '/admin/cms/slots/:slotId',
      name: 'deleteSlot',
      tag,
      summary: 'Remove a homepage slot',
      access: admin('EDITOR'),
      answers: { 204: null },
      conditional: true,
      handle: async ({ platform, params, headers }) => {
        await slots.remove(platform, params.slotId, headers['if-match'])
        return noContent()
      },
    }),
  ]
}

function orderRoute({ slots, media, clock }: SlotRouteParts): Route {
  return route({
    method: 'POST',
    path: '/admin/cms/slots/order',
    name: 'orderSlots',
    tag,
    summary: 'Put the slots of a kind into another order',
    description: 'All of them move at once or none does.',
    access: admin('EDITOR'),
    body: SlotOrder,
    answers: { 200: OrderedSlots },
    handle: async ({ platform, body }) => {
      const ordered = await slots.reorder(platform, body)
      const files = await mediaOfAll(platform, ordered, media)
      const now = clock.now()
      return ok({ slots: ordered.map((slot) => adminSlot(slot, files, now)) })
    },
  })
}

/** With the entity tag that `If-Match` takes. */
function tagged<A extends Answer>(slot: Slot, answer: A): A {
  return { ...answer, headers: { ...answer.headers, etag: revisionTag(slot) } }
}
