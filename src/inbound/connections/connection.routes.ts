import { created, noContent, ok, secret } from '../../http/answer.ts'
import { type Mount, mount } from '../../http/mounts.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { toPagination } from '../../kernel/paging.ts'
import { access, base, tag } from '../access.ts'
import { TrialAnswer } from '../deliveries/trial.schema.ts'
import type { Trials } from '../deliveries/trial.service.ts'
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
import type { Connections, Shown } from './connection.service.ts'
import { listConnections } from './connection.store.ts'

type Deps = { connections: Connections; trials: Trials; schemes: Schemes; adminMount: Mount; clock: Clock }
type View = (connection: Connection) => ReturnType<typeof connectionView>

export function connectionRoutes(deps: Deps): Route[] {
  const viewOf: View = (connection) => {
    const { previousUntil, scheme } = connection
    const isOver = previousUntil !== null && previousUntil <= deps.clock.now()
    return connectionView(
      isOver ? { ...connection, previousUntil: null } : connection,
      providerOf(deps.schemes, scheme),
    )
  }
  const routes = [
    creating(deps, viewOf),
    ...reading(deps, viewOf),
    ...changing(deps, viewOf),
    ...moving(deps, viewOf),
    rotating(deps, viewOf),
    trying(deps),
  ]
  return [...routes, ...mount(routes, [deps.adminMount])]
}

function providerOf(schemes: Schemes, scheme: Connection['scheme']): string {
  return schemes[scheme]?.provider ?? scheme
}

/** A secret that we made stands in the one answer to who made us do so. */
function shownOnce({ connection, secret: text }: Shown, viewOf: View) {
  return { connection: viewOf(connection), ...(text === null ? {} : { secret: text }) }
}

function creating({ connections }: Deps, viewOf: View): Route {
  return route({
    method: 'POST',
    path: `${base}/connections`,
    name: 'createWebhookConnection',
    tag,
    summary: 'Let a provider deliver',
    description:
      'The connection has an address of its own (`path`) for the provider to call. A secret that we made is in this answer alone.',
    access,
    body: NewConnection,
    answers: { 201: ConnectionWithSecret },
    refusals: ['QUOTA_EXCEEDED'],
    idempotent: true,
    handle: async (input) => {
      const shown = await connections.create(input.scope, input.body)
      return secret(created(`${base}/connections/${shown.connection.id}`, shownOnce(shown, viewOf)))
    },
  })
}

function reading({ connections }: Deps, viewOf: View): Route[] {
  return [
    route({
      method: 'GET',
      path: `${base}/connections`,
      name: 'listWebhookConnections',
      tag,
      summary: 'List the connections, newest first',
      access,
      query: ConnectionQuery,
      answers: { 200: ConnectionList },
      handle: async (input) => {
        const { page = 1, limit = 20, channel, status } = input.query
        const { items, total } = await listConnections(input.scope, { channel, status }, { page, limit })
        return ok({ connections: items.map(viewOf), pagination: toPagination({ page, limit }, total) })
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
        ok({ connection: viewOf(await connections.get(input.scope, input.params.connectionId)) }),
    }),
  ]
}

function changing({ connections }: Deps, viewOf: View): Route[] {
  return [
    route({
      method: 'PATCH',
      path: `${base}/connections/:connectionId`,
      name: 'updateWebhookConnection',
      tag,
      summary: 'Change a connection',
      description: 'What is absent is kept; `settings` are replaced as a whole.',
      access,
      body: ConnectionChange,
      answers: { 200: ConnectionDetail },
      refusals: ['STATE_CONFLICT'],
      handle: async (input) =>
        ok({
          connection: viewOf(await connections.update(input.scope, input.params.connectionId, input.body)),
        }),
    }),
    route({
      method: 'DELETE',
      path: `${base}/connections/:connectionId`,
      name: 'deleteWebhookConnection',
      tag,
      summary: 'End a connection',
      description:
        'What arrives from now on is refused; what was accepted before is still processed. Its secrets are erased at once, its log after 30 days.',
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

const moves = [
  ['pause', 'paused', 'Refuse what a connection delivers'],
  ['resume', 'active', 'Take again what a connection delivers'],
] as const

function moving({ connections }: Deps, viewOf: View): Route[] {
  return moves.map(([verb, status, summary]) =>
    route({
      method: 'POST',
      path: `${base}/connections/:connectionId/${verb}`,
      name: `${verb}WebhookConnection`,
      tag,
      summary,
      description: 'A second time changes nothing and answers the same.',
      access,
      answers: { 200: ConnectionDetail },
      handle: async (input) => {
        const connection = await connections.setStatus(input.scope, input.params.connectionId, status)
        return ok({ connection: viewOf(connection) })
      },
    }),
  )
}

function rotating({ connections }: Deps, viewOf: View): Route {
  return route({
    method: 'POST',
    path: `${base}/connections/:connectionId/rotate-secret`,
    name: 'rotateWebhookConnectionSecret',
    tag,
    summary: 'Replace the secret of a connection',
    description:
      'The secret before it holds beside it until the overlap ends, and the one before that no more. A secret that we made is in this answer alone.',
    access,
    body: SecretRotation,
    answers: { 200: ConnectionWithSecret },
    refusals: ['STATE_CONFLICT'],
    idempotent: true,
    handle: async (input) =>
      secret(ok(shownOnce(await connections.rotate(input.scope, input.params.connectionId, input.body), viewOf))),
  })
}

function trying({ trials }: Deps): Route {
  return route({
    method: 'POST',
    path: `${base}/connections/:connectionId/test`,
    name: 'testWebhookConnection',
    tag,
    summary: 'Deliver a sample to a connection',
    description:
      'A delivery as the provider would send it, really signed with the secret of the connection, goes the whole way: verified, stored, processed with all effects. The answer says what came of it. STATE_CONFLICT where only the provider can sign.',
    access,
    answers: { 200: TrialAnswer },
    refusals: ['STATE_CONFLICT'],
    handle: async (input) => ok(await trials.run(input.scope, input.params.connectionId)),
  })
}
