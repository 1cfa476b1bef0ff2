import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Adapters } from '../../src/adapters.ts'
import { type App, createApp } from '../../src/app.ts'
import { memoryRateCounter } from '../../src/http/limits/rate-limit.ts'
import { routeRefusals } from '../../src/http/openapi/responses.ts'
import { pathPattern, type Route } from '../../src/http/route.ts'
import { systemCaller } from '../../src/kernel/caller.ts'
import type { RefusalCode } from '../../src/kernel/refusal.ts'
import { openLog } from '../../src/log.ts'
import type { Blobs } from '../../src/storage/blobs/blobs.ts'
import { diskBlobs } from '../../src/storage/blobs/disk.ts'
import { memoryFanOut } from '../../src/storage/fan-out.ts'
import { mintTenantScope } from '../../src/storage/mint.ts'
import type { PlatformScope, TenantScope } from '../../src/storage/scope.ts'
import { createSecrets } from '../../src/storage/secrets.ts'
import { type TestClock, testClock } from './clock.ts'
import { testDatabase } from './database.ts'
import { folderOfProcess } from './service.ts'
import { notePublic, noteSecret, watchExchange, watchLog } from './suite-secrets.ts'

/** Credentials of the one test installation; a database is bound to its master key. */
export const testSecrets = createSecrets(Buffer.alloc(32, 7))
const testAdminKey = `atradmin_${randomBytes(24).toString('base64url')}`

export type Call = { method?: string; url: string; headers?: Record<string, string>; body?: unknown }
// Bodies are what JSON gave: tests read into them and assert what they find.
// biome-ignore lint/suspicious/noExplicitAny: an assertion on a wrong path fails the test, which is its purpose
export type Reply = { status: number; headers: Record<string, string | undefined>; body: any; bytes: Buffer }

export type TestTenant = { id: string; slug: string }
export type TestKey = { id: string; key: string; tenantId: string }
export type TestUser = {
  id: string
  tenantId: string
  email: string
  password: string
  accessToken: string
  refreshToken: string
  headers: Record<string, string>
}

export type TestApp = {
  clock: TestClock
  admin: Record<string, string>
  platform: PlatformScope
  routes: Route[]
  app: App
  /** One request to the whole app; asserts that the API reference knows the answer. Sends an object as JSON, a string or Buffer as it is. */
  call(call: Call): Promise<Reply>
  tenant(overrides?: Record<string, unknown>): Promise<TestTenant>
  apiKey(tenant: { id: string }, overrides?: Record<string, unknown>): Promise<TestKey>
  user(apiKey: TestKey, overrides?: Record<string, unknown>): Promise<TestUser>
  /** Makes a user an administrator of the tenant. */
  promote(user: { id: string }): Promise<void>
  license(tenant: { id: string }, overrides?: Record<string, unknown>): Promise<{ id: string; key: string }>
  device(
    user: TestUser,
    overrides?: Record<string, unknown>,
  ): Promise<{ id: string; assignedIp: string; config: string }>
  scopeOf(tenantId: string): TenantScope
  /** Waits until the jobs that were enqueued so far have run. */
  settled(): Promise<void>
}

/**
 * Writes as the service does. Faults are shown to whoever runs the tests, as is why the database did not answer, and nothing may
 * tell a secret.
 */
const watchedLog = openLog('info', {
  write: (line) => {
    watchLog(line)
    const isOutage = line.includes('refused as unavailable') && !line.includes('"name":"Refusal"')
    if (isOutage || line.includes('"level":"error"')) process.stderr.write(line)
  },
})

/** An installation in which anybody may become a user of the built-in tenant. */
export const openRegistration = (): Pick<Adapters, 'tenants'> => ({
  tenants: { defaultLimits: testLimits, isPlatformRegistrationOpen: true },
})

/** The least that argon2id takes. With the cost of the service, the passwords of the suite took a thirtieth of its time. */
export const testPasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }

/** Of tenants without limits of their own. */
export const testLimits = {
  maxUsers: 10_000,
  maxApiKeys: 1000,
  maxDevices: 20_000,
  maxDevicesPerUser: 2000,
  maxActiveSessions: 30_000,
  maxMeetings: 40_000,
  maxOrgs: 500,
  maxOrgMembers: 600,
  maxTasks: 200_000,
  maxDocuments: 50_000,
  maxStorageBytes: 50_000_000_000,
  maxIntegrations: 10_000,
  maxLiveBots: 20_000,
  maxMailsPerDay: 5000,
}

const generousLimits = { requestsMax: 1_000_000, authFailuresMax: 1_000_000, windowSeconds: 900 }

type Overrides = Partial<Adapters> & { clock?: TestClock }

let lastMade: Promise<unknown> = Promise.resolve()

/** `release` frees the memory of one that nobody uses again, although variables of its file still hold it. */
type MadeApp = { app: TestApp; isReusable(): boolean; release(): void }

/** Those of the test file that runs, and those of earlier files that the next one may take. */
const runningApps: MadeApp[] = []
const usedApps: MadeApp[] = []

