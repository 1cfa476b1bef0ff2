import type { Route } from '../http/route.ts'
import type { IntegrationSettings } from './oauth/integration-settings.ts'
import { providerRoutes } from './providers/provider.routes.ts'
import { publicAddress } from './providers/public-address.ts'

export { type IntegrationSettings, readIntegrationSettings } from './oauth/integration-settings.ts'

export type Integrations = { routes: Route[] }

/** Connections to other services on behalf of users and organizations, and what is done with them. */
export function integrations(settings: IntegrationSettings): Integrations {
  const address = publicAddress(settings.publicUrl)
  return {
    routes: providerRoutes({ address, configuredProviders: async () => new Set(settings.apps.keys()) }),
  }
}
