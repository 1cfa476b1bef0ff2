import type { ProviderName } from '../providers/provider.ts'
import { endpointProblem, type ProviderEndpoints } from '../providers/provider-endpoints.ts'
import { type InstalledApp, readOAuthApps } from './apps/oauth-apps-file.ts'
import type { MailServers } from './mail-servers.ts'

/** What the operator has set. */
export type IntegrationSettings = {
  apps: ReadonlyMap<ProviderName, InstalledApp>
  endpoints: ProviderEndpoints
  /** The address of this service as browsers and providers reach it. */
  publicUrl: string | null
  /** For tests: other mail servers than those of Google and Microsoft. */
  mailServers?: MailServers
}

/**
 * Throws an error that names the setting and what is wrong with it.
 * @param appsText the content of the file of OAUTH_APPS; null: there is none.
 */
export function readIntegrationSettings(
  appsText: string | null,
  endpoints: ReadonlyMap<string, string>,
): Pick<IntegrationSettings, 'apps' | 'endpoints'> {
  for (const [name, endpoint] of endpoints) {
    const problem = endpointProblem(name, endpoint)
    if (problem !== null) throw new Error(`PROVIDER_ENDPOINTS: ${problem}.`)
  }
  const trimmed = [...endpoints].map(([name, endpoint]) => [name as ProviderName, endpoint.replace(/\/$/, '')] as const)
  return { apps: appsText === null ? new Map() : readOAuthApps(appsText), endpoints: new Map(trimmed) }
}
