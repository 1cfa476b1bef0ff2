import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import {
  type TestApp,
  type TestTenant,
  type TestUser,
  testApp,
  testSecrets,
  unique,
} from '../../../test/harness/app.ts'
import { freshDatabase } from '../../../test/harness/database.ts'
import { effectsOver } from '../../../test/harness/inbound-effects.ts'
import { jsonPayload } from '../../../test/harness/payloads.ts'
import { receivers } from '../../../test/harness/receiver.ts'
import { rowsWith } from '../../../test/harness/tables.ts'
import { erase, exportTenant, readTenantFile } from '../../../test/harness/tenant-files.ts'
import { webhookCalls } from '../../../test/harness/webhooks.ts'
import { runOnce, sealedAnswers } from '../../http/idempotency.ts'
import type { Database } from '../../storage/database.ts'
import { many, run, sql } from '../../storage/query.ts'
import { transaction } from '../../storage/scope.ts'
import { meterNames } from '../../usage/meters/meter.rules.ts'

// Every text and id that a tenant's file shows, or that an answer gave it, is looked for in every table after the erasure.

let app: TestApp
let database: Database
const { listen, close } = receivers()

before(async () => {
  // Of its own, because every row of every table is read.
  database = await freshDatabase()
  app = await testApp({ database })
})
after(async () => {
  await close()
  await database.close()
})

type Busy = { tenant: TestTenant; user: TestUser; repeat: () => Promise<{ status: number; body: { code?: string } }> }

