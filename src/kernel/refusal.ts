/**
 * All refusals of Atrium. Clients switch on the code; a code's meaning never changes.
 * `docs/errors.md` is generated from this table.
 */
export const refusals = {
  VALIDATION_ERROR: [
    400,
    'Request is not valid',
    'The body, a parameter or a header does not have the form that the route requires; `errors` names each place.',
  ],
  MALFORMED_JSON: [
    400,
    'Body is not valid JSON',
    'The body is not JSON in UTF-8, or it contains NUL characters, lone surrogates, `__proto__` or too deep nesting.',
  ],
  BODY_TOO_MANY_MEMBERS: [
    400,
    'Body has too many members',
    'The JSON body has more members and elements in total than the route reads: 20,000, unless the route says otherwise.',
  ],
  INVALID_PAGINATION: [
    400,
    'Page or limit is out of range',
    '`page` is an integer from 1 to 10000, and `limit` an integer from 1 to 100, unless the route says otherwise.',
  ],
  UNKNOWN_PRODUCT: [400, 'Product is not known', 'A product slug in the request is not in the catalog.'],
  PASSWORD_REJECTED: [
    400,
    'Password is not acceptable',
    'The password is too short, too long, too common, or derived from the e-mail address.',
  ],
  API_KEY_MISSING: [401, 'API key is missing', 'Send a tenant API key as `X-API-Key`.'],
  API_KEY_INVALID: [401, 'API key is not valid', 'The key is unknown, malformed, revoked or expired.'],
  ADMIN_KEY_MISSING: [401, 'Admin key is missing', 'Send the admin key as `X-Admin-Key`.'],
  ADMIN_KEY_INVALID: [401, 'Admin key is not valid', 'The admin key is unknown, malformed, revoked or expired.'],
  TOKEN_MISSING: [401, 'Access token is missing', 'Send the access token as `Authorization: Bearer ...`.'],
  TOKEN_INVALID: [
    401,
    'Access token is not valid',
    'The token is malformed, was sent without `Bearer` before it, belongs to another tenant than the API key, or its session has ended.',
  ],
  TOKEN_EXPIRED: [401, 'Access token has expired', 'Get a new one with the refresh token.'],
  NODE_TOKEN_MISSING: [
    401,
    'Node token is missing',
    'Send the node token as `Authorization: Bearer ...`. To enroll, send the one-time enrollment token of the server.',
  ],
  NODE_TOKEN_INVALID: [
    401,
    'Node token is not valid',
    'The token is unknown, was revoked, or was replaced by a later enrollment. An enrollment token may have been used or have expired.',
  ],
  RUNNER_TOKEN_MISSING: [
    401,
    'Runner token is missing',
    'Send the runner token as `Authorization: Bearer ...`. To enroll, send the one-time enrollment token of the runner.',
  ],
  RUNNER_TOKEN_INVALID: [
    401,
    'Runner token is not valid',
    'The token is unknown, was revoked, or was replaced by a later enrollment. An enrollment token may have been used or have expired.',
  ],
  INVALID_CREDENTIALS: [
    401,
    'Credentials are wrong',
    'The e-mail address and the password do not match, or the ID token is not valid. An unknown address gets the same answer. At the console: the admin key is not valid, or the sign-in link is unknown, was used or has expired.',
  ],
  SESSION_INVALID: [
    401,
    'Nobody is signed in',
    'The browser has no session of the console, or the session has ended. Sign in again.',
  ],
  REFRESH_INVALID: [
    401,
    'Refresh token is not valid',
    'The refresh token is unknown or expired, or its session has ended. Log in again.',
  ],
  REFRESH_REUSED: [
    401,
    'Refresh token was used twice',
    'The token was exchanged before, so its whole session has been ended. Log in again.',
  ],
  SIGNATURE_INVALID: [
    401,
    'Delivery is not verified',
    'The signature is not valid, or there is no active connection at this address; both get the same answer. The log of deliveries shows the cause to the tenant.',
  ],
  TENANT_SUSPENDED: [
    403,
    'Tenant is suspended',
    'An administrator has suspended the tenant; its keys and users are refused until it is active again.',
  ],
  USER_SUSPENDED: [403, 'User is suspended', 'An administrator has suspended the user.'],
  PRODUCT_NOT_ALLOWED: [
    403,
    'Product is not allowed',
    'The API key does not list the product of this route, or the users of the tenant may not use it.',
  ],
  REGISTRATION_CLOSED: [
    403,
    'Registration is closed',
    'Nobody can register here without an API key. Send the API key of a tenant.',
  ],
  INSUFFICIENT_ROLE: [403, 'Role is not sufficient', 'The credential is valid, but its role may not do this.'],
  QUOTA_EXCEEDED: [403, 'A limit of the tenant is reached', '`detail` names the limit and its value.'],
  ORIGIN_NOT_ALLOWED: [
    403,
    'Page is not allowed',
    'The operator of this installation has listed the origins whose pages may call or connect, and this origin is not in the list. At the console: the request does not come from a page of this service.',
  ],
  INSECURE_TRANSPORT: [
    403,
    'The connection is not encrypted',
    'Nobody can sign in over plain HTTP from another machine. Use a proxy with TLS and name it in `TRUSTED_PROXIES`, or an SSH tunnel to the machine of the service, or allow it with `BROWSER_INSECURE=true`.',
  ],
  CONFIRMATION_REQUIRED: [
    403,
    'The operation has to be confirmed',
    'A signed-in browser may do this only within 10 minutes after a confirmation with an admin key: `POST /console/session/confirm`.',
  ],
  LICENSE_REQUIRED: [
    403,
    'A license is required',
    'The tenant has no license for the product, or the given license key is not one of its licenses.',
  ],
  LICENSE_REVOKED: [403, 'License is revoked', 'The license was revoked by an administrator.'],
  LICENSE_EXPIRED: [403, 'License has expired', 'The license is past its `expiresAt`.'],
  LICENSE_EXHAUSTED: [403, 'License has no use left', 'Every use of the license has been taken.'],
  NOT_FOUND: [
    404,
    'Not found',
    'There is no such resource, or it belongs to another tenant; both get the same answer.',
  ],
  METHOD_NOT_ALLOWED: [405, 'Method is not allowed here', 'The path exists with other methods; `Allow` lists them.'],
  NOT_ACCEPTABLE: [406, 'No acceptable representation', 'The route supports none of the media types in `Accept`.'],
  REQUEST_TIMEOUT: [
    408,
    'The request took too long to arrive',
    'The client stopped sending in the middle of a request.',
  ],
  EMAIL_TAKEN: [409, 'E-mail address is taken', 'A user of this tenant has the address.'],
  SLUG_TAKEN: [409, 'Slug is taken', 'Another object of this kind has the slug.'],
  KEY_NOT_ACTIVE: [409, 'Key is not active', 'A revoked or expired key cannot be rotated.'],
  REAUTH_REQUIRED: [
    409,
    'The integration has to be connected again',
    'The provider no longer accepts our access. Connect again with `integrationId`.',
  ],
  SCOPE_MISSING: [
    409,
    'The access was not allowed',
    'The user has not allowed what the feature needs at the provider, or the feature is off. Connect again with the feature.',
  ],
  STATE_CONFLICT: [
    409,
    'State does not allow this',
    'The current state of the object does not allow this, or somebody else has changed it meanwhile.',
  ],
  REVISION_AHEAD: [
    409,
    'Revision is ahead of the server',
    'The node has seen a later revision than the current one, because the database was restored to an older state. Ask with `since=0`.',
  ],
  NODE_SUPERSEDED: [
    409,
    'A newer agent has taken over',
    'Another agent with the same token started later, so this one must stop.',
  ],
  LEASE_LOST: [
    409,
    'The bot is no longer yours',
    'The lease is not the newest one of the bot, or the bot has ended. Leave the meeting within 10 seconds.',
  ],
  ACCOUNT_LINK_REQUIRED: [
    409,
    'Account has to be linked first',
    'A user with the e-mail address of the Google account exists, but has not verified it. Log in with the password and link the account.',
  ],
  IDEMPOTENCY_IN_PROGRESS: [
    409,
    'The same request is still running',
    'Repeat the request after `Retry-After` seconds to get its answer.',
  ],
  CAPACITY_EXHAUSTED: [409, 'No capacity left', 'No VPN server has room for another device.'],
  PRECONDITION_FAILED: [
    412,
    'The object has changed meanwhile',
    'The ETag in `If-Match` is not the current one of the object. Read the object again, and repeat the change on its current state.',
  ],
  BODY_TOO_LARGE: [413, 'Body is too large', 'The limit is 256 KiB, unless the route says otherwise.'],
  UNSUPPORTED_MEDIA_TYPE: [
    415,
    'Media type is not supported',
    'Send `Content-Type: application/json`, or the type that the route names. An uploaded file must be of an allowed type, and its content must be of that type.',
  ],
  RANGE_NOT_SATISFIABLE: [
    416,
    'Range is outside the file',
    'The first requested byte is after the end of the file; `Content-Range` has the length of the file.',
  ],
  IDEMPOTENCY_KEY_REUSED: [
    422,
    'Idempotency key was used for another request',
    'An idempotency key belongs to one request. Use a new key for a different body.',
  ],
  UPGRADE_REQUIRED: [
    426,
    'This is a WebSocket endpoint',
    'Connect with a WebSocket client (RFC 6455). Plain HTTP requests are not answered here.',
  ],
  RATE_LIMITED: [
    429,
    'Too many requests',
    'Wait `Retry-After` seconds. `limit` names the limit: whom it counts, how many requests its window allows, and until when it refuses.',
  ],
  USAGE_EXCEEDED: [
    429,
    'Usage limit is reached',
    '`usage` names the meter, whose limit it is, from which plan it comes, and its window. `Retry-After` is the time until the window ends.',
  ],
  LOGIN_THROTTLED: [
    429,
    'Too many failed logins',
    'The delay grows with each failure in a row for an account. Very many failures from one address delay that address too. Wait `Retry-After` seconds.',
  ],
  INTERNAL: [500, 'Internal error', 'The service has failed. Its log has the cause under the `requestId`.'],
  NOT_CONFIGURED: [503, 'Not set up here', 'The operator of this installation has not set up what the route needs.'],
  UNAVAILABLE: [
    503,
    'Temporarily unavailable',
    'Something that the request needs is unreachable or busy. Repeat after `Retry-After` seconds.',
  ],
} as const satisfies Record<string, readonly [status: number, title: string, meaning: string]>

