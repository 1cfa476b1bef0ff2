import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { type ProviderName, providerNames } from '../../providers/provider.ts'
import { featuresOf, providers } from '../../providers/provider-table.ts'
import { redirectUri } from '../../providers/public-address.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { base, tag, userAccess } from '../access.ts'
import { ProviderList } from './provider.schema.ts'

type Deps = {
  /** Null: providers cannot redirect to this installation. */
  address: string | null
  configuredProviders(scope: TenantScope): Promise<ReadonlySet<ProviderName>>
}

export function providerRoutes({ address, configuredProviders }: Deps): Route[] {
  return [
    route({
      method: 'GET',
      path: `${base}/providers`,
      name: 'listIntegrationProviders',
      tag,
      summary: 'List the providers',
      description:
        'The nine services that can be connected, with what each does. Each feature has its own scopes, which are requested separately.',
      access: userAccess,
      answers: { 200: ProviderList },
      handle: async ({ scope }) => {
        const configured = address === null ? new Set() : await configuredProviders(scope)
        return ok({
          providers: providerNames.map((name) => ({
            provider: name,
            name: providers[name].title,
            configured: configured.has(name),
            redirectUri: address === null ? null : redirectUri(address, name),
            features: featuresOf(providers[name]).map((feature) => ({
              name: feature,
              scopes: [...(providers[name].scopes.features[feature] ?? [])],
            })),
          })),
        })
      },
    }),
  ]
}
