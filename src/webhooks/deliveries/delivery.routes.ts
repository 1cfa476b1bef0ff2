import type { ScopeOf, Side } from '../../http/access/mounts.ts'
import { accepted, ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { sides, tag } from '../sides.ts'
import {
  DeliveryDetail,
  DeliveryList,
  DeliveryQuery,
  deliveryView,
  Recovered,
  RecoveryAsk,
  TestEvent,
} from './delivery.schema.ts'
import type { Deliveries } from './delivery.service.ts'

type Deps = { deliveries: Deliveries; scopeOf: ScopeOf }

export function deliveryRoutes(deps: Deps): Route[] {
  return sides.flatMap((side) => [reading(side, deps), trying(side, deps), ...repeating(side, deps)])
}

function reading(side: Side, { deliveries, scopeOf }: Deps): Route {
  return route({
    method: 'GET',
    path: `${side.base}/endpoints/:endpointId/deliveries`,
    name: `list${side.of}WebhookDeliveries`,
    tag,
    summary: 'List what was sent to an endpoint in the last 30 days, newest first',
    access: side.reads,
    query: DeliveryQuery,
    answers: { 200: DeliveryList },
    handle: async (input) => {
      const { page = 1, limit = 20, status = null } = input.query
      const asked = { page, limit, status }
      const { items, total } = await deliveries.list(await scopeOf(input), input.params.endpointId, asked)
      return ok({ deliveries: items.map(deliveryView), pagination: toPagination({ page, limit }, total) })
    },
  })
}

function trying(side: Side, { deliveries, scopeOf }: Deps): Route {
  return route({
    method: 'POST',
    path: `${side.base}/endpoints/:endpointId/test`,
    name: `test${side.of}WebhookEndpoint`,
    tag,
    summary: 'Send an event to an endpoint to try it',
    description: 'Whatever the endpoint wants to hear. How it went is in its deliveries.',
    access: side.changes,
    body: TestEvent,
    answers: { 202: DeliveryDetail },
    refusals: ['STATE_CONFLICT'],
    idempotent: true,
    handle: async (input) => {
      const { eventType = 'webhook.test' } = input.body
      const sent = await deliveries.test(await scopeOf(input), input.params.endpointId, eventType)
      return accepted({ delivery: deliveryView(sent) })
    },
  })
}

function repeating(side: Side, { deliveries, scopeOf }: Deps): Route[] {
  return [
    route({
      method: 'POST',
      path: `${side.base}/endpoints/:endpointId/deliveries/:messageId/resend`,
      name: `resend${side.of}WebhookDelivery`,
      tag,
      summary: 'Send an event again',
      description: 'Now, with all its tries, also one that was delivered; with the same `webhook-id`.',
      access: side.changes,
      answers: { 202: DeliveryDetail },
      refusals: ['STATE_CONFLICT'],
      idempotent: true,
      handle: async (input) =>
        accepted({ delivery: deliveryView(await deliveries.resend(await scopeOf(input), input.params)) }),
    }),
    route({
      method: 'POST',
      path: `${side.base}/endpoints/:endpointId/recover`,
      name: `recover${side.of}WebhookEndpoint`,
      tag,
      summary: 'Send again what failed since a moment',
      description: 'Also what happened while the endpoint was disabled. The oldest first.',
      access: side.changes,
      body: RecoveryAsk,
      answers: { 202: Recovered },
      refusals: ['STATE_CONFLICT'],
      idempotent: true,
      handle: async (input) => {
        const { endpointId } = input.params
        const found = await deliveries.recover(await scopeOf(input), endpointId, input.body.since)
        return accepted({ endpointId, ...found })
      },
    }),
  ]
}