export type RefusalCode = keyof typeof refusals

/** One thing wrong in a request. `path` is a JSON pointer (RFC 6901), led by `body`, `query`, `params` or `headers`. */
export type FieldError = { path: string; code: string; message: string }

/** Whom a rate limit counts. */
export const countedCallers = [
  'ADDRESS',
  'API_KEY_AT_ADDRESS',
  'USER',
  'ADMIN_KEY',
  'BROWSER_SESSION',
  'NODE',
  'RUNNER',
  'CONNECTION',
] as const
export type CountedCaller = (typeof countedCallers)[number]

/** A rate limit that has been reached. `until`: when a request fits again. */
export type ReachedLimit = { counted: CountedCaller; max: number; windowSeconds: number; until: Date }

/** A limit of usage that has been reached, in a window from one day to another, which is excluded. */
export type ReachedUsage = {
  meter: string
  used: number
  limit: number
  window: { from: string; to: string; kind: 'month' | 'day' }
  /** The name of a plan, `OVERRIDE` or `OWN`. */
  plan: string
  scope: 'tenant' | 'org' | 'user'
}

export type RefusalOptions = {
  detail?: string
  errors?: FieldError[]
  /** The values that would be allowed, for a program that offers a choice. */
  allowed?: string[]
  /** The rate limit that refused the request. */
  limit?: ReachedLimit
  /** The usage limit that refused the request. */
  usage?: ReachedUsage
  retryAfterSeconds?: number
  headers?: Record<string, string>
}

