import type { ProviderName, ProviderRow } from './provider.ts'
import { providers } from './provider-table.ts'

/** Where the operator has each provider asked instead, without a slash at the end (`PROVIDER_ENDPOINTS`). */
export type ProviderEndpoints = ReadonlyMap<ProviderName, string>

/** The address does not belong to the provider's row. */
class ForeignAddress extends Error {
  constructor(provider: ProviderName) {
    super(`The address is not one of ${provider}.`)
    this.name = 'ForeignAddress'
  }
}

/** `https://HOST/PATH` of a row becomes `ENDPOINT/HOST/PATH` where the operator has set one. */
export function mappedUrl(endpoints: ProviderEndpoints, provider: ProviderName, url: string): string {
  const endpoint = endpoints.get(provider)
  if (endpoint === undefined) return url
  const { host, pathname, search } = new URL(url)
  return `${endpoint}/${host}${pathname}${search}`
}

/** The address of a call that carries the access token. Throws ForeignAddress for any host but those of the row's API. */
export function requireApiUrl(row: ProviderRow, url: string): string {
  return requireHost(row, url, row.apiHosts)
}

/** A link from an answer, which is asked without the access token. Throws ForeignAddress for hosts that are not the row's. */
export function requireLink(row: ProviderRow, url: string): string {
  return requireHost(row, url, [...row.apiHosts, ...row.linkHosts])
}

function requireHost({ name }: ProviderRow, url: string, hosts: readonly string[]): string {
  const parsed = URL.canParse(url) ? new URL(url) : null
  const isOwn =
    parsed !== null &&
    parsed.protocol === 'https:' &&
    parsed.username === '' &&
    parsed.password === '' &&
    hosts.some((host) => isSameHost(parsed.host, host))
  if (!isOwn) throw new ForeignAddress(name)
  return parsed.href
}

/** `*.example.com`: any host below. */
function isSameHost(host: string, allowed: string): boolean {
  return allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed
}

/** What is wrong with a value of PROVIDER_ENDPOINTS; null: nothing. */
export function endpointProblem(name: string, endpoint: string): string | null {
  if (!Object.hasOwn(providers, name)) return `${name} is not a provider`
  if (!URL.canParse(endpoint)) return `the address of ${name} is not valid`
  const { protocol, hostname, search, hash, username } = new URL(endpoint)
  if (protocol === 'http:' && !isLoopback(hostname)) return `plain HTTP is for loopback addresses alone (${name})`
  if (protocol !== 'http:' && protocol !== 'https:') return `the address of ${name} must start with https://`
  return search === '' && hash === '' && username === '' ? null : `the address of ${name} must be a plain one`
}

/** Addresses of this machine, as browsers and `URL` write them. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
}
