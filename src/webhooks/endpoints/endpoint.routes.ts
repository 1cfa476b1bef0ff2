import { created, noContent, ok, secret } from '../../http/answer.ts'
import { type Mount, mount } from '../../http/mounts.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { access, base, tag } from '../access.ts'
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

type Deps = { endpoints: Endpoints; adminMount: Mount }

const shown = ({ endpoint, secret }: ShownEndpoint) => ({ endpoint: endpointView(endpoint), secret })

export function endpointRoutes(deps: Deps): Route[] {
  const routes = [...reading(deps), ...changing(deps), ...acting(deps)]
  return [describing(), ...routes, ...mount(routes, [deps.adminMount])]
}

function describing(): Route {
  return route({
    method: 'GET',
    path: `${base}/event-types`,
    name: 'listWebhookEventTypes',
    tag,
    summary: 'List what a tenant can be told of',
    description: 'Every event with a body as it is sent: ids, and the path where the rest can be read.',
    access,
    answers: { 200: EventTypeList },
    handle: async () => ok({ eventTypes: eventTypeNames.map(typeView) }),
  })
}

function reading({ endpoints }: Deps): Route[] {
  return [
    route({
      method: 'GET',
      path: `${base}/endpoints`,
      name: 'listWebhookEndpoints',
      tag,
      summary: 'List the endpoints of the tenant, newest first',
      access,
      query: EndpointQuery,
      answers: { 200: EndpointList },
      handle: async (input) => {
        const { page = 1, limit = 20 } = input.query
        const { items, total } = await endpoints.list(input.scope, { page, limit })
        return ok({ endpoints: items.map(endpointView), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'GET',
      path: `${base}/endpoints/:endpointId`,
      name: 'getWebhookEndpoint',
      tag,
      summary: 'Get an endpoint',
      access,
      answers: { 200: EndpointDetail },
      handle: async (input) =>
        ok({ endpoint: endpointView(await endpoints.get(input.scope, input.params.endpointId)) }),
    }),
  ]
}

function changing({ endpoints }: Deps): Route[] {
  return [
    route({
      method: 'POST',
      path: `${base}/endpoints`,
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
      handle: async (input) => {
        const made = shown(await endpoints.create(input.scope, input.body))
        return secret(created(`${base}/endpoints/${made.endpoint.id}`, made))
      },
    }),
    route({
      method: 'PATCH',
      path: `${base}/endpoints/:endpointId`,
      name: 'updateWebhookEndpoint',
      tag,
      summary: 'Change an endpoint',
      description: 'What is absent is kept. Deliveries that wait go to the new address.',
      access,
      body: EndpointChange,
      answers: { 200: EndpointDetail },
      handle: async (input) =>
        ok({
          endpoint: endpointView(await endpoints.update(input.scope, input.params.endpointId, input.body)),
        }),
    }),
    route({
      method: 'DELETE',
      path: `${base}/endpoints/:endpointId`,
      name: 'deleteWebhookEndpoint',
      tag,
      summary: 'Delete an endpoint with its deliveries',
      access,
      answers: { 204: null },
      handle: async (input) => {
        await endpoints.remove(input.scope, input.params.endpointId)
        return noContent()
      },
    }),
  ]
}

function acting({ endpoints }: Deps): Route[] {
  return [
    route({
      method: 'POST',
      path: `${base}/endpoints/:endpointId/rotate-secret`,
      name: 'rotateWebhookEndpointSecret',
      tag,
      summary: 'Replace the signing secret',
      description:
        'For 24 hours everything carries a signature of each of both. Rotated again within them, the oldest ends at once.',
      access,
      answers: { 200: EndpointShown },
      idempotent: true,
      handle: async (input) => secret(ok(shown(await endpoints.rotate(input.scope, input.params.endpointId)))),
    }),
    route({
      method: 'POST',
      path: `${base}/endpoints/:endpointId/enable`,
      name: 'enableWebhookEndpoint',
      tag,
      summary: 'Enable a disabled endpoint',
      description: 'What it missed is sent when `recover` asks for it.',
      access,
      answers: { 200: EndpointDetail },
      handle: async (input) =>
        ok({ endpoint: endpointView(await endpoints.enable(input.scope, input.params.endpointId)) }),
    }),
  ]
}

function typeView(type: (typeof eventTypeNames)[number]) {
  const { means, data } = eventTypes[type]
  return { type, description: means, example: { type, timestamp: '2026-11-21T09:30:00.000Z', data } }
}
