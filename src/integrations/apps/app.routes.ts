import { admin, tenantAdmin } from '../../http/access/access.ts'
import { noContent, ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { ruleFor } from '../../kernel/field-rules.ts'
import { productSlugs } from '../../kernel/products.ts'
import { invalidField } from '../../kernel/refusal.ts'
import { StrictObject, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { type AppSettings, settingsProblem } from '../../providers/app-settings.ts'
import { base, tag } from '../access.ts'
import { ProviderWord } from '../providers/provider.schema.ts'
import { type OAuthApps, requireProvider } from './app.service.ts'
import type { StoredApp } from './app.store.ts'

const tenantAccess = tenantAdmin(productSlugs.assistant)

const Text = (example: string, description?: string) =>
  Type.String({
    minLength: 1,
    maxLength: 2000,
    pattern: '^[\\x21-\\x7e]+$',
    examples: [example],
    ...(description === undefined ? {} : { description }),
  })

const Settings = Type.Unsafe<AppSettings>({
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 100 },
  maxProperties: 5,
  description:
    'What the app is bound to at the provider: `directory` of Microsoft (an id or a domain), `team` of Slack. Others have none.',
  examples: [{}],
})

const NewAppBody = StrictObject({
  clientId: Text('Iv1.8a61f9b3a7aba766'),
  clientSecret: Text('the-secret-of-your-app', 'Write-only.'),
  settings: Type.Optional(Settings),
})

const AppAnswer = StrictObject({
  provider: ProviderWord,
  clientId: Text('Iv1.8a61f9b3a7aba766'),
  settings: Settings,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
const AppDetail = StrictObject({ app: AppAnswer })
const AppList = StrictObject({ apps: Type.Array(AppAnswer) })

function appView({ provider, clientId, settings, createdAt, updatedAt }: StoredApp) {
  return { provider, clientId, settings, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}

const rules = ({ params, body }: { params: { provider: string }; body: { settings?: unknown } }) => [
  ruleFor(body.settings, (settings) => {
    const problem = settingsProblem(requireProvider(params.provider), settings)
    if (problem !== null) throw invalidField('/body/settings', { code: 'invalid', message: problem })
  }),
]

const changed = 'If the client id changes, users have to connect their accounts again.'

export function appRoutes(apps: OAuthApps): Route[] {
  return [...ownRoutes(apps), ...platformRoutes(apps)]
}

function ownRoutes(apps: OAuthApps): Route[] {
  return [
    route({
      method: 'GET',
      path: `${base}/apps`,
      name: 'listIntegrationApps',
      tag,
      summary: 'List the tenant’s own OAuth apps',
      access: tenantAccess,
      answers: { 200: AppList },
      handle: async ({ scope }) => ok({ apps: (await apps.listOwn(scope)).map(appView) }),
    }),
    route({
      method: 'PUT',
      path: `${base}/apps/:provider`,
      name: 'setIntegrationApp',
      tag,
      summary: 'Set the tenant’s own OAuth app at a provider',
      description: `It is used instead of the app of this installation. ${changed}`,
      access: tenantAccess,
      body: NewAppBody,
      answers: { 200: AppDetail },
      rules,
      handle: async ({ scope, params, body }) =>
        ok({ app: appView(await apps.putOwn(scope, requireProvider(params.provider), body)) }),
    }),
    route({
      method: 'DELETE',
      path: `${base}/apps/:provider`,
      name: 'deleteIntegrationApp',
      tag,
      summary: 'Delete the tenant’s own OAuth app at a provider',
      description: `The app of this installation is used from now on, if there is one. ${changed}`,
      access: tenantAccess,
      answers: { 204: null },
      handle: async ({ scope, params }) => {
        await apps.removeOwn(scope, requireProvider(params.provider))
        return noContent()
      },
    }),
  ]
}

const adminBase = '/admin/integrations/apps'

function platformRoutes(apps: OAuthApps): Route[] {
  return [
    route({
      method: 'GET',
      path: adminBase,
      name: 'listPlatformIntegrationApps',
      tag,
      summary: 'List the OAuth apps of the platform',
      description: 'Those that administrators have set. Apps of the file OAUTH_APPS are not listed.',
      access: admin('VIEWER'),
      answers: { 200: AppList },
      handle: async ({ platform }) => ok({ apps: (await apps.listPlatform(platform)).map(appView) }),
    }),
    route({
      method: 'PUT',
      path: `${adminBase}/:provider`,
      name: 'setPlatformIntegrationApp',
      tag,
      summary: 'Set the OAuth app of the platform at a provider',
      description: `It is used instead of the one in the file OAUTH_APPS. ${changed}`,
      access: admin('OWNER'),
      isSensitive: true,
      body: NewAppBody,
      answers: { 200: AppDetail },
      rules,
      handle: async ({ platform, params, body }) =>
        ok({ app: appView(await apps.putPlatform(platform, requireProvider(params.provider), body)) }),
    }),
    route({
      method: 'DELETE',
      path: `${adminBase}/:provider`,
      name: 'deletePlatformIntegrationApp',
      tag,
      summary: 'Delete the OAuth app of the platform at a provider',
      description: changed,
      access: admin('OWNER'),
      isSensitive: true,
      answers: { 204: null },
      handle: async ({ platform, params }) => {
        await apps.removePlatform(platform, requireProvider(params.provider))
        return noContent()
      },
    }),
  ]
}