/** A tenant that has used every product, with an `Idempotency-Key` wherever one is taken. */
async function busyTenant(): Promise<Busy> {
  const mark = unique('canary')
  const post = async (url: string, headers: Record<string, string>, body: unknown) => {
    const reply = await app.call({
      method: 'POST',
      url,
      headers: { ...headers, 'idempotency-key': `${mark} ${url}` },
      body,
    })
    assert.ok(reply.status < 300, `${url}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  const contactEmail = `${mark}@example.com`
  const whitelabelConfig = { displayName: `${mark} white` }
  const { tenant } = await post('/admin/tenants', app.admin, { name: mark, slug: mark, contactEmail, whitelabelConfig })
  const products = ['vault-vpn', 'assistant-ai', 'editing-sdk']
  const { apiKey } = await post(`/admin/tenants/${tenant.id}/api-keys`, app.admin, { name: `${mark} key`, products })
  const account = { email: `${mark}-user@example.com`, password: 'plum-Kayak-73-otter', name: `${mark} person` }
  const registered = await post('/v1/auth/register', { 'x-api-key': apiKey.key }, account)
  const headers = { 'x-api-key': apiKey.key, authorization: `Bearer ${registered.accessToken}` }
  const user: TestUser = { ...registered, ...account, id: registered.user.id, tenantId: tenant.id, headers }
  const licenseBody = { tenantId: tenant.id, product: 'editing-sdk', plan: 'STARTER', label: `${mark} label` }
  const { license } = await post('/vault/v1/licenses', app.admin, licenseBody)
  await post('/vault/v1/licenses/validate', headers, { licenseKey: license.key, consume: true })
  await useProducts({ mark, tenant, user, post })
  const url = '/v1/auth/register'
  const again = { method: 'POST', url, headers: { 'x-api-key': apiKey.key, 'idempotency-key': `${mark} ${url}` } }
  return { tenant, user, repeat: () => app.call({ ...again, body: account }) }
}

type Using = {
  mark: string
  tenant: TestTenant
  user: TestUser
  // biome-ignore lint/suspicious/noExplicitAny: an assertion on a wrong path fails the test, which is its purpose
  post: (url: string, headers: Record<string, string>, body: unknown) => Promise<any>
}

async function useProducts({ mark, tenant, user, post }: Using): Promise<void> {
  const { device } = await post('/vault/v1/devices', user.headers, {
    deviceName: `${mark} device`,
    deviceType: 'LINUX',
  })
  await post('/vault/v1/vpn/connect', user.headers, { deviceId: device.id })
  const meeting = await post('/assistant/v1/meetings', user.headers, { title: `${mark} meeting` })
  const entries = [{ speaker: `${mark} speaker`, text: `${mark} said`, timestamp: '00:00:01' }]
  await post(`/assistant/v1/meetings/${meeting.id}/transcript`, user.headers, { entries })
  await app.call({ url: `/assistant/v1/meetings/${meeting.id}/summary`, headers: user.headers })
  await run(app.platform, sql`update users set email_verified = true where id = ${user.id}`)
  const { org } = await post('/assistant/v1/orgs', user.headers, { name: `${mark} org` })
  const invitation = { email: `${mark}-guest@example.com`, role: 'member' }
  await post(`/assistant/v1/orgs/${org.id}/invitations`, user.headers, invitation)
  await post(`/assistant/v1/orgs/${org.id}/tasks`, user.headers, { title: `${mark} task`, labels: [`${mark} label`] })
  const { url } = await listen((_request, response) => void response.writeHead(500).end(`${mark} answered`))
  const admin = `/admin/tenants/${tenant.id}/webhooks`
  const { endpoint } = await post(`${admin}/endpoints`, app.admin, {
    url: `${url}/${mark}`,
    description: `${mark} hook`,
  })
  await post(`${admin}/endpoints/${endpoint.id}/test`, app.admin, {})
  await receiveDeliveries({ mark, tenant, user, post })
  await post('/v1/auth/password/forgot', user.headers, { email: user.email })
  await app.call({
    method: 'POST',
    url: '/v1/auth/login',
    headers: user.headers,
    body: { email: user.email, password: 'wrong-otter-73' },
  })
  await webhookCalls(app).settled()
  await app.app.flush()
}

async function receiveDeliveries({ mark, tenant, user, post }: Using): Promise<void> {
  const wanted = { scheme: 'github', name: `${mark} connection`, settings: { login: `${mark}-bot` } }
  const { connection, secret } = await post(`/admin/tenants/${tenant.id}/webhooks/connections`, app.admin, wanted)
  const payload = { ...jsonPayload('github-issues'), note: mark }
  const body = JSON.stringify({ ...payload, issue: { ...payload.issue, title: `${mark} issue` } })
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const reply = await app.call({
    method: 'POST',
    url: connection.path,
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'issues',
      'x-github-delivery': mark,
      'x-hub-signature-256': `sha256=${signature}`,
    },
    body,
  })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  const effects = effectsOver(app)
  const mail = { ...jsonPayload('postmark-inbound'), TextBody: `${mark} mail`, Subject: `${mark} subject` }
  await effects.process(tenant, { scheme: 'postmark', channel: 'email', payload: mail })
  const mention = jsonPayload('slack-app-mention')
  mention.event.text = `What about ${mark}?`
  const settings = { userId: user.id, workspace: mention.team_id }
  await effects.process(tenant, { scheme: 'slack', channel: 'chat', payload: mention, settings })
}

/** The stored answers that can still be opened. */
async function openAnswers(): Promise<string[]> {
  const rows = await many(
    app.platform,
    sql<{
      id: Buffer
      sealed: Buffer
    }>`select id, answer_sealed as sealed from idempotency_keys where answer_sealed is not null`,
  )
  return rows.map(({ id, sealed }) => testSecrets.open(sealed, sealedAnswers.context([id.toString('hex')])))
}

/** All texts and ids of the tenant's file. */
async function wordsOf({ tenant }: Busy): Promise<Set<string>> {
  const { head, rows } = readTenantFile((await exportTenant(app, tenant.id)).bytes)
  const words = new Set<string>()
  const collect = (value: unknown): void => {
    // Two tenants may have the same days, times and meters.
    const isShared = (text: string) => /^\d{4}-\d\d-\d\d/.test(text) || meterNames.some((name) => name === text)
    if (typeof value === 'string' && value.length >= 8 && !isShared(value)) words.add(value)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect)
  }
  for (const { row } of rows) collect(row)
  collect(head.tenant)
  return words
}

const tableOf = (row: string) => row.slice(0, row.indexOf(' '))
const holding = (words: Iterable<string>, rows: string[]) =>
  rows.filter((row) => [...words].some((word) => row.includes(word)))

/** By contract (docs/tenants.md): what was done by which id stays provable, and the nodes are told of removed peers. */
const mayHoldIds = ['public.audit_log', 'public.tenants', 'public.row_count_changes', 'public.row_counts']
const mayHoldKeys = ['public.vpn_removed_peers']

test('after the erasure of a tenant no table and no stored answer has a text or an id of it', async () => {
  const [ours, theirs] = [await busyTenant(), await busyTenant()]
  const common = await wordsOf(theirs)
  const words = new Set([...(await wordsOf(ours))].filter((word) => !common.has(word)))
  assert.ok(words.size > 60, `${words.size} words`)
  assert.ok(holding(words, await openAnswers()).length >= 10, 'there are answers to forget')
  assert.ok((await filledTables(ours)).length >= 32, 'nearly every table has rows to erase')

  const body = { status: 'SUSPENDED' }
  await app.call({ method: 'PATCH', url: `/admin/tenants/${ours.tenant.id}`, headers: app.admin, body })
  assert.equal((await erase(app, ours.tenant)).status, 200)

  assert.deepEqual(holding(words, await openAnswers()), [])
  const isId = (word: string) => /^[0-9a-f]{8}-[0-9a-f]{4}-/.test(word)
  for (const row of await rowsWith(app.platform, ...words)) {
    const table = tableOf(row)
    const left = [...words].filter((word) => row.includes(word))
    const isExpected = (word: string) =>
      (mayHoldIds.includes(table) && isId(word)) || (mayHoldKeys.includes(table) && /^[\w+/]{43}=$/.test(word))
    assert.deepEqual(
      left.filter((word) => !isExpected(word)),
      [],
      `${table}: ${row.slice(0, 300)}`,
    )
  }
  assert.ok(holding(common, await openAnswers()).length >= 10, 'those of the other tenant remain')
  assert.equal((await theirs.repeat()).status, 201)
})

test('a request that is repeated after the erasure is not executed again', async () => {
  const slug = unique('again')
  const request = {
    method: 'POST',
    url: '/admin/tenants',
    headers: { ...app.admin, 'idempotency-key': slug },
    body: { name: 'Again', slug, contactEmail: 'ops@example.com' },
  }
  const { tenant } = (await app.call(request)).body
  assert.equal((await app.call(request)).headers['idempotent-replayed'], 'true')
  await app.call({ method: 'DELETE', url: `/admin/tenants/${tenant.id}?confirm=${slug}`, headers: app.admin })
  assert.equal((await erase(app, tenant)).status, 200)
  const repeated = await app.call(request)
  assert.deepEqual([repeated.status, repeated.body.code], [404, 'NOT_FOUND'])
  const found = await app.call({ url: `/admin/tenants?q=${slug}`, headers: app.admin })
  assert.equal(found.body.pagination.total, 0)
})

async function filledTables({ tenant }: Busy): Promise<string[]> {
  const filled: string[] = []
  for (const { name } of app.app.tenantTables) {
    const rows = await many(app.platform, sql`select 1 from ${sql.raw(name)} where tenant_id = ${tenant.id} limit 1`)
    if (rows.length > 0) filled.push(name)
  }
  return filled
}

describe('an answer for repeats that is stored during the erasure', () => {
  const isEmbedded = process.env['ATRIUM_TEST_DATABASE'] !== 'postgres'

  /** A suspended tenant, and a request of it with a key. */
  async function suspended() {
    const tenant = await app.tenant()
    const body = { status: 'SUSPENDED' }
    await app.call({ method: 'PATCH', url: `/admin/tenants/${tenant.id}`, headers: app.admin, body })
    const now = app.clock.now()
    const request = { key: unique('key'), scope: 'test', tenantId: tenant.id, fingerprint: Buffer.alloc(32), now }
    const isLeft = async () => holding([tenant.slug], await openAnswers()).length > 0
    const gate = Promise.withResolvers<void>()
    // Outside the transaction in which it is begun.
    const erased = gate.promise.then(() => erase(app, tenant))
    const beginErasure = () => {
      gate.resolve()
      return erased
    }
    return { beginErasure, request, isLeft, answer: { status: 201, body: { slug: tenant.slug } } }
  }

  test('is not kept where its request began before and ends after it', async () => {
    const { beginErasure, request, isLeft, answer } = await suspended()
    // The embedded database runs one transaction at a time.
    if (isEmbedded) assert.equal((await beginErasure()).status, 200)
    const once = (work: () => Promise<typeof answer>) =>
      runOnce({ platform: app.platform, request, secrets: testSecrets, work })
    await once(async () => {
      assert.equal((await beginErasure()).status, 200)
      return answer
    })
    assert.equal(await isLeft(), false)
    await assert.rejects(
      once(async () => assert.fail('done again')),
      { code: 'NOT_FOUND' },
    )
  })

  test('is erased where it is stored before and its request ends after it', {
    skip: isEmbedded && 'PGlite has one connection',
  }, async () => {
    const { beginErasure, request, isLeft, answer } = await suspended()
    const waiting = sql`select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
    let isErased = false
    await transaction(app.platform, async (tx) => {
      await runOnce({ platform: tx, request, secrets: testSecrets, work: async () => answer })
      void beginErasure().then(() => {
        isErased = true
      })
      while (!isErased && (await many(tx, waiting)).length === 0) await setImmediate()
    })
    assert.equal((await beginErasure()).status, 200)
    assert.equal(await isLeft(), false)
  })
})
