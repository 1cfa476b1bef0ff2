import { type CountedCaller, Refusal } from '../../kernel/refusal.ts'
import type { AdminRole, UserRole } from './access.ts'

export type AuthenticatedTenant = { tenantId: string; isTenantSuspended: boolean; requestsPerWindow: number | null }
/** `isGuessable`: the key has too little entropy to be safe from guessing by itself. */
export type AdminCaller = { id: string | null; label: string; role: AdminRole; isGuessable?: true }
export type KeyCaller = AuthenticatedTenant & { id: string; name: string; products: string[]; expiresAt: Date | null }
export type UserCaller = AuthenticatedTenant & {
  id: string
  /** The products that the users of the tenant may use. */
  tenantProducts: string[]
  sessionId: string
  email: string
  role: UserRole
  isUserSuspended: boolean
}

/** `tokenHash`: SHA-256 of the sent token, so that a use case can check whether it is still valid. */
export type NodeCaller = { serverId: string; serverName: string; tokenHash: Buffer }

/** A runner of a tenant's bots; `isShared`: of the bots of all tenants. */
export type RunnerCaller = {
  tenantId: string
  runnerId: string
  runnerName: string
  isShared: boolean
  tokenHash: Buffer
}

/** A browser in which an administrator is signed in. */
export type BrowserSession = {
  id: string
  admin: AdminCaller
  /** Until then sensitive operations are allowed; null if they never were. */
  confirmedUntil: Date | null
}

/** A page that asks by a door: the origin of the service as the page sees it. */
export type BrowserPage = { origin: string; isSecure: boolean }

/** A token of which nothing but the age is wrong. */
export type ExpiredCaller = { expiredUserId: string }

/** TOKEN_EXPIRED, with the user whose token it was. */
export class ExpiredToken extends Refusal {
  readonly userId: string

  constructor(userId: string) {
    super('TOKEN_EXPIRED')
    this.userId = userId
  }
}

/** How credentials become callers; identity provides it. Null: the credential is not valid. */
export type Authenticator = {
  adminKey(text: string): Promise<AdminCaller | null>
  apiKey(text: string): Promise<KeyCaller | null>
  accessToken(text: string): Promise<UserCaller | ExpiredCaller | null>
  nodeToken(text: string): Promise<NodeCaller | null>
  enrollmentToken(text: string): Promise<NodeCaller | null>
  runnerToken(text: string): Promise<RunnerCaller | null>
  runnerEnrollmentToken(text: string): Promise<RunnerCaller | null>
  /** Without `isPoll` the session's idle time starts again. */
  browserSession(secret: string, isPoll: boolean): Promise<BrowserSession | null>
  /** The rate limit of each node. */
  nodeRequestsPerSecond: number
  /** The rate limit of each runner. */
  runnerRequestsPerSecond: number
  builtInTenant(): Promise<AuthenticatedTenant>
  /** Records that somebody tried a wrong admin key. Never rejects. */
  noteWrongAdminKey(origin: { ip: string; requestId: string }): Promise<void>
}

/** The part that authenticates nodes. */
export type NodeAuthenticator = Pick<Authenticator, 'nodeToken' | 'enrollmentToken' | 'nodeRequestsPerSecond'>

/** The part that authenticates runners of bots. */
export type RunnerAuthenticator = Pick<
  Authenticator,
  'runnerToken' | 'runnerEnrollmentToken' | 'runnerRequestsPerSecond'
>

export type Credentials = { adminKey: string | null; apiKey: string | null; bearer: string | null }

/** The outcome of the credential, tenant and product checks, before any scope exists. */
export type Admitted =
  | { kind: 'open'; admin: AdminCaller | null }
  /** `session`: by the cookie of a browser. */
  | { kind: 'admin'; admin: AdminCaller; session: BrowserSession | null }
  | { kind: 'browser'; page: BrowserPage; session: BrowserSession | null }
  | { kind: 'tenantKey'; tenant: AuthenticatedTenant; apiKey: KeyCaller | null }
  | { kind: 'endUser'; tenant: AuthenticatedTenant; user: UserCaller; apiKey: KeyCaller | null }
  | { kind: 'node'; node: NodeCaller }
  | { kind: 'runner'; runner: RunnerCaller }

/** Whom `rateLimitBucket` counts. */
export function countedCaller(admitted: Admitted): CountedCaller {
  switch (admitted.kind) {
    case 'open':
      return 'ADDRESS'
    case 'admin':
      return admitted.session === null ? 'ADMIN_KEY' : 'BROWSER_SESSION'
    case 'browser':
      return admitted.session === null ? 'ADDRESS' : 'BROWSER_SESSION'
    case 'tenantKey':
      return admitted.apiKey === null ? 'ADDRESS' : 'API_KEY_AT_ADDRESS'
    case 'endUser':
      return 'USER'
    case 'node':
      return 'NODE'
    case 'runner':
      return 'RUNNER'
  }
}

/** The name of the rate-limit bucket that a caller's requests count towards. */
export function rateLimitBucket(admitted: Admitted, address: string): string {
  switch (admitted.kind) {
    case 'open':
      return `address:${address}`
    case 'admin':
      // Of its own: a page that is left open spends nothing of what scripts with the same key may do.
      if (admitted.session !== null) return `browser:${admitted.session.id}`
      return `admin:${admitted.admin.id ?? 'environment'}`
    case 'browser':
      return admitted.session === null ? `address:${address}` : `browser:${admitted.session.id}`
    case 'tenantKey':
      return admitted.apiKey === null ? `address:${address}` : `key:${admitted.apiKey.id}:${address}`
    case 'endUser':
      return `user:${admitted.user.id}`
    case 'node':
      return `node:${admitted.node.serverId}`
    case 'runner':
      return `runner:${admitted.runner.runnerId}`
  }
}
