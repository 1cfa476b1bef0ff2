import { createHmac, randomBytes } from 'node:crypto'

/** Where a login comes from, as far as it can be recognized. `browser`: the token in its cookie. */
export type LoginSource = { kind: 'address' | 'browser' | 'session'; value: string }

/** As long as a session may last: a user who has not logged in for that long is a stranger again. */
export const sourceLifetimeSeconds = 90 * 24 * 3600
/** Of one account. Programs that change their address with each login must not fill the table. */
export const sourcesMax = 50

// `__Host-`: only this host can set it, over TLS, and a page of a sibling domain cannot replace it.
const cookieName = '__Host-atrium_browser'
const tokenPattern = /^[A-Za-z0-9_-]{22}$/

/**
 * The token that recognizes a browser: the one in its cookie, or a new one of 128 bits. Null for a program, which keeps no
 * cookies: its tokens would only displace those of browsers. It authorizes nothing. With it, failed logins are counted
 * apart from those of strangers (OWASP: Slow Down Online Guessing Attacks with Device Cookies).
 */
export function browserToken(headers: Record<string, string | undefined>): string | null {
  const sent = cookieValue(headers['cookie'] ?? '')
  if (sent !== null) return sent
  // Every browser sends one of them with a POST.
  const isBrowser = headers['origin'] !== undefined || headers['sec-fetch-site'] !== undefined
  return isBrowser ? randomBytes(16).toString('base64url') : null
}

function cookieValue(cookies: string): string | null {
  for (const pair of cookies.split(';')) {
    const [name, value = ''] = pair.trim().split('=')
    if (name === cookieName && tokenPattern.test(value)) return value
  }
  return null
}

/** The headers that keep the token in the browser. */
export function browserCookie(token: string | null): Record<string, string> {
  if (token === null) return {}
  const attributes = `Path=/; Max-Age=${sourceLifetimeSeconds}; Secure; HttpOnly; SameSite=Strict`
  return { 'set-cookie': `${cookieName}=${token}; ${attributes}` }
}

/** How a source is stored. Keyed, because few addresses exist: without the key they could all be tried. */
export function hashSource(key: Buffer, tenantId: string, { kind, value }: LoginSource): Buffer {
  return createHmac('sha256', key).update(`${tenantId} ${kind} ${value}`).digest()
}
