import { isRecord } from '../../providers/answer-fields.ts'
import { type AppSettings, settingsProblem } from '../../providers/app-settings.ts'
import type { ClientCredentials, ProviderName } from '../../providers/provider.ts'
import { providers } from '../../providers/provider-table.ts'

/** An OAuth app of the platform, as the operator registered it at the provider. */
export type InstalledApp = ClientCredentials & { settings: AppSettings }

/**
 * Reads the file of OAUTH_APPS. Throws an error that names the provider, never a value: the file holds secrets.
 * @param text `{"github": {"clientId": "...", "clientSecret": "...", "settings": {}}}`
 */
export function readOAuthApps(text: string): Map<ProviderName, InstalledApp> {
  const parsed = parseObject(text)
  return new Map(
    Object.entries(parsed).map(([name, entry]) => {
      if (!Object.hasOwn(providers, name)) throw new Error(`OAUTH_APPS: ${name} is not a provider.`)
      const provider = name as ProviderName
      return [provider, readApp(provider, entry)]
    }),
  )
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text)
    if (isRecord(parsed)) return parsed
  } catch {
    // The parser's message quotes the file.
  }
  throw new Error('OAUTH_APPS: the file must be a JSON object.')
}

function readApp(provider: ProviderName, entry: unknown): InstalledApp {
  const { clientId, clientSecret, settings = {}, ...others } = isRecord(entry) ? entry : {}
  const isText = (value: unknown) => typeof value === 'string' && /^[\x21-\x7e]{1,2000}$/.test(value)
  if (!isText(clientId) || !isText(clientSecret))
    throw new Error(`OAUTH_APPS: ${provider} must have clientId and clientSecret, printable ASCII without spaces.`)
  if (Object.keys(others).length > 0) throw new Error(`OAUTH_APPS: ${provider} has unknown members.`)
  const problem = settingsProblem(provider, settings)
  if (problem !== null) throw new Error(`OAUTH_APPS: settings of ${provider}: ${problem}.`)
  return { clientId: clientId as string, clientSecret: clientSecret as string, settings: settings as AppSettings }
}
