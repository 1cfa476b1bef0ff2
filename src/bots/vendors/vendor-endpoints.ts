import { vendors } from '../vendor.rules.ts'
import type { VendorEndpoints } from './vendor-http.ts'

/** Throws an error that names the setting and what is wrong with it. */
export function readVendorEndpoints(endpoints: ReadonlyMap<string, string>): VendorEndpoints {
  for (const [name, endpoint] of endpoints) {
    const problem = endpointProblem(name, endpoint)
    if (problem !== null) throw new Error(`BOT_VENDOR_ENDPOINTS: ${problem}.`)
  }
  return new Map([...endpoints].map(([name, endpoint]) => [name, endpoint.replace(/\/$/, '')]))
}

function endpointProblem(name: string, endpoint: string): string | null {
  if (!(vendors as readonly string[]).includes(name)) return `${name} is not a vendor`
  const url = URL.parse(endpoint)
  if (url === null) return `the address of ${name} is not valid`
  const isLoopback =
    url.hostname === 'localhost' || url.hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(url.hostname)
  if (url.protocol === 'http:' && !isLoopback) return `plain HTTP is for loopback addresses alone (${name})`
  return url.username === '' && url.search === '' && url.hash === ''
    ? null
    : `the address of ${name} must be a plain one`
}