/** An expected "no". It is thrown anywhere and becomes an answer in one place (`http/problem.ts`). */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly options: RefusalOptions

  constructor(code: RefusalCode, options: RefusalOptions = {}) {
    super(options.detail ?? refusals[code][1])
    this.name = 'Refusal'
    this.code = code
    this.options = options
  }
}

/** The text for a person: the refusal's own detail, or else the meaning of its code. Null for an internal error. */
export function refusalDetail({ code, options }: Refusal): string | null {
  if (code === 'INTERNAL') return null
  return options.detail ?? refusals[code][2]
}

/** The answer for an id that is unknown, malformed or of another tenant: always the same bytes. */
export function notFound(): Refusal {
  return new Refusal('NOT_FOUND')
}

/** A refusal about one field of the request. `path` is a JSON pointer such as `/body/product`. */
export function invalidField(
  path: string,
  { code, message, refusal = 'VALIDATION_ERROR' }: { code: string; message: string; refusal?: RefusalCode },
): Refusal {
  return new Refusal(refusal, { detail: fieldErrorText(path, message), errors: [{ path, code, message }] })
}

/** At most so many faults are explained. With more, the whole form of the request is wrong. */
export const explainedFaultsMax = 20

/** A refusal about several fields, which are at least one. The detail counts them and has the first. */
export function invalidFields(faults: FieldError[], refusal: RefusalCode = 'VALIDATION_ERROR'): Refusal {
  const [first] = faults
  if (first === undefined) return new Refusal(refusal)
  const text = fieldErrorText(first.path, first.message)
  const count = faults.length < explainedFaultsMax ? String(faults.length) : `${explainedFaultsMax} or more`
  return new Refusal(refusal, {
    detail: faults.length === 1 ? text : `${count} fields are not valid; \`errors\` names them. The first: ${text}`,
    errors: faults.slice(0, explainedFaultsMax),
  })
}

/** Refuses all of these fields at once, if there are any. */
export function refuseFields(faults: FieldError[]): void {
  if (faults.length > 0) throw invalidFields(faults)
}

/** One field error as a sentence. `message` continues the path, as in `is required`. */
export function fieldErrorText(path: string, message: string): string {
  return `${path} ${message}${/[.?!]$/.test(message) ? '' : '.'}`
}
