import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Reply, type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { catalogWith } from '../../../test/harness/catalog.ts'
import { newId } from '../../kernel/ids.ts'

let app: TestApp
before(async () => {
  app = await testApp()
})

const url = '/admin/products'
const codeOf = ({ status, body }: Reply) => [status, body.code]
const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  app.call({ method, url: `${url}${path}`, headers: { ...app.admin, ...headers }, ...(body ? { body } : {}) })
const create = (overrides: Record<string, unknown> = {}) =>
  send('POST', '', { slug: unique('p'), name: 'Photo Lab', type: 'app', ...overrides })
const made = async (overrides: Record<string, unknown> = {}) => {
  const reply = await create(overrides)
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return reply.body.product
}
const change = (id: string, body: unknown, headers = {}) => send('PATCH', `/${id}`, body, headers)
const audited = async (id: string) =>
  (await app.call({ url: `/admin/audit-logs?targetId=${id}&limit=100`, headers: app.admin })).body.auditLogs

describe('administration of products', () => {
  test('the body in the specification creates a product', async () => {
    const body = { slug: unique('p'), name: 'Photo Lab', type: 'service', status: 'development', description: 'Soon.' }
    const reply = await send('POST', '', body)
    assert.equal(reply.status, 201)
    const { product } = reply.body
    assert.equal(reply.headers['location'], `${url}/${product.id}`)
    assert.equal(reply.headers['etag'], `"${product.id}-1"`)
    assert.deepEqual(
      [product.slug, product.type, product.typeLabel, product.status, product.statusLabel, product.description],
      [body.slug, 'SERVICE', 'service', 'COMING_SOON', 'development', 'Soon.'],
    )
    const patched = await change(product.id, { status: 'live', description: 'Now.' })
    assert.deepEqual([patched.status, patched.body.product.status, patched.body.product.revision], [200, 'LIVE', 2])
    assert.match(patched.body.product.descriptionHtml, /Now\./)
    assert.equal((await app.call({ url: `/products/${body.slug}` })).body.product.description, 'Now.')
  })

  test('a product without a status is a draft, which administrators find by list and id', async () => {
    const draft = await made({ name: unique('n') })
    assert.equal(draft.status, 'DRAFT')
    const list = await send('GET', `?q=${draft.name}&status=draft`)
    assert.deepEqual(list.body.products, [draft])
    const one = await send('GET', `/${draft.id}`)
    assert.deepEqual([one.body, one.headers['etag']], [{ product: draft }, `"${draft.id}-1"`])
    assert.deepEqual(codeOf(await send('GET', `/${newId(new Date())}`)), [404, 'NOT_FOUND'])
  })

  test('every field is validated', async () => {
    const { id } = await made()
    const wrong: [body: Record<string, unknown>, path: string][] = [
      [{ slug: 'Photo-Lab' }, '/body/slug'],
      [{ slug: 'a--b' }, '/body/slug'],
      [{ slug: 'a' }, '/body/slug'],
      [{ slug: 'a'.repeat(65) }, '/body/slug'],
      [{ name: '' }, '/body/name'],
      [{ name: 'a\nb' }, '/body/name'],
      [{ name: null }, '/body/name'],
      [{ type: 'toaster' }, '/body/type'],
      [{ status: 'shipped' }, '/body/status'],
      [{ tagline: 'x'.repeat(301) }, '/body/tagline'],
      [{ description: 'x'.repeat(50_001) }, '/body/description'],
      [{ isFeatured: 'yes' }, '/body/isFeatured'],
      [{ sortOrder: -1 }, '/body/sortOrder'],
      [{ apiPrefix: 'vault' }, '/body/apiPrefix'],
      [{ iconMediaId: 'x' }, '/body/iconMediaId'],
      [{ coverMediaId: 5 }, '/body/coverMediaId'],
      [{ tags: Array(21).fill('a') }, '/body/tags'],
      [{ tags: [''] }, '/body/tags/0'],
      [{ links: { website: 'javascript:alert(1)' } }, '/body/links/website'],
      [{ links: { site: 'https://a.example' } }, '/body/links/site'],
      [{ seo: { noindex: null } }, '/body/seo/noindex'],
      [{ seo: { imageId: '1' } }, '/body/seo/imageId'],
      [{ sunsetAt: 'tomorrow' }, '/body/sunsetAt'],
      [{ status: 'live', sunsetAt: '2999-01-01T00:00:00Z' }, '/body/sunsetAt'],
      [{ status: 'live', replacedBy: 'vault-vpn' }, '/body/replacedBy'],
      [{ replacedBy: unique('p') }, '/body/replacedBy'],
      [{ launchedAt: '2020-01-01T00:00:00Z' }, '/body/launchedAt'],
      [{ revision: 7 }, '/body/revision'],
    ]
    for (const [body, path] of wrong) {
      const reply = await change(id, body)
      assert.deepEqual(
        [...codeOf(reply), reply.body.errors[0].path],
        [400, 'VALIDATION_ERROR', path],
        JSON.stringify(body),
      )
      if (/sunsetAt|replacedBy/.test(path)) continue
      assert.deepEqual(codeOf(await create(body)), [400, 'VALIDATION_ERROR'], JSON.stringify(body))
    }
    for (const field of ['slug', 'name', 'type']) {
      const reply = await create({ [field]: undefined })
      assert.deepEqual([...codeOf(reply), reply.body.errors[0].path], [400, 'VALIDATION_ERROR', `/body/${field}`])
    }
    assert.equal((await send('GET', `/${id}`)).body.product.revision, 1)
  })

  test('a change keeps absent members, also within links and seo, and null clears one', async () => {
    const links = { website: 'https://a.example', repo: 'https://git.example/a' }
    const { id } = await made({
      tagline: 'T.',
      tags: ['a'],
      links,
      seo: { title: 'S' },
      apiPrefix: '/p/v1',
      sortOrder: 7,
    })
    const some = await change(id, { links: { repo: null, support: 'https://a.example/help' }, seo: { noindex: true } })
    assert.deepEqual(some.body.product.links, {
      website: 'https://a.example',
      repo: null,
      support: 'https://a.example/help',
      changelog: null,
    })
    assert.deepEqual(some.body.product.seo, { title: 'S', description: null, imageId: null, noindex: true })
    assert.deepEqual([some.body.product.tagline, some.body.product.tags], ['T.', ['a']])
    const cleared = { tagline: null, tags: null, links: null, seo: null, apiPrefix: null, sortOrder: null }
    const { product } = (await change(id, cleared)).body
    assert.deepEqual([product.tagline, product.tags, product.apiPrefix, product.sortOrder], ['', [], null, 100])
    assert.deepEqual(new Set(Object.values(product.links)), new Set([null]))
    assert.deepEqual(product.seo, { title: null, description: null, imageId: null, noindex: false })
  })

  test('a request that changes nothing leaves no trace, and a change is audited once', async () => {
    const links = { website: 'https://a.example', repo: 'https://git.example/a' }
    const product = await made({ status: 'beta', links, tags: ['a'] })
    for (const body of [
      {},
      { status: 'BETA' },
      { status: 'alpha' },
      { links },
      { name: product.name, tags: ['a'], force: true },
    ]) {
      assert.deepEqual((await change(product.id, body)).body, { product }, JSON.stringify(body))
    }
    app.clock.advance({ ms: 5 })
    assert.equal((await change(product.id, { status: 'draft', force: true })).status, 200)
    const [update, made1, ...more] = await audited(product.id)
    assert.deepEqual([made1.action, more], ['product.create', []])
    assert.deepEqual([update.action, update.changes.status], ['product.update', { from: 'BETA', to: 'DRAFT' }])
    assert.equal(update.changes.isForced, true)
  })

  test('a refused status move names the allowed ones, and force allows it', async () => {
    const { id } = await made()
    const refused = await change(id, { status: 'retired', force: true })
    assert.deepEqual(
      [...codeOf(refused), refused.body.allowed],
      [409, 'STATE_CONFLICT', ['COMING_SOON', 'BETA', 'LIVE']],
    )
    await change(id, { status: 'live' })
    const back = await change(id, { status: 'draft' })
    assert.deepEqual([...codeOf(back), back.body.allowed], [409, 'STATE_CONFLICT', ['BETA', 'DEPRECATED']])
    assert.match(back.body.detail, /"force": true/)
    assert.equal((await change(id, { status: 'draft', force: true })).body.product.status, 'DRAFT')
    assert.deepEqual(codeOf(await create({ status: 'deprecated' })), [409, 'STATE_CONFLICT'])
  })

  test('of many concurrent status moves one succeeds, and its time is recorded once', async () => {
    const { id } = await made()
    const moves = await Promise.all(
      Array.from({ length: 12 }, (_, index) => change(id, { status: index % 2 === 0 ? 'live' : 'coming-soon' })),
    )
    // COMING_SOON may come before LIVE and never after it.
    assert.ok(moves.every(({ status }) => status === 200 || status === 409))
    const { product } = (await send('GET', `/${id}`)).body
    const updates = (await audited(id)).filter(({ action }: { action: string }) => action === 'product.update')
    assert.equal(product.status, 'LIVE')
    assert.equal(product.revision, 1 + updates.length)
    const trail = updates.map(({ changes }: { changes: { status: object } }) => changes.status).reverse()
    const direct = [{ from: 'DRAFT', to: 'LIVE' }]
    const announced = [
      { from: 'DRAFT', to: 'COMING_SOON' },
      { from: 'COMING_SOON', to: 'LIVE' },
    ]
    assert.deepEqual(trail.toSorted(byFrom), (trail.length === 1 ? direct : announced).toSorted(byFrom))
  })

  test('of many concurrent requests for a slug one succeeds', async () => {
    const slug = unique('p')
    const replies = await Promise.all(Array.from({ length: 10 }, () => create({ slug })))
    assert.deepEqual(replies.map(codeOf).sort(), [[201, undefined], ...Array(9).fill([409, 'SLUG_TAKEN'])])
    const others = await Promise.all(Array.from({ length: 6 }, () => made()))
    const wanted = unique('p')
    const renamed = await Promise.all(others.map(({ id }) => change(id, { slug: wanted })))
    assert.deepEqual(renamed.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409])
    assert.deepEqual(codeOf(await change(others[0].id, { slug })), [409, 'SLUG_TAKEN'])
  })

  test('a change of an outdated revision is refused and changes nothing', async () => {
    const { id } = await made()
    const first = { 'if-match': `"${id}-1"` }
    assert.equal((await change(id, { name: 'Second' }, first)).status, 200)
    const stale = await change(id, { name: 'Third' }, first)
    assert.deepEqual([...codeOf(stale), stale.headers['etag']], [412, 'PRECONDITION_FAILED', `"${id}-2"`])
    assert.deepEqual(codeOf(await send('DELETE', `/${id}`, undefined, first)), [412, 'PRECONDITION_FAILED'])
    assert.equal((await send('GET', `/${id}`)).body.product.name, 'Second')
    assert.equal((await send('DELETE', `/${id}`, undefined, { 'if-match': `"${id}-2"` })).status, 204)
  })

  test('a request repeated with its idempotency key creates one product', async () => {
    const headers = { 'idempotency-key': unique('k') }
    const body = { slug: unique('p'), name: 'Once', type: 'api' }
    const [first, second] = [await send('POST', '', body, headers), await send('POST', '', body, headers)]
    assert.deepEqual([first.status, second.status, second.body], [201, 201, first.body])
    const taken = { ...headers, 'idempotency-key': unique('k') }
    assert.deepEqual(codeOf(await send('POST', '', body, taken)), [409, 'SLUG_TAKEN'])
    assert.deepEqual(codeOf(await send('POST', '', body, taken)), [409, 'SLUG_TAKEN'])
  })

  test('a viewer may read, and an editor may write', async () => {
    const headersOf = async (role: string) => {
      const { body } = await app.call({
        method: 'POST',
        url: '/v1/platform/admin/keys',
        headers: app.admin,
        body: { name: role, role },
      })
      return { 'x-admin-key': body.adminKey.key }
    }
    const viewer = await headersOf('VIEWER')
    const editor = await headersOf('EDITOR')
    const { id } = await made()
    assert.equal((await send('GET', `/${id}`, undefined, viewer)).status, 200)
    assert.deepEqual(codeOf(await change(id, { name: 'X' }, viewer)), [403, 'INSUFFICIENT_ROLE'])
    assert.equal((await change(id, { name: 'X' }, editor)).status, 200)
  })

  test('API keys may name a draft before its launch', async () => {
    const { slug } = await made()
    const key = await app.apiKey(await app.tenant(), { products: [slug] })
    assert.ok(key.id)
  })
})

