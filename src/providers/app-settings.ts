import { isRecord } from './answer-fields.ts'
import { anyDirectory } from './microsoft.ts'
import type { ProviderName, ProviderRow } from './provider.ts'

/** What the registration at the provider is bound to: `directory` of Microsoft, `team` of Slack. */
export type AppSettings = { directory?: string; team?: string }

const known: Partial<Record<ProviderName, [name: keyof AppSettings, pattern: RegExp, allowed: string]>> = {
  // A directory is part of an address.
  microsoft: ['directory', /^[A-Za-z0-9][A-Za-z0-9.-]{0,99}$/, 'the id or a domain of a directory'],
  slack: ['team', /^[A-Z0-9]{1,30}$/, 'the id of a workspace'],
}

/** What is wrong with the settings of a provider's app; null: nothing. */
export function settingsProblem(provider: ProviderName, settings: unknown): string | null {
  if (!isRecord(settings)) return 'must be an object'
  const [name, pattern, allowed] = known[provider] ?? ['', /(?!)/, '']
  for (const [key, value] of Object.entries(settings)) {
    if (key !== name) return name === '' ? `must be empty: ${provider} has none` : `may have only \`${name}\``
    if (typeof value !== 'string' || !pattern.test(value)) return `\`${key}\` must be ${allowed}`
  }
  return null
}

/** Where the app's users are sent. */
export function authorizeUrl({ authorize }: ProviderRow, settings: AppSettings): URL {
  const url = new URL(inDirectory(authorize.url, settings))
  for (const [name, value] of Object.entries(authorize.params)) url.searchParams.set(name, value)
  if (settings.team !== undefined) url.searchParams.set('team', settings.team)
  return url
}

export function tokenUrl({ token }: ProviderRow, settings: AppSettings): string {
  return inDirectory(token.url, settings)
}

function inDirectory(url: string, { directory }: AppSettings): string {
  return directory === undefined ? url : url.replace(`/${anyDirectory}/`, `/${directory}/`)
}
