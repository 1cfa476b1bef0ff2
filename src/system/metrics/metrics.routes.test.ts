import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { type Reply, type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { type Exposition, readExposition } from '../../../test/harness/exposition.ts'
import { metricsRegistry } from '../../kernel/metrics.ts'
import { serviceMetrics } from './service.metrics.ts'

let app: TestApp

before(async () => {
  app = await testApp()
})

const ask = (headers: Record<string, string> = {}): Promise<Reply> =>
  app.call({ url: '/metrics', headers: { ...app.admin, ...headers } })

async function scrape(): Promise<Exposition> {
  const reply = await ask()
  assert.equal(reply.status, 200)
  return readExposition(reply.body)
}

/** How much a sample grew over what `work` did. */
async function growth(work: () => Promise<unknown>, asked: [string, Record<string, string>][]): Promise<number[]> {
  const earlier = await scrape()
  await work()
  const later = await scrape()
  return asked.map(([name, labels]) => (later.value(name, labels) ?? 0) - (earlier.value(name, labels) ?? 0))
}

describe('GET /metrics', () => {
  test('is for administrators: nobody else is told what the service does', async () => {
    const user = await app.user(await app.apiKey(await app.tenant()))
    for (const headers of [{}, { 'x-admin-key': 'x'.repeat(40) }, user.headers]) {
      assert.equal((await app.call({ url: '/metrics', headers })).status, 401)
    }
    assert.equal((await ask()).status, 200)
  })

  test('is neither counted against a limit nor refused by one', async () => {
    const limited = await testApp({ rateLimits: { requestsMax: 2, authFailuresMax: 100, windowSeconds: 900 } })
    for (let scrapes = 0; scrapes < 5; scrapes++) {
      const reply = await limited.call({ url: '/metrics', headers: limited.admin })
      assert.deepEqual([reply.status, reply.headers['ratelimit']], [200, undefined])
    }
  })

  test('answers in the format of Prometheus, and in OpenMetrics where that is preferred', async () => {
    assert.equal((await ask()).headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
    // What Prometheus sends.
    const accept = 'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2'
    const open = await ask({ accept })
    assert.equal(open.headers['content-type'], 'application/openmetrics-text; version=1.0.0; charset=utf-8')
    assert.ok(open.body.endsWith('\n# EOF\n'))
    assert.equal((await ask({ accept: 'text/html' })).status, 406)
  })

  test('counts each request once, under its declared path and its status', async () => {
    const id = '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'
    const labels = { method: 'GET', route: '/admin/tenants/:tenantId' }
    const work = async () => {
      for (let calls = 0; calls < 3; calls++) await app.call({ url: `/admin/tenants/${id}`, headers: app.admin })
      await app.call({ url: `/admin/tenants/${id}` })
    }
    const counts = await growth(work, [
      ['http_requests_total', { ...labels, status: '404' }],
      ['http_requests_total', { ...labels, status: '401' }],
      ['http_request_duration_seconds_count', labels],
      ['http_request_duration_seconds_bucket', { ...labels, le: '+Inf' }],
      ['http_refusals_total', { code: 'NOT_FOUND' }],
      ['http_refusals_total', { code: 'ADMIN_KEY_MISSING' }],
      ['http_requests_in_flight', {}],
    ])
    assert.deepEqual(counts, [3, 1, 4, 4, 3, 1, 0])
  })

  test('what leads nowhere is one route, and no address, name or key that a caller made up is ever told', async () => {
    const secret = unique('very-secret')
    const work = async () => {
      await app.call({ url: `/${secret}?key=${secret}`, headers: { 'x-api-key': secret, 'user-agent': secret } })
      await app.call({ url: `/%zz${secret}` })
      await app.call({ method: 'POST', url: `/products/${secret}` })
      await app.call({ method: 'PROPFIND', url: `/${secret}` })
      await app.call({ url: `/products/${secret}` })
      await app.call({ url: '/admin/tenants', headers: { 'x-admin-key': secret } })
    }
    const counts = await growth(work, [
      ['http_requests_total', { method: 'GET', route: 'unknown', status: '404' }],
      ['http_requests_total', { method: 'GET', route: 'unknown', status: '400' }],
      ['http_requests_total', { method: 'POST', route: 'unknown', status: '405' }],
      ['http_requests_total', { method: 'OTHER', route: 'unknown', status: '404' }],
      ['http_requests_total', { method: 'GET', route: '/products/:slug', status: '404' }],
      ['http_refusals_total', { code: 'ADMIN_KEY_INVALID' }],
    ])
    assert.deepEqual(counts, [1, 1, 1, 1, 1, 1])
    assert.ok(!(await ask()).body.includes(secret))
  })

  test('no tenant, user or license is told of, however many there are', async () => {
    const tenant = await app.tenant()
    const key = await app.apiKey(tenant)
    const user = await app.user(key)
    const { key: licenseKey } = await app.license(tenant)
    await app.call({
      method: 'POST',
      url: '/vault/v1/licenses/validate',
      headers: { 'x-api-key': key.key },
      body: { licenseKey },
    })
    const { body } = await ask()
    for (const known of [
      tenant.id,
      tenant.slug,
      key.id,
      key.key,
      user.id,
      user.email,
      licenseKey,
      app.admin['x-admin-key'],
    ]) {
      assert.ok(!body.includes(known), known)
    }
  })

  test('two scrapes never find a counter smaller than it was', async () => {
    const earlier = await scrape()
    await app.user(await app.apiKey(await app.tenant()))
    const later = await scrape()
    for (const { name, labels, value } of earlier.samples) {
      const isCounted = /_total$|_bucket$|_count$|_sum$/.test(name)
      if (isCounted) assert.ok((later.value(name, labels) ?? -1) >= value, `${name} ${JSON.stringify(labels)}`)
    }
  })

  test('tells of the process, the pool and what runs', async () => {
    await scrape()
    const read = await scrape()
    for (const name of [
      'process_resident_memory_bytes',
      'nodejs_heap_used_bytes',
      'process_uptime_seconds',
      'process_open_fds',
    ]) {
      assert.ok((read.value(name) ?? 0) > 0, name)
    }
    const kind = process.env['ATRIUM_TEST_DATABASE'] === 'postgres' ? 'postgres' : 'pglite'
    assert.equal(
      read.value('atrium_build_info', { version: '0.0.0-test', node: process.versions.node, database: kind }),
      1,
    )
    // The scrape itself asks the database several things at once.
    assert.ok((read.value('database_waiting') ?? -1) >= 0)
    // Which of the two states it is in is chance: others may use it just then.
    const connections = ['idle', 'busy'].map((state) => read.value('database_connections', { state }) ?? 0)
    assert.ok(Math.min(...connections) >= 0 && Math.max(...connections) >= 1, String(connections))
    assert.ok((read.value('process_cpu_seconds_total', { mode: 'user' }) ?? 0) > 0)
    assert.equal(read.types.get('nodejs_eventloop_lag_seconds'), 'gauge')
  })
})

test('every metric is explained in the documentation', async () => {
  const docs = readFileSync(new URL('../../../docs/observability.md', import.meta.url), 'utf8')
  const isOfProcess = (name: string) => /^process_|^nodejs_.*_bytes$/.test(name)
  for (const name of (await scrape()).types.keys())
    assert.ok(isOfProcess(name) || docs.includes(`| \`${name}\` |`), name)
})

describe('what the capabilities count', () => {
  test('validations by code, uses by outcome, and of them only what came to be', async () => {
    const tenant = await app.tenant()
    const { key: apiKey } = await app.apiKey(tenant)
    const { key } = await app.license(tenant, { product: 'editing-sdk', plan: 'STARTER', maxUses: 1 })
    const validate = (body: object) =>
      app.call({ method: 'POST', url: '/vault/v1/licenses/validate', headers: { 'x-api-key': apiKey }, body })
    const work = async () => {
      await validate({ key })
      await validate({ key, product: 'editing-sdk', consume: true })
      await validate({ key, product: 'editing-sdk', consume: true })
      await validate({ key, product: unique('made-up'), consume: true })
      await validate({ key: 'nonsense' })
    }
    const uses = (product: string, outcome: string): [string, Record<string, string>] => [
      'license_uses_total',
      { product, outcome },
    ]
    const counts = await growth(work, [
      ['license_validations_total', { code: 'VALID' }],
      ['license_validations_total', { code: 'USES_EXHAUSTED' }],
      ['license_validations_total', { code: 'NOT_FOUND' }],
      uses('editing-sdk', 'TAKEN'),
      uses('editing-sdk', 'USES_EXHAUSTED'),
    ])
    assert.deepEqual(counts, [2, 1, 1, 1, 1])
    assert.ok(!(await ask()).body.includes('made-up'))
  })

  test('a connect is a use taken, a refused one is not, and open sessions are counted', async () => {
    const tenant = await app.tenant()
    const user = await app.user(await app.apiKey(tenant))
    const { key, id } = await app.license(tenant, { plan: 'STARTER', maxUses: 1 })
    const devices = [await app.device(user), await app.device(user)]
    const connect = (deviceId: string) =>
      app.call({
        method: 'POST',
        url: '/vault/v1/vpn/connect',
        headers: user.headers,
        body: { deviceId, licenseKey: key },
      })
    const statuses: number[] = []
    const counts = await growth(async () => {
      for (const device of devices) statuses.push((await connect(device.id)).status)
      app.clock.advance({ seconds: 20 })
    }, [
      ['license_uses_total', { product: 'vault-vpn', outcome: 'TAKEN' }],
      ['license_uses_total', { product: 'vault-vpn', outcome: 'LICENSE_EXHAUSTED' }],
    ])
    assert.deepEqual(
      [statuses, counts],
      [
        [201, 403],
        [1, 1],
      ],
      id,
    )
    assert.ok(((await scrape()).value('vpn_open_sessions') ?? 0) >= 1)
  })

  test('logins by outcome, at either door', async () => {
    const user = await app.user(await app.apiKey(await app.tenant()))
    const login = (url: string, password: string) =>
      app.call({
        method: 'POST',
        url,
        headers: { 'x-api-key': user.headers['x-api-key'] ?? '' },
        body: { email: user.email, password },
      })
    const work = async () => {
      await login('/vault/v1/auth/login', user.password)
      await login('/v1/auth/login', user.password)
      await login('/v1/auth/login', 'not the password')
    }
    const counts = await growth(work, [
      ['logins_total', { outcome: 'OK' }],
      ['logins_total', { outcome: 'INVALID_CREDENTIALS' }],
    ])
    assert.deepEqual(counts, [2, 1])
  })

  test('jobs by kind and state, asked of the queue no oftener than every ten seconds', async () => {
    const metrics = metricsRegistry()
    let asked = 0
    serviceMetrics({
      metrics,
      clock: app.clock,
      version: '1',
      database: { kind: 'pglite', stats: () => ({ total: 1, idle: 1, waiting: 0 }) },
      queueDepths: async () => [{ kind: 'identity.mail.deliver', ready: ++asked, scheduled: 0, active: 0, dead: 3 }],
    })
    const depth = async () =>
      readExposition(await metrics.text('prometheus')).value('jobs', {
        kind: 'identity.mail.deliver',
        state: 'ready',
      })
    assert.deepEqual([await depth(), await depth()], [1, 1])
    app.clock.advance({ seconds: 10 })
    assert.equal(await depth(), 2)
  })
})
