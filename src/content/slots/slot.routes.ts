import { admin } from '../../http/access/access.ts'
import { created, noContent, ok } from '../../http/answer.ts'
import { withETag } from '../../http/cache/precondition.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { ruleFor } from '../../kernel/field-rules.ts'
import { toPagination } from '../../kernel/paging.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { MediaLibrary } from '../media/media-library.ts'
import type { Slot } from './slot.rules.ts'
import {
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
import { adminSlotView, findSlotMedia } from './slot.view.ts'
import { readKindAt } from './slot-input.ts'

const tag = 'Content administration'

export type SlotRouteParts = { slots: Slots; media: MediaLibrary; clock: Clock }

export function slotRoutes(parts: SlotRouteParts): Route[] {
  return [...readRoutes(parts), ...changeRoutes(parts), orderRoute(parts)]
}

function readRoutes(parts: SlotRouteParts): Route[] {
  const { view, detail } = slotViews(parts)
  return [
    route({
      method: 'GET',
      path: '/admin/cms/slots',
      name: 'listSlots',
      tag,
      summary: 'List the homepage slots',
      description: 'Sorted by kind, then in the order of the homepage.',
      access: admin('VIEWER'),
      query: SlotQuery,
      answers: { 200: SlotList },
      rules: ({ query }) => [ruleFor(query.kind, (kind) => readKindAt(kind, '/query/kind'))],
      handle: async ({ platform, query: { page = 1, limit = 20, kind, isActive = null } }) => {
        const filter = { kind: kind === undefined ? null : readKindAt(kind, '/query/kind'), isActive }
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
        return withETag(ok(await detail(platform, slot)), slot)
      },
    }),
  ]
}

function changeRoutes(parts: SlotRouteParts): Route[] {
  const { slots } = parts
  const { detail } = slotViews(parts)
  return [
    route({
      method: 'POST',
      path: '/admin/cms/slots',
      name: 'createSlot',
      tag,
      summary: 'Create a homepage slot',
      description: 'Without `order` it becomes the last of its kind.',
      access: admin('EDITOR'),
      body: NewSlot,
      answers: { 201: SlotDetail },
      refusals: ['SLUG_TAKEN', 'STATE_CONFLICT', 'UNKNOWN_PRODUCT'],
      idempotent: true,
      rules: ({ platform, body }) => slots.rules(platform, body),
      handle: async ({ platform, body }) => {
        const slot = await slots.create(platform, body)
        return withETag(created(`/admin/cms/slots/${slot.id}`, await detail(platform, slot)), slot)
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
      rules: ({ platform, body }) => slots.rules(platform, body),
      handle: async ({ platform, params, body, headers }) => {
        const slot = await slots.update(platform, params.slotId, { asked: body, ifMatch: headers['if-match'] })
        return withETag(ok(await detail(platform, slot)), slot)
      },
    }),
    route({
      method: 'DELETE',
      path: '/admin/cms/slots/:slotId',
      name: 'deleteSlot',
      tag,
      summary: 'Delete a homepage slot',
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
  const { view } = slotViews(parts)
  return route({
    method: 'POST',
    path: '/admin/cms/slots/order',
    name: 'orderSlots',
    tag,
    summary: 'Reorder the slots of a kind',
    description: 'All slots move together or not at all.',
    access: admin('EDITOR'),
    body: SlotOrder,
    answers: { 200: OrderedSlots },
    rules: ({ body }) => [ruleFor(body.kind, (kind) => readKindAt(kind, '/body/kind'))],
    handle: async ({ platform, body }) => {
      const ordered = await parts.slots.reorder(platform, body)
      return ok({ slots: await view(platform, ordered) })
    },
  })
}

/** Slots for administrators. */
function slotViews({ slots: service, media, clock }: SlotRouteParts) {
  const view = async (platform: PlatformScope, slots: Slot[]): Promise<SlotAnswer[]> => {
    const files = await findSlotMedia(platform, slots, media)
    const hidden = await service.hiddenOf(platform, slots)
    const now = clock.now()
    return slots.map((slot) => adminSlotView(slot, { files, hidden, now }))
  }
  const detail = async (platform: PlatformScope, slot: Slot) => {
    const [shown] = (await view(platform, [slot])) as [SlotAnswer]
    return { slot: shown }
  }
  return { view, detail }
}
