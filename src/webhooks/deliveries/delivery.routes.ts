import { tenantKey } from '../../http/access.ts'
import { accepted, ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { paginationOf } from '../../kernel/paging.ts'
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

const tag = 'Webhooks'
const access = tenantKey()
const place = '/v1/webhooks/endpoints/:endpointId'

export function deliveryRoutes(deliveries: Deliveries): Route[] {
  return [
    route({
      method: 'GET',
      path: `${place}/deliveries`,
      name: 'listWebhookDeliveries',
      tag,
      summary: 'List what was sent to an endpoint in the last 30 days, newest first',
      access,
      query: DeliveryQuery,
      answers: { 200: DeliveryList },
      handle: async ({ scope, params, query: { page = 1, limit = 20, status = null } }) => {
        const { items, total } = await deliveries.list(scope, params.endpointId, { page, limit, status })
        return ok({ deliveries: items.map(deliveryView), pagination: paginationOf({ page, limit }, total) })
      },
    }),
    route({
      method: 'POST',
      path: `${place}/test`,
      name: 'testWebhookEndpoint',
      tag,
      summary: 'Send an event to an endpoint to try it',
      description: 'Whatever the endpoint wants to hear. How it went is in its deliveries.',
      access,
      body: TestEvent,
      answers: { 202: DeliveryDetail },
      refusals: ['STATE_CONFLICT'],
      idempotent: true,
      handle: async ({ scope, params, body }) =>
        accepted({
          delivery: deliveryView(await deliveries.test(scope, params.endpointId, body.eventType ?? 'webhook.test')),
        }),
    }),
    route({
      method: 'POST',
      path: `${place}/deliveries/:messageId/resend`,
      name: 'resendWebhookDelivery',
      tag,
      summary: 'Send an event again',
      description: 'Now, with all its tries, also one that was delivered; with the same `webhook-id`.',
      access,
      answers: { 202: DeliveryDetail },
      refusals: ['STATE_CONFLICT'],
      idempotent: true,
      handle: async ({ scope, params }) => accepted({ delivery: deliveryView(await deliveries.resend(scope, params)) }),
    }),
    route({
      method: 'POST',
      path: `${place}/recover`,
      name: 'recoverWebhookEndpoint',
      tag,
      summary: 'Send again what failed since a moment',
      description: 'Also what happened while the endpoint was disabled. The oldest first.',
      access,
      body: RecoveryAsk,
      answers: { 202: Recovered },
      refusals: ['STATE_CONFLICT'],
      idempotent: true,
      handle: async ({ scope, params: { endpointId }, body }) =>
        accepted({ endpointId, ...(await deliveries.recover(scope, endpointId, body.since)) }),
    }),
  ]
}
