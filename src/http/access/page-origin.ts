import type { FastifyRequest } from 'fastify'

type Asked = Pick<FastifyRequest, 'protocol' | 'headers'>

/**
 * The origin of the service as the caller sees it: the scheme of the connection, or what a trusted proxy says in
 * `X-Forwarded-Proto`, and the name in `Host`. Empty if `Host` is no name.
 */
export function ownOrigin({ protocol, headers: { host = '' } }: Asked): string {
  const text = `${protocol}://${host}`
  return URL.canParse(text) ? new URL(text).origin : ''
}

/** Whether browsers call a page of the origin secure: by HTTPS, or on this machine. */
export function isTrustworthy(origin: string): boolean {
  return origin.startsWith('https://') || isLoopback(origin)
}

/** Whether the origin names this machine itself, where nobody can listen in. */
export function isLoopback(origin: string): boolean {
  if (origin === '') return false
  const { hostname } = new URL(origin)
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || isLoopbackIp4(hostname)
}

function isLoopbackIp4(hostname: string): boolean {
  return /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
}
