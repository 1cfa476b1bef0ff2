import { created, noContent, ok, secret } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { toPagination } from '../../kernel/paging.ts'
import { access, base, tag } from '../access.ts'
import type { Connection, Schemes } from './connection.rules.ts'
import {
  ConnectionChange,
  ConnectionDetail,
  ConnectionList,
  ConnectionQuery,
  ConnectionWithSecret,
  connectionView,
  NewConnection,
  SecretRotation,
} from './connection.schema.ts'
import type { Connections, ConnectionWithNewSecret } from './connection.service.ts'
import { listConnections } from './connection.store.ts'

type Deps = { connections: Connections; schemes: Schemes; clock: Clock }
type View = (connection: Connection) => ReturnType<typeof connectionView>

export function connectionRoutes(deps: Deps): Route[] {
  const toView: View = (connection) => {
    const { previousUntil, scheme } = connection
    const isOver = previousUntil !== null && previousUntil <= deps.clock.now()
    const provider = deps.schemes[scheme]?.provider ?? scheme
    return connectionView(isOver ? { ...connection, previousUntil: null } : connection, provider)
  }
  return [
    createRoute(deps, toView),
    ...readRoutes(deps, toView),
    ...changeRoutes(deps, toView),
    ...statusRoutes(deps, toView),
    rotateRoute(deps, toView),
  ]
}

/** A secret that we generated is returned once, to the caller who asked for it. */
function withSecret({ connection, secret: text }: ConnectionWithNewSecret, toView: View) {
  return { connection: toView(connection), ...(text === null ? {} : { secret: text }) }
}

function createRoute({ connections }: Deps, toView: View): Route {
  return route({
    method: 'POST',
    path: `${base}/connections`,
    name: 'createWebhookConnection',
    tag,
    summary: 'Create a connection',
    description:
      'A connection lets a provider send webhooks to the tenant. `path` is the address that the provider calls. A generated secret is only in this answer.',
    access,
    body: NewConnection,
    answers: { 201: ConnectionWithSecret },
    refusals: ['QUOTA_EXCEEDED'],
    idempotent: true,
    rules: ({ scope, body }) => connections.rules(scope, body),
    handle: async (input) => {
      const result = await connections.create(input.scope, input.body)
      return secret(created(`${base}/connections/${result.connection.id}`, withSecret(result, toView)))
    },
  })
}

function readRoutes({ connections }: Deps, toView: View): Route[] {
  return [
    route({
      method: 'GET',
      path: `${base}/connections`,
      name: 'listWebhookConnections',
      tag,
      summary: 'List connections, newest first',
      access,
      query: ConnectionQuery,
      answers: { 200: ConnectionList },
      handle: async (input) => {
        const { page = 1, limit = 20, channel, status } = input.query
        const { items, total } = await listConnections(input.scope, { channel, status }, { page, limit })
        return ok({ connections: items.map(toView), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'GET',
      path: `${base}/connections/:connectionId`,
      name: 'getWebhookConnection',
      tag,
      summary: 'Get a connection',
      access,
      answers: { 200: ConnectionDetail },
      handle: async (input) =>
        ok({ connection: toView(await connections.get(input.scope, input.params.connectionId)) }),
    }),
  ]
}

function changeRoutes({ connections }: Deps, toView: View): Route[] {
  return [
    route({
      method: 'PATCH',
      path: `${base}/connections/:connectionId`,
      name: 'updateWebhookConnection',
      tag,
      summary: 'Update a connection',
      description:
        'Absent members stay as they are. `settings` are replaced as a whole. With another `orgId` the issues of a tracker move to the board of that organization; what the former one wrote to them is erased.',
      access,
      body: ConnectionChange,
      answers: { 200: ConnectionDetail },
      refusals: ['STATE_CONFLICT', 'QUOTA_EXCEEDED'],
      rules: ({ scope, body }) => connections.changeRules(scope, body),
      handle: async (input) =>
        ok({
          connection: toView(await connections.update(input.scope, input.params.connectionId, input.body)),
        }),
    }),
    route({
      method: 'DELETE',
      path: `${base}/connections/:connectionId`,
      name: 'deleteWebhookConnection',
      tag,
      summary: 'Delete a connection',
      description:
        'New deliveries are refused. Deliveries that were already accepted are still processed. Its secrets are erased at once, its log after 30 days.',
      access,
      answers: { 204: null },
      refusals: ['STATE_CONFLICT'],
      handle: async (input) => {
        await connections.remove(input.scope, input.params.connectionId)
        return noContent()
      },
    }),
  ]
}

const statusChanges = [
  ['pause', 'paused', 'Pause a connection', 'Deliveries to it are refused until it is resumed.'],
  ['resume', 'active', 'Resume a connection', 'Deliveries to it are accepted again.'],
] as const

function statusRoutes({ connections }: Deps, toView: View): Route[] {
  return statusChanges.map(([verb, status, summary, effect]) =>
    route({
      method: 'POST',
      path: `${base}/connections/:connectionId/${verb}`,
      name: `${verb}WebhookConnection`,
      tag,
      summary,
      description: `${effect} A repeated call changes nothing and gets the same answer.`,
      access,
      answers: { 200: ConnectionDetail },
      handle: async (input) => {
        const connection = await connections.setStatus(input.scope, input.params.connectionId, status)
        return ok({ connection: toView(connection) })
      },
    }),
  )
}

function rotateRoute({ connections }: Deps, toView: View): Route {
  return route({
    method: 'POST',
    path: `${base}/connections/:connectionId/rotate-secret`,
    name: 'rotateWebhookConnectionSecret',
    tag,
    summary: 'Replace the secret of a connection',
    description:
      'The previous secret stays valid until the overlap ends; an older one ends at once. A generated secret is only in this answer.',
    access,
    body: SecretRotation,
    answers: { 200: ConnectionWithSecret },
    refusals: ['STATE_CONFLICT'],
    idempotent: true,
    handle: async (input) =>
      secret(ok(withSecret(await connections.rotate(input.scope, input.params.connectionId, input.body), toView))),
  })
}
