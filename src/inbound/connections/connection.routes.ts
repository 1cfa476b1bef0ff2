import { baseFor, type ScopeOf, type Side } from '../../http/access/mounts.ts'
import { created, noContent, ok, secret } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { toPagination } from '../../kernel/paging.ts'
import { TrialAnswer } from '../deliveries/trial.schema.ts'
import type { Trials } from '../deliveries/trial.service.ts'
import { sides, tag } from '../sides.ts'
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

type Deps = { connections: Connections; trials: Trials; schemes: Schemes; scopeOf: ScopeOf; clock: Clock }
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
  return sides.flatMap((side) => [
    creating(side, deps, viewOf),
    ...reading(side, deps, viewOf),
    ...changing(side, deps, viewOf),
    ...moving(side, deps, viewOf),
    rotating(side, deps, viewOf),
    trying(side, deps),
  ])
}

function providerOf(schemes: Schemes, scheme: Connection['scheme']): string {
  return schemes[scheme]?.provider ?? scheme
}

/** A secret that we made stands in the one answer to who made us do so. */
function shownOnce({ connection, secret: text }: Shown, viewOf: View) {
  return { connection: viewOf(connection), ...(text === null ? {} : { secret: text }) }
}

function creating({ base, of, changes }: Side, { connections, scopeOf }: Deps, viewOf: View): Route {
  return route({
    method: 'POST',
    path: `${base}/connections`,
    name: `create${of}WebhookConnection`,
    tag,
    summary: 'Let a provider deliver',
    description:
      'The connection has an address of its own (`path`) for the provider to call. A secret that we made is in this answer alone.',
    access: changes,
    body: NewConnection,
    answers: { 201: ConnectionWithSecret },
    refusals: ['QUOTA_EXCEEDED'],
    idempotent: true,
    handle: async (input) => {
      const shown = await connections.create(await scopeOf(input), input.body)
      return secret(
        created(`${baseFor({ base }, input.params)}/connections/${shown.connection.id}`, shownOnce(shown, viewOf)),
      )
    },
  })
}

function reading({ base, of, reads: access }: Side, { connections, scopeOf }: Deps, viewOf: View): Route[] {
  return [
    route({
      method: 'GET',
      path: `${base}/connections`,
      name: `list${of}WebhookConnections`,
      tag,
      summary: 'List the connections, newest first',
      access,
      query: ConnectionQuery,
      answers: { 200: ConnectionList },
      handle: async (input) => {
        const { page = 1, limit = 20, channel, status } = input.query
        const { items, total } = await listConnections(await scopeOf(input), { channel, status }, { page, limit })
        return ok({ connections: items.map(viewOf), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'GET',
      path: `${base}/connections/:connectionId`,
      name: `get${of}WebhookConnection`,
      tag,
      summary: 'Get a connection',
      access,
      answers: { 200: ConnectionDetail },
      handle: async (input) =>
        ok({ connection: viewOf(await connections.get(await scopeOf(input), input.params.connectionId)) }),
    }),
  ]
}

function changing({ base, of, changes: access }: Side, { connections, scopeOf }: Deps, viewOf: View): Route[] {
  return [
    route({
      method: 'PATCH',
      path: `${base}/connections/:connectionId`,
      name: `update${of}WebhookConnection`,
      tag,
      summary: 'Change a connection',
      description: 'What is absent is kept; `settings` are replaced as a whole.',
      access,
      body: ConnectionChange,
      answers: { 200: ConnectionDetail },
      refusals: ['STATE_CONFLICT'],
      handle: async (input) =>
        ok({
          connection: viewOf(await connections.update(await scopeOf(input), input.params.connectionId, input.body)),
        }),
    }),
    route({
      method: 'DELETE',
      path: `${base}/connections/:connectionId`,
      name: `delete${of}WebhookConnection`,
      tag,
      summary: 'End a connection',
      description:
        'What arrives from now on is refused; what was accepted before is still processed. Its secrets are erased at once, its log after 30 days.',
      access,
      answers: { 204: null },
      refusals: ['STATE_CONFLICT'],
      handle: async (input) => {
        await connections.remove(await scopeOf(input), input.params.connectionId)
        return noContent()
      },
    }),
  ]
}

const moves = [
  ['pause', 'paused', 'Refuse what a connection delivers'],
  ['resume', 'active', 'Take again what a connection delivers'],
] as const

function moving({ base, of, changes: access }: Side, { connections, scopeOf }: Deps, viewOf: View): Route[] {
  return moves.map(([verb, status, summary]) =>
    route({
      method: 'POST',
      path: `${base}/connections/:connectionId/${verb}`,
      name: `${verb}${of}WebhookConnection`,
      tag,
      summary,
      description: 'A second time changes nothing and answers the same.',
      access,
      answers: { 200: ConnectionDetail },
      handle: async (input) => {
        const connection = await connections.setStatus(await scopeOf(input), input.params.connectionId, status)
        return ok({ connection: viewOf(connection) })
      },
    }),
  )
}

function rotating({ base, of, changes: access }: Side, { connections, scopeOf }: Deps, viewOf: View): Route {
  return route({
    method: 'POST',
    path: `${base}/connections/:connectionId/rotate-secret`,
    name: `rotate${of}WebhookConnectionSecret`,
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
      secret(
        ok(shownOnce(await connections.rotate(await scopeOf(input), input.params.connectionId, input.body), viewOf)),
      ),
  })
}

function trying({ base, of, changes: access }: Side, { trials, scopeOf }: Deps): Route {
  return route({
    method: 'POST',
    path: `${base}/connections/:connectionId/test`,
    name: `test${of}WebhookConnection`,
    tag,
    summary: 'Deliver a sample to a connection',
    description:
      'A delivery as the provider would send it, really signed with the secret of the connection, goes the whole way: verified, stored, processed with all effects. The answer says what came of it. STATE_CONFLICT where only the provider can sign.',
    access,
    answers: { 200: TrialAnswer },
    refusals: ['STATE_CONFLICT'],
    handle: async (input) => ok(await trials.run(await scopeOf(input), input.params.connectionId)),
  })
}
