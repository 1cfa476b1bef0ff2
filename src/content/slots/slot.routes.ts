import { admin, open } from '../../http/access/access.ts'
import { type Answer, created, noContent, ok } from '../../http/answer.ts'
import { revisionETag } from '../../http/cache/precondition.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { toPagination } from '../../kernel/paging.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { MediaLibrary } from '../media/media-library.ts'
import { kindOf } from './slot.reading.ts'
import { type Slot, slotKinds } from './slot.rules.ts'
import {
  Homepage,
  NewSlot,
  OrderedSlots,
  type SlotAnswer,
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
    description:
      'Slots by kind, in their order; only those that are switched on, whose time it is, and whose product is public.',
    access: open('the homepage is public'),
    answers: { 200: Homepage },
    cache: { maxAgeSeconds: 0 },
    handle: async ({ platform }) => {
      const { slots: live, validUntil } = await slots.homepage(platform)
      const files = await mediaOfAll(platform, live, media)
      const byKind = Map.groupBy(live, ({ kind }) => kind)
      const shown = slotKinds.map((kind) => [kind, (byKind.get(kind) ?? []).map((slot) => publicSlot(slot, files))])
      return { ...ok({ slots: Object.fromEntries(shown) }), ...(validUntil === null ? {} : { validUntil }) }
    },
  })
}

function reading(parts: SlotRouteParts): Route[] {
  const { view, detail } = viewsOf(parts)
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
        return ok({ slots: await view(platform, items), pagination: toPagination({ page, limit }, total) })
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
        return tagged(slot, ok(await detail(platform, slot)))
      },
    }),
  ]
}

function changing(parts: SlotRouteParts): Route[] {
  const { slots } = parts
  const { detail } = viewsOf(parts)
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
        return tagged(slot, created(`/admin/cms/slots/${slot.id}`, await detail(platform, slot)))
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
        return tagged(slot, ok(await detail(platform, slot)))
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

function orderRoute(parts: SlotRouteParts): Route {
  const { view } = viewsOf(parts)
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
      const ordered = await parts.slots.reorder(platform, body)
      return ok({ slots: await view(platform, ordered) })
    },
  })
}

/** Slots as administrators see them. */
function viewsOf({ slots: service, media, clock }: SlotRouteParts) {
  const view = async (platform: PlatformScope, slots: Slot[]): Promise<SlotAnswer[]> => {
    const files = await mediaOfAll(platform, slots, media)
    const hidden = await service.hiddenOf(platform, slots)
    const now = clock.now()
    return slots.map((slot) => adminSlot(slot, { files, hidden, now }))
  }
  const detail = async (platform: PlatformScope, slot: Slot) => {
    const [shown] = (await view(platform, [slot])) as [SlotAnswer]
    return { slot: shown }
  }
  return { view, detail }
}

/** With the entity tag that `If-Match` takes. */
function tagged<A extends Answer>(slot: Slot, answer: A): A {
  return { ...answer, headers: { ...answer.headers, etag: revisionETag(slot) } }
}
