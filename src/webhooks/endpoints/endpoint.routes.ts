import { tenantKey } from '../../http/access.ts'
import { created, noContent, ok, secret } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { paginationOf } from '../../kernel/paging.ts'
import { eventTypeNames, eventTypes } from '../events/event-types.ts'
import {
  EndpointChange,
  EndpointDetail,
  EndpointList,
  EndpointQuery,
  EndpointShown,
  EventTypeList,
  endpointView,
  NewEndpoint,
} from './endpoint.schema.ts'
import type { Endpoints, ShownEndpoint } from './endpoint.service.ts'

const tag = 'Webhooks'
const access = tenantKey()
const place = '/v1/webhooks/endpoints'
const shown = ({ endpoint, secret }: ShownEndpoint) => ({ endpoint: endpointView(endpoint), secret })

export function endpointRoutes(endpoints: Endpoints): Route[] {
  return [...reading(endpoints), ...changing(endpoints)]
}

function reading(endpoints: Endpoints): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/webhooks/event-types',
      name: 'listWebhookEventTypes',
      tag,
      summary: 'List what a tenant can be told of',
      description: 'Every event with a body as it is sent: ids, and the path where the rest can be read.',
      access,
      answers: { 200: EventTypeList },
      handle: async () => ok({ eventTypes: eventTypeNames.map(typeView) }),
    }),
    route({
      method: 'GET',
      path: place,
      name: 'listWebhookEndpoints',
      tag,
      summary: 'List the endpoints of the tenant, newest first',
      access,
      query: EndpointQuery,
      answers: { 200: EndpointList },
      handle: async ({ scope, query: { page = 1, limit = 20 } }) => {
        const { items, total } = await endpoints.list(scope, { page, limit })
        return ok({ endpoints: items.map(endpointView), pagination: paginationOf({ page, limit }, total) })
      },
    }),
    route({
      method: 'GET',
      path: `${place}/:endpointId`,
      name: 'getWebhookEndpoint',
      tag,
      summary: 'Get an endpoint',
      access,
      answers: { 200: EndpointDetail },
      handle: async ({ scope, params }) =>
        ok({ endpoint: endpointView(await endpoints.get(scope, params.endpointId)) }),
    }),
  ]
}

function changing(endpoints: Endpoints): Route[] {
  return [
    route({
      method: 'POST',
      path: place,
      name: 'createWebhookEndpoint',
      tag,
      summary: 'Have events sent to an address',
      description:
        'Signed as Standard Webhooks 1.0.0 says; the secret is in this answer alone. A tenant has at most 20 endpoints.',
      access,
      body: NewEndpoint,
      answers: { 201: EndpointShown },
      refusals: ['QUOTA_EXCEEDED'],
      idempotent: true,
      handle: async ({ scope, body }) => {
        const made = shown(await endpoints.create(scope, body))
        return secret(created(`${place}/${made.endpoint.id}`, made))
      },
    }),
    route({
      method: 'PATCH',
      path: `${place}/:endpointId`,
      name: 'updateWebhookEndpoint',
      tag,
      summary: 'Change an endpoint',
      description: 'What is absent is kept. Deliveries that wait go to the new address.',
      access,
      body: EndpointChange,
      answers: { 200: EndpointDetail },
      handle: async ({ scope, params, body }) =>
        ok({ endpoint: endpointView(await endpoints.update(scope, params.endpointId, body)) }),
    }),
    route({
      method: 'DELETE',
      path: `${place}/:endpointId`,
      name: 'deleteWebhookEndpoint',
      tag,
      summary: 'Delete an endpoint with its deliveries',
      access,
      answers: { 204: null },
      handle: async ({ scope, params }) => {
        await endpoints.remove(scope, params.endpointId)
        return noContent()
      },
    }),
    route({
      method: 'POST',
      path: `${place}/:endpointId/rotate-secret`,
      name: 'rotateWebhookEndpointSecret',
      tag,
      summary: 'Replace the signing secret',
      description:
        'For 24 hours everything carries a signature of each of both. Rotated again within them, the oldest ends at once.',
      access,
      answers: { 200: EndpointShown },
      idempotent: true,
      handle: async ({ scope, params }) => secret(ok(shown(await endpoints.rotate(scope, params.endpointId)))),
    }),
    route({
      method: 'POST',
      path: `${place}/:endpointId/enable`,
      name: 'enableWebhookEndpoint',
      tag,
      summary: 'Enable a disabled endpoint',
      description: 'What it missed is sent when `recover` asks for it.',
      access,
      answers: { 200: EndpointDetail },
      handle: async ({ scope, params }) =>
        ok({ endpoint: endpointView(await endpoints.enable(scope, params.endpointId)) }),
    }),
  ]
}

function typeView(type: (typeof eventTypeNames)[number]) {
  const { means, data } = eventTypes[type]
  return { type, description: means, example: { type, timestamp: '2026-11-21T09:30:00.000Z', data } }
}
