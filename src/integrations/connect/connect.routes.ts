import { tenantAdmin } from '../../http/access/access.ts'
import { created, ok, secret } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { productSlugs } from '../../kernel/products.ts'
import { refuseFields } from '../../kernel/refusal.ts'
import { base, tag, userAccess } from '../access.ts'
import { requireProvider } from '../apps/app.service.ts'
import { IntegrationDetail, integrationView } from '../integrations/integration.schema.ts'
import type { confirmService } from './confirm.service.ts'
import { ConfirmBody, ConnectAnswer, ConnectBody, OriginsBody } from './connect.schema.ts'
import type { Connects } from './connect.service.ts'
import { type ReturnService, unlistable } from './return.service.ts'

type Deps = { connects: Connects; confirms: ReturnType<typeof confirmService>; returns: ReturnService }

export function connectRoutes({ connects, confirms, returns }: Deps): Route[] {
  return [
    route({
      method: 'POST',
      path: `${base}/:provider/connect`,
      name: 'connectIntegration',
      tag,
      summary: 'Begin a connection',
      description:
        'Open `startUrl` in the user’s browser. It shows which permissions are requested, and leads to the provider. At the end the browser gets a one-time confirmation. Only you can use it, and nothing is exchanged with the provider before.',
      access: userAccess,
      body: ConnectBody,
      answers: { 201: ConnectAnswer },
      refusals: ['NOT_CONFIGURED', 'INSUFFICIENT_ROLE', 'QUOTA_EXCEEDED', 'STATE_CONFLICT'],
      idempotent: true,
      handle: async ({ scope, user, params, body }) => {
        const begun = await connects.begin(scope, user, { provider: requireProvider(params.provider), body })
        const connect = { ...begun, expiresAt: begun.expiresAt.toISOString() }
        return secret(created(`${base}/${begun.integrationId}`, { connect }))
      },
    }),
    route({
      method: 'POST',
      path: `${base}/:integrationId/confirm`,
      name: 'confirmIntegration',
      tag,
      summary: 'Confirm a connection',
      description:
        'For the user who began it, within three minutes after the provider’s answer. If the account is connected already, the earlier integration is renewed and returned.',
      access: userAccess,
      body: ConfirmBody,
      answers: { 200: IntegrationDetail },
      refusals: ['STATE_CONFLICT', 'QUOTA_EXCEEDED', 'INSUFFICIENT_ROLE', 'UNAVAILABLE'],
      handle: async ({ scope, user, params, body }) => {
        const named = { id: params.integrationId, text: body.confirmation }
        return ok({ integration: integrationView(await confirms.confirm(scope, user, named)) })
      },
    }),
    ...returnRoutes(returns),
  ]
}

function returnRoutes(returns: ReturnService): Route[] {
  const common = {
    path: `${base}/returns`,
    tag,
    access: tenantAdmin(productSlugs.assistant),
    answers: { 200: OriginsBody },
  } as const
  return [
    route({
      ...common,
      method: 'GET',
      name: 'getIntegrationReturns',
      summary: 'List the origins for `returnTo`',
      description: 'The domain of the tenant is always allowed as well.',
      handle: async ({ scope }) => ok({ origins: await returns.read(scope) }),
    }),
    route({
      ...common,
      method: 'PUT',
      name: 'setIntegrationReturns',
      summary: 'Set the origins for `returnTo`',
      body: OriginsBody,
      rules: ({ body }) => [() => refuseFields(unlistable((body.origins ?? []).filter((it) => it !== null)))],
      handle: async ({ scope, body }) => ok({ origins: await returns.set(scope, body.origins) }),
    }),
  ]
}
