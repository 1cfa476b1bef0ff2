import {
  countedCallers,
  type Refusal,
  type RefusalCode,
  type RefusalOptions,
  refusalDetail,
  refusals,
} from '../kernel/refusal.ts'
import { StrictObject, StringEnum } from '../kernel/schemas.ts'
import { Type } from '../kernel/type.ts'
import type { Route } from './route.ts'

export const UsageOfRefusal = StrictObject(
  {
    meter: Type.String({ description: 'What is counted.', examples: ['meetings'] }),
    used: Type.Integer({ examples: [20] }),
    limit: Type.Integer({ examples: [20] }),
    window: StrictObject(
      {
        from: Type.String({ format: 'date', examples: ['2026-11-01'] }),
        to: Type.String({ format: 'date', examples: ['2026-12-01'] }),
        kind: StringEnum(['month', 'day']),
      },
      { description: 'UTC days. `to` is not in the window.' },
    ),
    plan: Type.String({
      description:
        'Where the limit comes from: the name of a plan, `OVERRIDE` (set by the platform) or `OWN` (set by the tenant).',
      examples: ['TRIAL'],
    }),
    scope: StringEnum(['tenant', 'org', 'user'], { description: 'Whose limit it is.' }),
  },
  { description: 'The usage limit that refused the request.' },
)

/** An error answer, RFC 9457 with a stable `code`. */
export const Problem = Type.Object(
  {
    type: Type.String({
      format: 'uri-reference',
      description: 'Link to the explanation of the code.',
      examples: ['/docs/errors#NOT_FOUND'],
    }),
    title: Type.String({ examples: ['Not found'] }),
    status: Type.Integer({ examples: [404] }),
    detail: Type.Optional(
      Type.String({
        description: 'What is wrong with this request, for a person. An internal error has no detail.',
        examples: ['There is no such resource.'],
      }),
    ),
    code: Type.String({ description: 'A stable code for programs.', examples: ['NOT_FOUND'] }),
    requestId: Type.String({ examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'] }),
    errors: Type.Optional(
      Type.Array(
        StrictObject({
          path: Type.String({ description: 'JSON pointer to the invalid value.', examples: ['/body/deviceName'] }),
          code: Type.String({ examples: ['required'] }),
          message: Type.String({ examples: ['is required'] }),
        }),
      ),
    ),
    allowed: Type.Optional(
      Type.Array(Type.String({ examples: ['BETA'] }), { description: 'The values that the current state allows.' }),
    ),
    limit: Type.Optional(
      StrictObject(
        {
          counted: StringEnum(countedCallers, { description: 'Whom the limit counts.' }),
          max: Type.Integer({ description: 'How many requests a window allows.', examples: [1000] }),
          windowSeconds: Type.Integer({ examples: [900] }),
          until: Type.String({
            format: 'date-time',
            description: 'When the next request is possible.',
            examples: ['2026-11-21T09:30:00.000Z'],
          }),
        },
        { description: 'The rate limit that refused the request.' },
      ),
    ),
    usage: Type.Optional(UsageOfRefusal),
  },
  { title: 'Problem' },
)

export const problemMediaType = 'application/problem+json; charset=utf-8'

export type ProblemBody = {
  type: string
  title: string
  status: number
  detail?: string
  code: RefusalCode
  requestId: string
  errors?: RefusalOptions['errors'] & object
  allowed?: string[]
  limit?: Omit<RefusalOptions['limit'] & object, 'until'> & { until: string }
  usage?: RefusalOptions['usage'] & object
}

type Asked = { requestId: string; route?: Pick<Route, 'access' | 'path'> | undefined }

/** The HTTP answer for a refusal: status, headers and body. */
export function problemAnswer(
  refusal: Refusal,
  asked: Asked,
): { status: number; headers: Record<string, string>; body: ProblemBody } {
  const { code, options } = refusal
  const [status] = refusals[code]
  const headers: Record<string, string> = {
    'content-type': problemMediaType,
    'cache-control': 'no-store',
    ...options.headers,
  }
  if (status === 401) headers['www-authenticate'] = authChallenge(code)
  const retryAfterSeconds = options.retryAfterSeconds ?? (status === 503 ? 2 : null)
  if (retryAfterSeconds !== null) headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfterSeconds)))
  return { status, headers, body: problemBody(refusal, asked) }
}

function problemBody(refusal: Refusal, { requestId, route }: Asked): ProblemBody {
  const { code, options } = refusal
  const [status, title] = refusals[code]
  const isPlainNotFound = code === 'NOT_FOUND' && options.detail === undefined && route && !mayBeForeign(route)
  const detail = isPlainNotFound ? plainNotFound : refusalDetail(refusal)
  return {
    type: `/docs/errors#${code}`,
    title,
    status,
    ...(detail === null ? {} : { detail }),
    code,
    requestId,
    ...(options.errors === undefined ? {} : { errors: options.errors }),
    ...(options.allowed === undefined ? {} : { allowed: options.allowed }),
    ...(options.limit === undefined ? {} : { limit: { ...options.limit, until: options.limit.until.toISOString() } }),
    ...(options.usage === undefined ? {} : { usage: options.usage }),
  }
}

/** The detail where no tenant could have the object: `NOT_FOUND` means also the object of another tenant elsewhere. */
export const plainNotFound = 'There is no such resource.'

/** Whether an id that a route does not find may be one of another tenant. */
function mayBeForeign({ access: { kind }, path }: Pick<Route, 'access' | 'path'>): boolean {
  return kind === 'tenantKey' || kind === 'endUser' || path.includes('/:tenantId/')
}

/** RFC 9110 section 11.6.1 requires a challenge with every 401. Only Bearer is registered; our other schemes have names in the same style. */
function authChallenge(code: RefusalCode): string {
  if (code.startsWith('API_KEY')) return 'ApiKey realm="atrium", header="X-API-Key"'
  if (code.startsWith('ADMIN_KEY')) return 'AdminKey realm="atrium", header="X-Admin-Key"'
  if (code === 'SESSION_INVALID') return 'Session realm="atrium"'
  if (code === 'SIGNATURE_INVALID') return 'Signature realm="atrium"'
  if (code === 'TOKEN_MISSING' || code === 'NODE_TOKEN_MISSING') return 'Bearer realm="atrium"'
  return 'Bearer realm="atrium", error="invalid_token"'
}
