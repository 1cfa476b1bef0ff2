import { noContent, ok, secret } from '../../http/answer.ts'
import { withETag } from '../../http/cache/precondition.ts'
import type { RateCounter } from '../../http/limits/rate-limit.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { toPagination } from '../../kernel/paging.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { isoOrNull, Nullable, StrictObject, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { userAccess as access, base, tag } from '../access.ts'
import { GrantFailure } from '../tokens/grant-failure.ts'
import type { Checked, Checks } from './check.service.ts'
import type { Integration } from './integration.rules.ts'
import {
  AccountChoice,
  CheckAnswer,
  IntegrationChange,
  IntegrationDetail,
  IntegrationList,
  IntegrationQuery,
  integrationView,
} from './integration.schema.ts'
import type { Integrations } from './integration.service.ts'
import type { IntegrationAccess } from './integration-access.ts'

type Deps = {
  integrations: Integrations
  checks: Checks
  access: IntegrationAccess
  clock: Clock
  rateCounter: RateCounter
}

const detail = (integration: Integration) => ({ integration: integrationView(integration) })
const path = `${base}/:integrationId`

export function integrationRoutes(deps: Deps): Route[] {
  return [...readRoutes(deps), ...changeRoutes(deps), ...checkRoutes(deps), tokenRoute(deps)]
}

function readRoutes({ integrations, access: rights }: Deps): Route[] {
  return [
    route({
      method: 'GET',
      path: base,
      name: 'listIntegrations',
      tag,
      summary: 'List integrations, newest first',
      description: 'Your own, or those of an organization of which you are a member.',
      access,
      query: IntegrationQuery,
      answers: { 200: IntegrationList },
      refusals: ['NOT_FOUND'],
      handle: async ({ scope, user, query }) => {
        const { page = 1, limit = 20, orgId, provider } = query
        const { items, total } = await integrations.list(scope, user, { orgId, provider, page: { page, limit } })
        return ok({ integrations: items.map(integrationView), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'GET',
      path,
      name: 'getIntegration',
      tag,
      summary: 'Get an integration',
      access,
      answers: { 200: IntegrationDetail },
      handle: async ({ scope, user, params }) => {
        const integration = await rights.see(scope, user, params.integrationId)
        return withETag(ok(detail(integration)), integration)
      },
    }),
  ]
}

function changeRoutes({ integrations }: Deps): Route[] {
  return [
    route({
      method: 'PATCH',
      path,
      name: 'updateIntegration',
      tag,
      summary: 'Turn features on and off, and configure them',
      description:
        'A feature can be turned on if the user has allowed its scopes. With a `when` other than `manual` it writes automatically from now on.',
      access,
      conditional: true,
      body: IntegrationChange,
      answers: { 200: IntegrationDetail },
      refusals: ['INSUFFICIENT_ROLE', 'SCOPE_MISSING', 'PRECONDITION_FAILED'],
      handle: async ({ scope, user, params, body, headers }) => {
        const change = { id: params.integrationId, change: body, ifMatch: headers['if-match'] }
        const integration = await integrations.update(scope, user, change)
        return withETag(ok(detail(integration)), integration)
      },
    }),
    route({
      method: 'DELETE',
      path,
      name: 'deleteIntegration',
      tag,
      summary: 'Disconnect an integration',
      description:
        'It can no longer be used. A job revokes the access at the provider, if the provider supports that; the audit log has the result.',
      access,
      conditional: true,
      answers: { 204: null },
      refusals: ['INSUFFICIENT_ROLE', 'PRECONDITION_FAILED'],
      handle: async ({ scope, user, params, headers }) => {
        await integrations.remove(scope, user, params.integrationId, headers['if-match'])
        return noContent()
      },
    }),
    route({
      method: 'POST',
      path: `${path}/account`,
      name: 'chooseIntegrationAccount',
      tag,
      summary: 'Choose the site of an account',
      description:
        'While the status is `choosing`. If the site is connected already, that integration is renewed and returned.',
      access,
      body: AccountChoice,
      answers: { 200: IntegrationDetail },
      refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT'],
      handle: async ({ scope, user, params, body }) => {
        const chosen = { id: params.integrationId, accountId: body.accountId }
        return ok(detail(await integrations.chooseAccount(scope, user, chosen)))
      },
    }),
  ]
}

function checkRoutes({ checks }: Deps): Route[] {
  const answer = ({ integration, result }: Checked) => ok({ ...detail(integration), result })
  return [
    route({
      method: 'POST',
      path: `${path}/test`,
      name: 'testIntegration',
      tag,
      summary: 'Ask the provider whose account it is',
      description: 'Asks the provider now. If that fails, the answer is 200 with `ok: false` and the cause.',
      access,
      answers: { 200: CheckAnswer },
      refusals: ['INSUFFICIENT_ROLE'],
      handle: async ({ scope, user, params }) => answer(await checks.test(scope, user, params.integrationId)),
    }),
    route({
      method: 'POST',
      path: `${path}/refresh`,
      name: 'refreshIntegration',
      tag,
      summary: 'Renew the access token now',
      access,
      answers: { 200: CheckAnswer },
      refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT'],
      handle: async ({ scope, user, params }) => answer(await checks.refresh(scope, user, params.integrationId)),
    }),
  ]
}

const tokensPerHour = 60

function tokenRoute({ checks, integrations, rateCounter, clock }: Deps): Route {
  return route({
    method: 'POST',
    path: `${path}/token`,
    name: 'getIntegrationToken',
    tag,
    summary: 'Get the access token',
    description:
      'Only for an integration that was connected with `broker: true` and the tenant’s own OAuth app. Never returns the refresh token. At most 60 times an hour; each time is audited.',
    access,
    answers: {
      200: StrictObject({
        accessToken: Type.String({ examples: ['the-access-token'] }),
        expiresAt: Nullable(Timestamp),
        scopes: Type.Array(Type.String({ examples: ['repo'] })),
      }),
    },
    refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT', 'REAUTH_REQUIRED', 'UNAVAILABLE', 'RATE_LIMITED'],
    handle: async ({ scope, user, params }) => {
      const id = params.integrationId
      const hour = Math.floor(clock.now().getTime() / 3_600_000)
      const { isAllowed, retryAfterSeconds } = await rateCounter.take(
        `integration-token:${scope.tenantId}:${user.id}:${id}:${hour}`,
        tokensPerHour,
        clock.now(),
      )
      if (!isAllowed) throw new Refusal('RATE_LIMITED', { detail: 'At most 60 tokens an hour.', retryAfterSeconds })
      try {
        const { accessToken, expiresAt, scopes } = await checks.giveToken(scope, user, id)
        return secret(ok({ accessToken, expiresAt: isoOrNull(expiresAt), scopes }))
      } catch (error) {
        throw error instanceof GrantFailure ? integrations.refusalFor(error) : error
      }
    },
  })
}