describe('deleting products', () => {
  test('a draft that was never public is deleted with everything that belongs to it', async () => {
    const { id, slug } = await made()
    await send('POST', `/${id}/features`, { title: 'A' })
    await change(id, { slug: `${slug}-new` })
    assert.equal((await send('DELETE', `/${id}`)).status, 204)
    for (const path of [`/${id}`, `/${id}/features`]) assert.equal((await send('GET', path)).status, 404)
    assert.equal((await send('DELETE', `/${id}`)).status, 404)
  })

  test('a product that an API key or a license names cannot be renamed or deleted, not even a draft', async () => {
    const tenant = await app.tenant()
    const [keyed, licensed] = [await made(), await made({ status: 'live' })]
    const key = await app.apiKey(tenant, { products: [keyed.slug] })
    const license = await app.call({
      method: 'POST',
      url: '/vault/v1/licenses',
      headers: app.admin,
      body: { tenantId: tenant.id, product: licensed.slug, plan: 'STARTER', maxUses: 1 },
    })
    assert.equal(license.status, 201)
    for (const { id } of [keyed, licensed]) {
      assert.deepEqual(codeOf(await send('DELETE', `/${id}`)), [409, 'STATE_CONFLICT'])
      assert.deepEqual(codeOf(await change(id, { slug: unique('p') })), [409, 'STATE_CONFLICT'])
      assert.equal((await change(id, { name: 'Still changed' })).status, 200)
    }
    const url = `/admin/tenants/${tenant.id}/api-keys/${key.id}`
    assert.equal((await app.call({ method: 'DELETE', url, headers: app.admin })).status, 204)
    assert.equal((await send('DELETE', `/${keyed.id}`)).status, 204)
  })

  test('built-in products cannot be deleted or renamed', async () => {
    for (const slug of ['vault-vpn', 'assistant-ai', 'editing-sdk']) {
      const { id } = (await app.call({ url: `/products/${slug}` })).body.product
      assert.deepEqual(codeOf(await send('DELETE', `/${id}`)), [409, 'STATE_CONFLICT'])
      assert.deepEqual(codeOf(await change(id, { slug: unique('p') })), [409, 'STATE_CONFLICT'])
      assert.equal((await app.call({ url: `/products/${slug}` })).status, 200)
    }
  })

  test('a public product can be renamed and deleted only while nothing names it', async () => {
    const named = new Set<string>()
    const uses: unknown[] = []
    const { routes } = catalogWith(app, {
      media: { find: async () => new Map(), setUses: async (_tx, user, ids) => void uses.push([user, ids]) },
      isProductInUse: async (_tx, slug) => named.has(slug),
    })
    const ask = (name: string, id: string, body = {}) =>
      routes
        .find((route) => route.name === name)
        ?.handle({ platform: app.platform, params: { productId: id }, body, headers: {}, query: {} })
    const { id, slug } = await made({ status: 'live' })
    named.add(slug)
    await assert.rejects(async () => ask('deleteProduct', id), { code: 'STATE_CONFLICT' })
    await assert.rejects(async () => ask('updateProduct', id, { slug: `${slug}-2` }), { code: 'STATE_CONFLICT' })
    named.delete(slug)
    assert.equal((await ask('updateProduct', id, { slug: `${slug}-2` }))?.status, 200)
    assert.equal((await ask('deleteProduct', id))?.status, 204)
    assert.equal((await send('GET', `/${id}`)).status, 404)
    assert.deepEqual(uses.at(-1), [{ kind: 'product', id, label: `${slug}-2` }, []])
  })
})

function byFrom(a: { from: string }, b: { from: string }): number {
  return a.from < b.from ? -1 : 1
}
