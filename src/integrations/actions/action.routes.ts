import { accepted, ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { userAccess as access, base, tag } from '../access.ts'
import { ActionDetail, ActionList, ActionQuery, actionView, NewAction } from './action.schema.ts'
import type { Actions } from './action.service.ts'

export function actionRoutes(actions: Actions): Route[] {
  return [askRoute(actions), ...readRoutes(actions), ...changeRoutes(actions)]
}

function askRoute(actions: Actions): Route {
  return route({
    method: 'POST',
    path: `${base}/:integrationId/actions`,
    name: 'createIntegrationAction',
    tag,
    summary: 'Write to a provider',
    description:
      'A job writes it once: the same action about the same meeting or task with the same target is one action, however often it is requested. `export_meeting` of a meeting that was already exported rewrites the page in place, as `update_export`.',
    access,
    body: NewAction,
    answers: { 202: ActionDetail },
    refusals: ['INSUFFICIENT_ROLE', 'REAUTH_REQUIRED', 'SCOPE_MISSING', 'STATE_CONFLICT'],
    idempotent: true,
    handle: async ({ scope, user, params, body }) =>
      accepted({ action: actionView(await actions.ask(scope, user, { id: params.integrationId, body })) }),
  })
}

function readRoutes(actions: Actions): Route[] {
  return [
    route({
      method: 'GET',
      path: `${base}/actions`,
      name: 'listIntegrationActions',
      tag,
      summary: 'List actions, newest first',
      access,
      query: ActionQuery,
      answers: { 200: ActionList },
      refusals: ['NOT_FOUND'],
      handle: async ({ scope, user, query }) => {
        const { page = 1, limit = 20, orgId, integrationId, status } = query
        const { items, total } = await actions.list(scope, user, { orgId, integrationId, status }, { page, limit })
        return ok({ actions: items.map(actionView), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'GET',
      path: `${base}/actions/:actionId`,
      name: 'getIntegrationAction',
      tag,
      summary: 'Get an action',
      access,
      answers: { 200: ActionDetail },
      handle: async ({ scope, user, params }) =>
        ok({ action: actionView(await actions.get(scope, user, params.actionId)) }),
    }),
  ]
}

const changes = [
  ['retry', 'Try a failed action again', 'First the service looks whether an earlier attempt succeeded.'],
  ['cancel', 'Cancel a waiting action', 'An action that is being sent cannot be cancelled.'],
] as const

function changeRoutes(actions: Actions): Route[] {
  return changes.map(([verb, summary, description]) =>
    route({
      method: 'POST',
      path: `${base}/actions/:actionId/${verb}`,
      name: `${verb}IntegrationAction`,
      tag,
      summary,
      description,
      access,
      answers: { 200: ActionDetail },
      refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT'],
      handle: async ({ scope, user, params }) =>
        ok({ action: actionView(await actions.change(scope, user, { id: params.actionId, verb })) }),
    }),
  )
}
