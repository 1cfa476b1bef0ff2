import { accepted, ok } from '../../http/answer.ts'
import { type Mount, mount } from '../../http/mounts.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { access, base, tag } from '../access.ts'
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

type Deps = { deliveries: Deliveries; adminMount: Mount }

export function deliveryRoutes(deps: Deps): Route[] {
  const routes = [reading(deps), trying(deps), ...repeating(deps)]
  return [...routes, ...mount(routes, [deps.adminMount])]
}

function reading({ deliveries }: Deps): Route {
  return route({
    method: 'GET',
    path: `${base}/endpoints/:endpointId/deliveries`,
    name: 'listWebhookDeliveries',
    tag,
    summary: 'List the deliveries of an endpoint in the last 30 days, newest first',
    access,
    query: DeliveryQuery,
    answers: { 200: DeliveryList },
    handle: async (input) => {
      const { page = 1, limit = 20, status = null } = input.query
      const asked = { page, limit, status }
      const { items, total } = await deliveries.list(input.scope, input.params.endpointId, asked)
      return ok({ deliveries: items.map(deliveryView), pagination: toPagination({ page, limit }, total) })
    },
  })
}

function trying({ deliveries }: Deps): Route {
  return route({
    method: 'POST',
    path: `${base}/endpoints/:endpointId/test`,
    name: 'testWebhookEndpoint',
    tag,
    summary: 'Send a test event to an endpoint',
    description:
      'The event is sent even if the endpoint does not subscribe to its type. The result appears in the deliveries of the endpoint.',
    access,
    body: TestEvent,
    answers: { 202: DeliveryDetail },
    refusals: ['STATE_CONFLICT'],
    idempotent: true,
    handle: async (input) => {
      const { eventType = 'webhook.test' } = input.body
      const sent = await deliveries.test(input.scope, input.params.endpointId, eventType)
      return accepted({ delivery: deliveryView(sent) })
    },
  })
}

function repeating({ deliveries }: Deps): Route[] {
  return [
    route({
      method: 'POST',
      path: `${base}/endpoints/:endpointId/deliveries/:messageId/resend`,
      name: 'resendWebhookDelivery',
      tag,
      summary: 'Resend a delivery',
      description: 'It is sent now, with all retries and the same `webhook-id`, even if it was delivered before.',
      access,
      answers: { 202: DeliveryDetail },
      refusals: ['STATE_CONFLICT'],
      idempotent: true,
      handle: async (input) => accepted({ delivery: deliveryView(await deliveries.resend(input.scope, input.params)) }),
    }),
    route({
      method: 'POST',
      path: `${base}/endpoints/:endpointId/recover`,
      name: 'recoverWebhookEndpoint',
      tag,
      summary: 'Resend the failed deliveries since a time',
      description: 'Includes events from the time when the endpoint was disabled. The oldest are sent first.',
      access,
      body: RecoveryAsk,
      answers: { 202: Recovered },
      refusals: ['STATE_CONFLICT'],
      idempotent: true,
      handle: async (input) => {
        const { endpointId } = input.params
        const found = await deliveries.recover(input.scope, endpointId, input.body.since)
        return accepted({ endpointId, ...found })
      },
    }),
  ]
}
