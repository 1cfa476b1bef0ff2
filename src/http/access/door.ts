import type { FastifyRequest } from 'fastify'
import { invalidField, Refusal } from '../../kernel/refusal.ts'
import type { BrowserAccess, BrowserAdminAccess } from './access.ts'
import { requireRole } from './admit.ts'
import type { Admitted, Authenticator, BrowserPage, BrowserSession } from './callers.ts'
import { isLoopback, ownOrigin } from './page-origin.ts'

export type DoorSettings = {
  /** Whether people may sign in over plain HTTP from other machines. */
  isInsecureAllowed: boolean
}

type DoorDeps = DoorSettings & { authenticator: Pick<Authenticator, 'browserSession'>; now: Date }

/**
 * Admits a page of our own by its cookie. The order is fixed: does the request come from our page, then the session, then what
 * it may do. Elsewhere no cookie is read, so that no credential travels by itself (docs/decisions/0019-console-door.md).
 */
export async function admitPage(
  access: BrowserAccess | BrowserAdminAccess,
  request: FastifyRequest,
  { authenticator, isInsecureAllowed, now }: DoorDeps,
): Promise<Admitted> {
  const page = requireOwnPage(request)
  const isSecureEnough = page.isSecure || isLoopback(page.origin) || isInsecureAllowed
  if (access.kind === 'browser' && !access.isSignedIn) {
    refuseOtherCredentials(request)
    if (!isSecureEnough) throw new Refusal('INSECURE_TRANSPORT')
    return { kind: 'browser', page, session: null }
  }
  const session = isSecureEnough ? await findSession(request, page, authenticator) : null
  if (session === null) throw new Refusal('SESSION_INVALID')
  refuseOtherCredentials(request)
  if (access.kind === 'browser') return { kind: 'browser', page, session }
  const { admin, confirmedUntil } = session
  requireRole(admin, access.role)
  if (access.isSensitive && (confirmedUntil === null || confirmedUntil <= now))
    throw new Refusal('CONFIRMATION_REQUIRED')
  return { kind: 'admin', admin, session }
}

/**
 * Refuses what another page may have sent, as Go's `CrossOriginProtection` does. Browsers send `Sec-Fetch-Site` to trustworthy
 * origins alone; over plain HTTP from another machine a header of our own says that a script of our page asks.
 */
function requireOwnPage(request: FastifyRequest): BrowserPage {
  const { method, headers, protocol } = request
  const origin = ownOrigin(request)
  const isReading = method === 'GET' || method === 'HEAD'
  const hasDoorHeader = headers['x-atrium-door'] === '1'
  const site = headers['sec-fetch-site']
  if (headers.origin !== undefined && headers.origin !== origin) throw originRefusal(headers.origin, origin)
  const isOwn =
    site === undefined ? headers.origin !== undefined || (isReading && hasDoorHeader) : site === 'same-origin'
  if (!isOwn) throw new Refusal('ORIGIN_NOT_ALLOWED')
  const isSecure = protocol === 'https'
  const isHeaderRequired = !isReading || !(isSecure || isLoopback(origin))
  if (isHeaderRequired && !hasDoorHeader)
    throw invalidField('/headers/x-atrium-door', { code: 'required', message: 'must be 1' })
  return { origin, isSecure }
}

function originRefusal(sent: string, own: string): Refusal {
  if (sent.length > 200) return new Refusal('ORIGIN_NOT_ALLOWED')
  return new Refusal('ORIGIN_NOT_ALLOWED', {
    detail: `The page belongs to ${sent}, but the request arrived at ${own}. Behind a proxy with TLS, name the proxy in \`TRUSTED_PROXIES\`, and let it pass \`Host\` and \`X-Forwarded-Proto\`.`,
  })
}

/** At a door the cookie alone counts. */
function refuseOtherCredentials({ headers }: FastifyRequest): void {
  const sent = ['x-admin-key', 'x-api-key', 'authorization'].find((name) => headers[name] !== undefined)
  if (sent !== undefined) throw invalidField(`/headers/${sent}`, { code: 'forbidden', message: 'is not allowed here' })
}

async function findSession(
  { headers }: FastifyRequest,
  page: BrowserPage,
  authenticator: DoorDeps['authenticator'],
): Promise<BrowserSession | null> {
  const secret = readCookie(headers.cookie, consoleCookieName(page))
  return secret === null ? null : authenticator.browserSession(secret, headers['x-atrium-poll'] === '1')
}

/** Over TLS the prefix makes browsers keep the cookie to this host (RFC 6265bis section 4.1.3); without TLS they would drop it. */
function consoleCookieName({ isSecure }: Pick<BrowserPage, 'isSecure'>): string {
  return isSecure ? '__Host-atrium-console' : 'atrium-console'
}

/** Whether a browser may have a session of the console: there is a cookie of one, good or not. */
export function hasConsoleCookie(cookies = ''): boolean {
  return [true, false].some((isSecure) => readCookie(cookies, consoleCookieName({ isSecure })) !== null)
}

/** Lax would do against other sites, too; Strict also keeps the cookie from requests that their links start. */
export function consoleCookie(page: BrowserPage, secret: string, maxAgeSeconds: number): string {
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${page.isSecure ? '; Secure' : ''}`
  return `${consoleCookieName(page)}=${secret}; ${attributes}`
}

/** The value of the first cookie with this name. */
function readCookie(header: string | undefined, name: string): string | null {
  for (const pair of header?.split(';') ?? []) {
    const [key = '', value = ''] = pair.split('=', 2)
    if (key.trim() === name) return value.trim()
  }
  return null
}
