// A server over a few routes of its own, for tests of the floor.
import { after, before } from 'node:test'
import { admin, endUser, node, open, tenantKey } from '../../src/http/access/access.ts'
import type { Authenticator, UserCaller } from '../../src/http/access/callers.ts'
import { created, noContent, ok } from '../../src/http/answer.ts'
import { memoryRateCounter } from '../../src/http/limits/rate-limit.ts'
import { loopWatch } from '../../src/http/loop-watch.ts'
import { route } from '../../src/http/route.ts'
import { createServer } from '../../src/http/server.ts'
import type { ServerDeps } from '../../src/http/server-deps.ts'
import { newId } from '../../src/kernel/ids.ts'
import { metricsRegistry } from '../../src/kernel/metrics.ts'
import { Refusal } from '../../src/kernel/refusal.ts'
import { StrictObject } from '../../src/kernel/schemas.ts'
import { Type } from '../../src/kernel/type.ts'
import { run, sql } from '../../src/storage/query.ts'
import { createSecrets } from '../../src/storage/secrets.ts'
import { testClock } from './clock.ts'
import { testDatabase } from './database.ts'

export const floorTenantId = newId(new Date())

const floorUser: UserCaller = {
  id: newId(new Date()),
  sessionId: newId(new Date()),
  email: 'a@example.com',
  role: 'USER',
  isUserSuspended: false,
  tenantProducts: [],
  tenantId: floorTenantId,
  isTenantSuspended: false,
  requestsPerWindow: null,
}

const authenticator: Authenticator = {
  browserSession: async () => null,
  adminKey: async (text) => {
    if (text !== 'right' && text !== 'guessable') return null
    return { id: null, label: 'admin key', role: 'VIEWER', ...(text === 'guessable' ? { isGuessable: true } : {}) }
  },
  apiKey: async (text) =>
    text.startsWith('key-')
      ? {
          id: text,
          name: text,
          tenantId: floorTenantId,
          products: ['vault-vpn'],
          expiresAt: null,
          isTenantSuspended: text === 'key-suspended',
          requestsPerWindow: text === 'key-limited' ? 3 : null,
        }
      : null,
  accessToken: async (text) => {
    if (text === 'expired') return { expiredUserId: floorUser.id }
    return text === 'good' ? floorUser : null
  },
  nodeToken: async (text) =>
    text === 'node' ? { serverId: floorUser.id, serverName: 'node', tokenHash: Buffer.alloc(32) } : null,
  enrollmentToken: async () => null,
  runnerToken: async () => null,
  runnerEnrollmentToken: async () => null,
  runnerRequestsPerSecond: 20,
  noteWrongAdminKey: async () => undefined,
  nodeRequestsPerSecond: 20,
  builtInTenant: async () => ({ tenantId: floorTenantId, isTenantSuspended: false, requestsPerWindow: null }),
}

/** How often the handler that makes things has run. */
export const made = { calls: 0 }
const tag = 'Utility'
const Named = StrictObject({ name: Type.String({ maxLength: 200, examples: ['a'] }) })

export const floorRoutes = [
  route({
    method: 'GET',
    path: '/open',
    name: 'open',
    tag,
    summary: 's',
    access: open('test'),
    answers: { 200: Named },
    handle: async () => ok({ name: 'open', secret: 'never' }),
  }),
  route({
    method: 'GET',
    path: '/admin',
    name: 'admin',
    tag,
    summary: 's',
    access: admin('VIEWER'),
    answers: { 204: null },
    handle: async () => noContent(),
  }),
  route({
    method: 'GET',
    path: '/uncounted',
    name: 'uncounted',
    tag,
    summary: 's',
    access: admin('VIEWER'),
    limit: 'none',
    answers: { 204: null },
    handle: async () => noContent(),
  }),
  route({
    method: 'DELETE',
    path: '/admin',
    name: 'own',
    tag,
    summary: 's',
    access: admin('OWNER'),
    answers: { 204: null },
    handle: async () => noContent(),
  }),
  route({
    method: 'GET',
    path: '/mine',
    name: 'mine',
    tag,
    summary: 's',
    access: endUser(),
    answers: { 204: null },
    handle: async () => noContent(),
  }),
  route({
    method: 'GET',
    path: '/node',
    name: 'node',
    tag,
    summary: 's',
    access: node(),
    answers: { 204: null },
    handle: async () => noContent(),
  }),
  route({
    method: 'GET',
    path: '/keyed',
    name: 'keyed',
    tag,
    summary: 's',
    access: tenantKey('vault-vpn'),
    answers: { 204: null },
    handle: async () => noContent(),
  }),
  route({
    method: 'GET',
    path: '/broken',
    name: 'broken',
    tag,
    summary: 's',
    access: open('test'),
    answers: { 204: null },
    handle: async () => {
      throw new Error('the password is hunter2')
    },
  }),
  route({
    method: 'POST',
    path: '/things',
    name: 'makeThing',
    tag,
    summary: 's',
    access: tenantKey(),
    idempotent: true,
    body: Named,
    answers: { 201: Named },
    refusals: ['STATE_CONFLICT', 'LOGIN_THROTTLED'],
    handle: async ({ scope, body }) => {
      made.calls++
      await run(
        scope,
        sql`insert into login_failures (tenant_id, email_hash, failures, blocked_until) values (${floorTenantId}, ${Buffer.from(body.name)}, 1, '2026-01-01')`,
      )
      if (body.name.startsWith('refused')) throw new Refusal('STATE_CONFLICT', { detail: `no ${made.calls}` })
      if (body.name.startsWith('throttled')) throw new Refusal('LOGIN_THROTTLED', { retryAfterSeconds: 5 })
      return created('/things/1', body)
    },
  }),
]

export const floorClock = testClock()
export let parts: ServerDeps

before(async () => {
  const { handle } = await testDatabase()
  parts = {
    routes: floorRoutes,
    authenticator,
    handle,
    secrets: createSecrets(Buffer.alloc(32, 7)),
    clock: floorClock,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    requestLog: { slowMs: 1000, sampleOneOf: 0 },
    metrics: metricsRegistry(),
    rateCounter: memoryRateCounter(900),
    rateLimits: { requestsMax: 1000, authFailuresMax: 100, windowSeconds: 900 },
    publicCache: { maxAgeSeconds: 0, cacheBytesMax: 1_000_000 },
    publicRevision: { current: () => 0 },
    loop: loopWatch({ metrics: metricsRegistry(), log: { warn: () => undefined } }),
    trustedProxies: [],
    pageOrigins: [],
    door: { isInsecureAllowed: false },
  }
  await handle.execute(
    sql`insert into tenants (id, name, slug, contact_email, status, created_at, updated_at) values (${floorTenantId}, 'floor', ${floorTenantId}, 'a@example.com', 'ACTIVE', now(), now())`,
  )
})

/** Closed at the end of the tests. */
export function serverWith(overrides: Partial<ServerDeps> = {}) {
  const server = createServer({
    ...parts,
    metrics: metricsRegistry(),
    rateCounter: memoryRateCounter(900),
    ...overrides,
  })
  after(() => server.close())
  return server
}
