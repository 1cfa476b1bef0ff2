import { accepted, ok } from '../../http/answer.ts'
import { type Mount, mount } from '../../http/mounts.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { parseTimestamp } from '../../kernel/timestamps.ts'
import { access, base, tag } from '../access.ts'
import {
  DeliveryDetail,
  DeliveryList,
  DeliveryQuery,
  deliveryView,
  deliveryWithTimeline,
  ReplayAnswer,
  ReplayFilter,
} from './delivery.schema.ts'
import type { Deliveries } from './delivery.service.ts'
import { listDeliveries } from './delivery.store.ts'

type Deps = { deliveries: Deliveries; adminMount: Mount }

export function deliveryRoutes(deps: Deps): Route[] {
  const routes = [...reading(deps), ...replaying(deps)]
  return [...routes, ...mount(routes, [deps.adminMount])]
}

function reading({ deliveries }: Deps): Route[] {
  return [
    route({
      method: 'GET',
      path: `${base}/deliveries`,
      name: 'listInboundDeliveries',
      tag,
      summary: 'List what was delivered, newest first',
      description: 'Refused deliveries among them, with the cause that their sender was not told. Kept for 30 days.',
      access,
      query: DeliveryQuery,
      answers: { 200: DeliveryList },
      handle: async (input) => {
        const { page = 1, limit = 20, status, connectionId, from, to } = input.query
        const search = {
          ...{ status, connectionId },
          from: from === undefined ? undefined : parseTimestamp(from, '/query/from'),
          to: to === undefined ? undefined : parseTimestamp(to, '/query/to'),
        }
        const { items, total } = await listDeliveries(input.scope, search, { page, limit })
        return ok({ deliveries: items.map(deliveryView), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'GET',
      path: `${base}/deliveries/:deliveryId`,
      name: 'getInboundDelivery',
      tag,
      summary: 'Get a delivery and what became of it',
      access,
      answers: { 200: DeliveryDetail },
      handle: async (input) => {
        const delivery = await deliveries.get(input.scope, input.params.deliveryId)
        return ok({ delivery: deliveryWithTimeline(delivery) })
      },
    }),
  ]
}

function replaying({ deliveries }: Deps): Route[] {
  return [
    route({
      method: 'POST',
      path: `${base}/deliveries/:deliveryId/replay`,
      name: 'replayInboundDelivery',
      tag,
      summary: 'Process a delivery again',
      description: 'One that is done or dead and whose body is kept (7 days). Effects that it had stay as they are.',
      access,
      answers: { 202: DeliveryDetail },
      refusals: ['STATE_CONFLICT'],
      idempotent: true,
      handle: async (input) => {
        const delivery = await deliveries.replay(input.scope, input.params.deliveryId)
        return accepted({ delivery: deliveryWithTimeline(delivery) })
      },
    }),
    route({
      method: 'POST',
      path: `${base}/deliveries/replay`,
      name: 'replayInboundDeliveries',
      tag,
      summary: 'Process many deliveries again',
      description: 'The oldest first. Asked again, it finds those alone that have failed again meanwhile.',
      access,
      body: ReplayFilter,
      answers: { 202: ReplayAnswer },
      idempotent: true,
      handle: async (input) => accepted(await deliveries.replayAll(input.scope, input.body)),
    }),
  ]
}
