import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../../test/harness/app.ts'

const address = '/vault/v1/licenses'

async function setup() {
  const app = await testApp()
  const tenant = await app.tenant()
  const send = (method: string, path: string, body?: unknown) =>
    app.call({ method, url: `${address}${path}`, headers: app.admin, ...(body === undefined ? {} : { body }) })
  const create = (body: object) =>
    send('POST', '', { tenantId: tenant.id, product: 'vault-vpn', plan: 'STARTER', ...body })
  const inMs = (ms: number) => new Date(app.clock.now().getTime() + ms).toISOString()
  return { app, tenant, send, create, inMs }
}

test('status filters agree with the answers before, at and after expiresAt', async () => {
  const { app, tenant, create, send, inMs } = await setup()
  await create({ plan: 'PRO' })
  await create({ plan: 'TRIAL', expiresAt: inMs(2) })
  await create({ product: 'editing-sdk', expiresAt: inMs(2) })
  const { key } = (await create({ product: 'editing-sdk', expiresAt: inMs(2) })).body.license
  await send('POST', `/${key}/revoke`)
  await app.license(await app.tenant())
  type Shown = { product: string; plan: string; status: string; tenantId: string }
  const list = async (query: string): Promise<Shown[]> => {
    const { body } = await send('GET', `?limit=100&tenantId=${tenant.id}${query}`)
    assert.equal(body.pagination.total, body.licenses.length)
    return body.licenses
  }
  const counts: number[][] = []
  for (let ms = 0; ms < 4; ms++) {
    const all = await list('')
    assert.equal(all.length, 4)
    assert.ok(all.every(({ tenantId }) => tenantId === tenant.id))
    for (const product of ['vault-vpn', 'editing-sdk', 'unheard-of']) {
      assert.deepEqual(
        await list(`&product=${product}`),
        all.filter((license) => license.product === product),
      )
    }
    for (const plan of ['TRIAL', 'STARTER', 'PRO', 'ENTERPRISE']) {
      assert.deepEqual(
        await list(`&plan=${plan}`),
        all.filter((license) => license.plan === plan),
      )
    }
    const statuses = ['ACTIVE', 'REVOKED', 'EXPIRED']
    for (const status of statuses) {
      assert.deepEqual(
        await list(`&status=${status}`),
        all.filter((license) => license.status === status),
      )
      const both = all.filter((license) => license.status === status && license.product === 'editing-sdk')
      assert.deepEqual(await list(`&product=editing-sdk&status=${status}`), both)
    }
    counts.push(statuses.map((status) => all.filter((license) => license.status === status).length))
    app.clock.advance({ ms: 1 })
  }
  assert.deepEqual(counts, [
    [3, 1, 0],
    [3, 1, 0],
    [1, 1, 2],
    [1, 1, 2],
  ])
})

test('an invalid filter is rejected', async () => {
  const { send } = await setup()
  const cases: [string, string][] = [
    ['?status=active', 'VALIDATION_ERROR'],
    ['?plan=GOLD', 'VALIDATION_ERROR'],
    ['?tenantId=x', 'VALIDATION_ERROR'],
    ['?tenant=x', 'VALIDATION_ERROR'],
    ['?limit=101', 'INVALID_PAGINATION'],
  ]
  for (const [query, code] of cases) {
    const { status, body } = await send('GET', query)
    assert.deepEqual([status, body.code], [400, code], query)
  }
})

test('a list is newest first, and its pages contain each license once', async () => {
  const { app, tenant, create, send } = await setup()
  const made: string[] = []
  for (let count = 0; count < 5; count++) {
    made.unshift((await create({})).body.license.key)
    app.clock.advance({ ms: 1 })
  }
  const page = async (number: number) => (await send('GET', `?tenantId=${tenant.id}&limit=2&page=${number}`)).body
  const pages = [await page(1), await page(2), await page(3), await page(4)]
  assert.deepEqual(
    pages.flatMap(({ licenses }) => licenses.map(({ key }: { key: string }) => key)),
    made,
  )
  assert.deepEqual(pages[3], { licenses: [], pagination: { page: 4, limit: 2, total: 5, totalPages: 3 } })
})

test('licenses are found by id, by a part of the label, and by the hint of the key', async () => {
  const { app, tenant, create, send } = await setup()
  const one = (await create({ label: `Order 4711 ${tenant.id}` })).body.license
  await create({ label: 'something else' })
  const find = async (query: string) =>
    (await send('GET', `?tenantId=${tenant.id}&${query}`)).body.licenses.map(({ id }: { id: string }) => id)
  assert.deepEqual(await find(`id=${one.id}`), [one.id])
  assert.deepEqual(await find('q=oRDER%2047'), [one.id])
  assert.ok((await find(`q=${one.keyHint.toLowerCase()}`)).includes(one.id))
  assert.deepEqual(await find('q=47'), [one.id], 'two characters, too short for the index')
  const parts = (await create({ label: 'ABCD bcde' })).body.license
  assert.deepEqual(await find('q=abcde'), [], 'all its trigrams, but not together')
  assert.deepEqual(await find('q=cd%20BC'), [parts.id])
  assert.deepEqual(await find('q=%25'), [], 'a percent sign is a character like any other')
  const other = await app.license(await app.tenant())
  assert.deepEqual(await find(`id=${other.id}`), [])
})