/**
 * The whole application over this process's test database, with a clock of its own. Other tests share the tables: make a tenant of
 * your own. Without `overrides` it may be one that an earlier file has used: to make one takes 0.2 s of a processor and 10 MB.
 */
export async function testApp(overrides?: Overrides): Promise<TestApp> {
  const used = overrides === undefined ? usedApps.pop() : undefined
  used?.app.clock.restart()
  const running = used ?? (await makeNext(overrides))
  runningApps.push(running)
  return running.app
}

/** One after another: files that prepare in the same moment would make so many at once that their statements time out. */
function makeNext(overrides: Overrides | undefined): Promise<MadeApp> {
  const made = lastMade.then(() => makeApp(overrides))
  lastMade = made.catch(() => undefined)
  return made
}

/** A test file has ended. */
export function endApps(): void {
  for (const ended of runningApps.splice(0)) {
    if (ended.isReusable()) usedApps.push(ended)
    else ended.release()
  }
}

async function makeApp(given: Overrides | undefined): Promise<MadeApp> {
  const overrides = given ?? {}
  const database = overrides.database ?? (await testDatabase())
  const clock = overrides.clock ?? testClock()
  const app = createApp({
    version: '0.0.0-test',
    settingReport: { settings: [], warnings: [] },
    database,
    secrets: testSecrets,
    adminKey: testAdminKey,
    clock,
    log: watchedLog,
    requestLog: { slowMs: Number.POSITIVE_INFINITY, sampleOneOf: 1 },
    rateCounter: memoryRateCounter(overrides.rateLimits?.windowSeconds ?? generousLimits.windowSeconds),
    rateLimits: generousLimits,
    publicCache: { maxAgeSeconds: 0, cacheBytesMax: 16 * 1024 * 1024 },
    fanOut: memoryFanOut(),
    blobs: await testBlobs(),
    trustedProxies: [],
    pageOrigins: [],
    door: { isInsecureAllowed: false },
    tenants: { defaultLimits: testLimits, isPlatformRegistrationOpen: false },
    passwordCost: testPasswordCost,
    builtInServer: testServer,
    mail: { smtp: null, publicUrl: null },
    auditRetentionDays: 365,
    analyticsRetentionDays: 90,
    google: { clientIds: [], jwksUrl: 'http://127.0.0.1:9/nowhere' },
    languageModel: null,
    embeddings: null,
    usageDefaultPlan: null,
    meetingHosts: new Map(),
    botVendorEndpoints: new Map(),
    webhooks: { allowPrivate: true },
    integrations: { apps: new Map(), endpoints: new Map(), publicUrl: null },
    ...overrides,
  })
  await prepared(app)
  await app.server.ready()
  noteSecret({ text: testAdminKey, what: 'the admin key', issuedBy: 'the environment' })
  noteReference(app)
  let kept: { app: App; call: TestApp['call'] } | null = { app, call: createCaller(app) }
  const parts = () => {
    if (kept === null) throw new Error('The test file of this app has ended.')
    return kept
  }
  let isReusable = given === undefined
  const call: TestApp['call'] = async (request) => parts().call(request)
  const made: TestApp = {
    clock,
    admin: { 'x-admin-key': testAdminKey },
    platform: app.platform,
    routes: app.routes,
    get app() {
      // A test may stop what it asks for.
      isReusable = false
      return parts().app
    },
    call,
    ...createBuilders(call),
    settled: async () => void (await parts().app.jobs.runDue()),
    scopeOf: (tenantId) => mintTenantScope(database.handle, tenantId, systemCaller),
  }
  const release = () => {
    kept = null
    made.routes = []
  }
  return { app: made, isReusable: () => isReusable, release }
}

const preparationsMax = 5

/** Files that make databases hold the event loop for longer than a statement of another waits: what a start does is done again. */
async function prepared(app: App): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await app.prepare()
    } catch (error) {
      if (tried === preparationsMax) throw error
    }
  }
}

let hasNotedReference = false

/** Once a process: it is the same of every app, and large. */
function noteReference(app: App): void {
  if (!hasNotedReference) for (const document of [app.openApi(), app.asyncApi()]) notePublic(document)
  hasNotedReference = true
}

let sharedBlobs: Promise<Blobs> | null = null

/** The one store of this process, beside its one database. */
export function testBlobs(): Promise<Blobs> {
  sharedBlobs ??= folderOfProcess().then(diskBlobs)
  return sharedBlobs
}

const testServer = {
  name: 'built-in',
  region: 'local',
  publicIp: '203.0.113.10',
  endpointHost: 'vpn.example.com',
  endpointPort: 51820,
  // Without one it would be an example, and devices that name no region would be placed on servers of other tests.
  publicKey: 'XtFw2gkugIemROhtWDcpvJKwjs8WjfcY1n95NN4g30I=',
  subnet4: '10.64.0.0/16',
  subnet6: 'fd42:a7:1::/64',
  dns: ['10.64.0.1', 'fd42:a7:1::1'],
  mtu: 1420,
  capacity: 60_000,
}

