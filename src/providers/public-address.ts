import { isLoopback } from './provider-endpoints.ts'

const callbackBase = '/assistant/v1/integrations'

/**
 * The address of this service as browsers and providers reach it, of PUBLIC_URL alone and never of a request's `Host`. Null
 * where there is none that providers may redirect to: it must be https, but on loopback.
 */
export function publicAddress(publicUrl: string | null): string | null {
  if (publicUrl === null) return null
  const { protocol, hostname, origin, pathname } = new URL(publicUrl)
  if (protocol !== 'https:' && !isLoopback(hostname)) return null
  // Not by an expression: one for the last slashes takes time by the square of their number.
  let end = pathname.length
  while (pathname[end - 1] === '/') end -= 1
  return origin + pathname.slice(0, end)
}

/** One redirect address for each provider, so that an answer of one cannot pass for another's (RFC 9700, section 4.4.2). */
export function redirectUri(address: string, provider: string): string {
  return `${address}${callbackBase}/${provider}/callback`
}
