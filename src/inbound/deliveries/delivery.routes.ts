import { accepted, ok } from '../../http/answer.ts'
import { readTimes } from '../../http/period-query.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
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

type Deps = { deliveries: Deliveries }

export function deliveryRoutes(deps: Deps): Route[] {
  return [...readRoutes(deps), ...replayRoutes(deps)]
}

function readRoutes({ deliveries }: Deps): Route[] {
  return [
    route({
      method: 'GET',
      path: `${base}/deliveries`,
      name: 'listInboundDeliveries',
      tag,
      summary: 'List deliveries, newest first',
      description:
        'Includes refused deliveries with the cause, which their sender does not see. Deliveries are kept for 30 days.',
      access,
      query: DeliveryQuery,
      answers: { 200: DeliveryList },
      handle: async (input) => {
        const { page = 1, limit = 20, status, connectionId, from, to } = input.query
        const search = {
          status,
          connectionId,
          ...readTimes({ from, to }),
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
      summary: 'Get a delivery with its timeline and effects',
      access,
      answers: { 200: DeliveryDetail },
      handle: async (input) => {
        const delivery = await deliveries.get(input.scope, input.params.deliveryId)
        return ok({ delivery: deliveryWithTimeline(delivery) })
      },
    }),
  ]
}

function replayRoutes({ deliveries }: Deps): Route[] {
  return [
    route({
      method: 'POST',
      path: `${base}/deliveries/:deliveryId/replay`,
      name: 'replayInboundDelivery',
      tag,
      summary: 'Replay a delivery',
      description:
        'Processes a delivery again that is done or dead. Its body must still be kept (7 days). Its earlier effects stay as they are.',
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
      summary: 'Replay many deliveries',
      description: 'The oldest first. A repeated request finds only deliveries that have failed again since.',
      access,
      body: ReplayFilter,
      answers: { 202: ReplayAnswer },
      idempotent: true,
      handle: async (input) => accepted(await deliveries.replayAll(input.scope, input.body)),
    }),
  ]
}
