import { created, noContent, ok, secret } from '../../http/answer.ts'
import { type Mount, mount } from '../../http/mounts.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { access, base, tag } from '../access.ts'
import {
  EndpointChange,
  EndpointCreated,
  EndpointDetail,
  EndpointList,
  EndpointQuery,
  endpointView,
  NewEndpoint,
} from './endpoint.schema.ts'
import type { Endpoints, EndpointWithSecret } from './endpoint.service.ts'

type Deps = { endpoints: Endpoints; adminMount: Mount }

const secretView = ({ endpoint, secret }: EndpointWithSecret) => ({ endpoint: endpointView(endpoint), secret })

export function endpointRoutes(deps: Deps): Route[] {
  const routes = [...reading(deps), ...changing(deps), ...acting(deps)]
  return [...routes, ...mount(routes, [deps.adminMount])]
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
      summary: 'Create an endpoint',
      description:
        'Events are sent to its URL, signed as Standard Webhooks 1.0.0 specifies. The signing secret is returned only here. A tenant has at most 20 endpoints.',
      access,
      body: NewEndpoint,
      answers: { 201: EndpointCreated },
      refusals: ['QUOTA_EXCEEDED'],
      idempotent: true,
      rules: ({ body }) => endpoints.rules(body),
      handle: async (input) => {
        const made = secretView(await endpoints.create(input.scope, input.body))
        return secret(created(`${base}/endpoints/${made.endpoint.id}`, made))
      },
    }),
    route({
      method: 'PATCH',
      path: `${base}/endpoints/:endpointId`,
      name: 'updateWebhookEndpoint',
      tag,
      summary: 'Change an endpoint',
      description: 'Absent fields keep their values. Pending deliveries go to the new URL.',
      access,
      body: EndpointChange,
      answers: { 200: EndpointDetail },
      rules: ({ body }) => endpoints.rules(body),
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
      summary: 'Delete an endpoint and its deliveries',
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
        'For 24 hours, events are signed with both the old and the new secret. A second rotation within that time ends the oldest secret at once.',
      access,
      answers: { 200: EndpointCreated },
      idempotent: true,
      handle: async (input) => secret(ok(secretView(await endpoints.rotate(input.scope, input.params.endpointId)))),
    }),
    route({
      method: 'POST',
      path: `${base}/endpoints/:endpointId/enable`,
      name: 'enableWebhookEndpoint',
      tag,
      summary: 'Enable a disabled endpoint',
      description: 'Events that it missed are not sent by themselves: call `recover` for them.',
      access,
      answers: { 200: EndpointDetail },
      handle: async (input) =>
        ok({ endpoint: endpointView(await endpoints.enable(input.scope, input.params.endpointId)) }),
    }),
  ]
}