function createCaller(app: App): TestApp['call'] {
  const documented = documentedAnswers([...app.doorRoutes, ...app.routes])
  return async ({ method = 'GET', url, headers = {}, body }) => {
    const isJson = body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body)
    const reply = await app.server.inject({
      method: method as 'GET',
      url,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { payload: isJson ? JSON.stringify(body) : (body as string) }),
    })
    const type = String(reply.headers['content-type'] ?? '')
    const parsed = type.includes('json') && reply.payload !== '' ? JSON.parse(reply.payload) : reply.payload
    const route = documented(method, url, reply.statusCode, parsed)
    watchExchange({
      route,
      request: { headers, body },
      reply: { status: reply.statusCode, headers: reply.headers, body: parsed },
    })
    return {
      status: reply.statusCode,
      headers: reply.headers as Record<string, string | undefined>,
      body: parsed,
      bytes: reply.rawPayload,
    }
  }
}

// The same of every app of this process.
const patterns = new Map<string, RegExp>()

function matches(route: Route, path: string): boolean {
  let pattern = patterns.get(route.path)
  if (pattern === undefined) {
    pattern = pathPattern(route)
    patterns.set(route.path, pattern)
  }
  return pattern.test(path)
}

/** Fails a test whose answer the API reference does not list for the route. */
function documentedAnswers(routes: Route[]) {
  // A path without parameters is matched before one with: `/validate` is no license key.
  const fixed = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]))
  const named: Map<string, Route[]> = Map.groupBy(
    routes.filter(({ path }) => path.includes(':')),
    ({ method }) => method,
  )
  return (method: string, url: string, status: number, body: { code?: string } | undefined): Route | undefined => {
    const path = url.split('?')[0] ?? ''
    const route = fixed.get(`${method} ${path}`) ?? named.get(method)?.find((it) => matches(it, path))
    const isSlashRedirect = status === 308 && path.endsWith('/')
    // Refused before there is a route.
    const isUnknownMethod = status === 405
    if (route === undefined || isSlashRedirect || isUnknownMethod) return undefined
    if (status < 400 || Object.hasOwn(route.answers, status)) {
      assert.ok(
        Object.hasOwn(route.answers, status) || status === 304,
        `${method} ${route.path} answered ${status}, which the API reference does not list`,
      )
      return route
    }
    assert.ok(
      routeRefusals(route).includes(body?.code as RefusalCode),
      `${method} ${route.path} refused with ${status} ${body?.code}, which the API reference does not list`,
    )
    return route
  }
}

function createBuilders(call: TestApp['call']) {
  const admin = { 'x-admin-key': testAdminKey }
  const made = async (request: Call, status = 201): Promise<Reply> => {
    const reply = await call({ method: 'POST', ...request })
    assert.equal(reply.status, status, `${request.url}: ${JSON.stringify(reply.body)}`)
    return reply
  }
  const tenant: TestApp['tenant'] = async (overrides = {}) => {
    const slug = unique('t')
    const { body } = await made({
      url: '/admin/tenants',
      headers: admin,
      body: { name: 'Example Ltd', slug, contactEmail: `ops@${slug}.example.com`, ...overrides },
    })
    return body.tenant
  }
  const apiKey: TestApp['apiKey'] = async ({ id }, overrides = {}) => {
    const body = { name: 'app', products: ['vault-vpn', 'assistant-ai', 'editing-sdk'], ...overrides }
    const reply = await made({ url: `/admin/tenants/${id}/api-keys`, headers: admin, body })
    return { ...reply.body.apiKey, tenantId: id }
  }
  const user: TestApp['user'] = async ({ key, tenantId }, overrides = {}) => {
    const account = { email: `${unique('u')}@example.com`, password: 'plum-Kayak-73-otter', ...overrides }
    const { body } = await made({ url: '/vault/v1/auth/register', headers: { 'x-api-key': key }, body: account })
    const headers = { 'x-api-key': key, authorization: `Bearer ${body.accessToken}` }
    return {
      id: body.user.id,
      tenantId,
      ...account,
      accessToken: body.accessToken,
      refreshToken: body.refreshToken,
      headers,
    }
  }
  const promote: TestApp['promote'] = async ({ id }) => {
    await made({ method: 'PATCH', url: `/admin/users/${id}`, headers: admin, body: { role: 'ADMIN' } }, 200)
  }
  const license: TestApp['license'] = async ({ id }, overrides = {}) => {
    const body = { tenantId: id, product: 'vault-vpn', plan: 'PRO', ...overrides }
    return (await made({ url: '/vault/v1/licenses', headers: admin, body })).body.license
  }
  const device: TestApp['device'] = async ({ headers }, overrides = {}) => {
    const body = { deviceName: 'laptop', deviceType: 'LINUX', ...overrides }
    const reply = await made({ url: '/vault/v1/devices', headers, body })
    return { ...reply.body.device, config: reply.body.config }
  }
  return { tenant, apiKey, user, promote, license, device }
}

/** A name no other test has. */
export function unique(prefix: string): string {
  return `${prefix}-${randomBytes(6).toString('hex')}`
}
