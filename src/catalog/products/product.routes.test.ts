import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Reply, type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { catalogWith } from '../../../test/harness/catalog.ts'
import type { RecordVisit, VisitEvent } from '../../analytics/index.ts'

let app: TestApp
before(async () => {
  app = await testApp()
})

const codeOf = ({ status, body }: Reply) => [status, body.code]

async function made(overrides: Record<string, unknown> = {}) {
  const sent = { slug: unique('p'), name: 'Photo Lab', type: 'service', status: 'live', description: 'Crop.' }
  const reply = await app.call({
    method: 'POST',
    url: '/admin/products',
    headers: app.admin,
    body: { ...sent, ...overrides },
  })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return reply.body.product
}

async function changed(id: string, body: Record<string, unknown>) {
  const reply = await app.call({ method: 'PATCH', url: `/admin/products/${id}`, headers: app.admin, body })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body.product
}

const read = (slug: string, rest = '') => app.call({ url: `/products/${slug}${rest}` })

/** The parts of an answer that do not depend on the request itself. */
function bytesOf({ status, headers, body }: Reply) {
  const { requestId: _, ...rest } = body
  const named = ['x-request-id', 'ratelimit', 'x-ratelimit-remaining', 'date', 'content-length']
  const kept = Object.entries(headers).filter(([name]) => !named.includes(name))
  return { status, headers: Object.fromEntries(kept), body: rest }
}

describe('the public catalog', () => {
  test('a product has every field of the specification, and the same under both addresses', async () => {
    const { slug } = await made({ tagline: 'Pictures.', tags: ['a', 'b', 'a'] })
    const { product } = (await read(slug)).body
    assert.deepEqual(
      [product.type, product.typeLabel, product.status, product.statusLabel, product.tagline, product.isFeatured],
      ['SERVICE', 'service', 'LIVE', 'live', 'Pictures.', false],
    )
    for (const list of ['features', 'plans', 'downloads', 'versions', 'media', 'docs'])
      assert.deepEqual(product[list], [], list)
    assert.equal(product.latestVersion, null)
    assert.deepEqual(product.tags, ['a', 'b'])
    assert.match(product.descriptionHtml, /^<p>Crop\.<\/p>/)
    assert.equal(product.launchedAt, app.clock.now().toISOString())
    assert.deepEqual(
      [product.announcedAt, product.betaAt, product.deprecatedAt, product.sunsetAt, product.replacedBy],
      [null, null, null, null, null],
    )
    assert.deepEqual((await app.call({ url: `/v1/products/${slug}` })).body, { product })
  })

  test('a list is filtered by type, status, featured and text, and paged', async () => {
    const word = unique('w')
    const names = ['c', 'a', 'b', 'd', 'e']
    for (const [index, name] of names.entries()) {
      const type = index % 2 === 0 ? 'sdk' : 'api'
      const more = { isFeatured: name === 'd', ...(name === 'e' ? { sortOrder: 1, status: 'beta' } : {}) }
      await made({ name, type, description: `About ${word.toUpperCase()}.`, ...more })
    }
    await made({ name: 'draft', status: 'draft', description: word })
    const listed = async (query: string) =>
      (await app.call({ url: `/products?q=${word}${query}` })).body.products.map(({ name }: { name: string }) => name)
    assert.deepEqual(await listed(''), ['d', 'e', 'a', 'b', 'c'])
    assert.deepEqual(await listed('&type=Sdk'), ['e', 'b', 'c'])
    assert.deepEqual(await listed('&type=sdk,api&status=LIVE'), ['d', 'a', 'b', 'c'])
    assert.deepEqual(await listed('&status=published,beta&featured=false'), ['e', 'a', 'b', 'c'])
    assert.deepEqual(await listed('&status=draft'), [])
    assert.deepEqual(await listed('&limit=2&page=2'), ['a', 'b'])
    const page = await app.call({ url: `/v1/products?q=${word}&limit=2&page=9` })
    assert.deepEqual(page.body, { products: [], pagination: { page: 9, limit: 2, total: 5, totalPages: 3 } })
    assert.deepEqual(codeOf(await app.call({ url: '/products?type=toaster' })), [400, 'VALIDATION_ERROR'])
    assert.deepEqual(codeOf(await app.call({ url: '/products?status=' })), [400, 'VALIDATION_ERROR'])
    assert.deepEqual(codeOf(await app.call({ url: '/products?featured=maybe' })), [400, 'VALIDATION_ERROR'])
  })

  test('characters with a meaning in SQL patterns match only themselves', async () => {
    const { slug } = await made({ name: '100% of_it \\ here', tags: [unique('t')] })
    const found = async (q: string) =>
      (await app.call({ url: `/products?q=${encodeURIComponent(q)}` })).body.products.map(
        (p: { slug: string }) => p.slug,
      )
    assert.deepEqual(await found('100% OF_IT \\'), [slug])
    assert.deepEqual(await found('100_ of%'), [])
  })

  test('a draft is indistinguishable from a product that never existed', async () => {
    const word = unique('w')
    const draft = await made({ status: 'draft', name: word })
    const old = await made({ status: 'live' })
    await changed(old.id, { status: 'deprecated', replacedBy: draft.slug })
    const unknown = await read(unique('p'))
    for (const url of [`/products/${draft.slug}`, `/v1/products/${draft.slug}`, `/products/${draft.slug}?preview=x.y`])
      assert.deepEqual(bytesOf(await app.call({ url })), bytesOf(unknown), url)
    const seen = [await app.call({ url: '/' }), await app.call({ url: `/products?q=${word}` }), await read(old.slug)]
    for (const reply of seen)
      assert.ok(![reply.bytes.toString(), JSON.stringify(reply.headers)].some((text) => text.includes(draft.slug)))
    await changed(draft.id, { status: 'live' })
    assert.equal((await read(draft.slug)).status, 200)
    assert.equal((await read(old.slug)).body.product.replacedBy, draft.slug)
  })

  test('a product that is a draft again is not found, and neither are its former slugs', async () => {
    const { id, slug } = await made({ status: 'beta' })
    await changed(id, { slug: `${slug}-new` })
    assert.equal((await read(slug)).status, 301)
    await changed(id, { status: 'draft', force: true })
    const unknown = await read(unique('p'))
    assert.deepEqual(bytesOf(await read(slug)), bytesOf(unknown))
    assert.deepEqual(bytesOf(await read(`${slug}-new`)), bytesOf(unknown))
  })

  test('only a deprecated product has the deprecation headers', async () => {
    const next = await made()
    const { id, slug } = await made()
    for (const name of ['deprecation', 'sunset', 'link']) assert.equal((await read(slug)).headers[name], undefined)
    const now = app.clock.now()
    const sunsetAt = new Date(Math.floor(now.getTime() / 1000) * 1000 + 86_400_000)
    await changed(id, { status: 'deprecated', sunsetAt: sunsetAt.toISOString(), replacedBy: next.slug })
    const { headers, body } = await read(slug)
    assert.equal(headers['deprecation'], `@${Math.floor(now.getTime() / 1000)}`)
    assert.equal(headers['sunset'], sunsetAt.toUTCString())
    assert.match(headers['sunset'] ?? '', /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/)
    assert.equal(headers['link'], `</products/${next.slug}>; rel="successor-version"`)
    assert.deepEqual([body.product.sunsetAt, body.product.replacedBy], [sunsetAt.toISOString(), next.slug])
    await changed(next.id, { slug: `${next.slug}-2` })
    assert.match((await read(slug)).headers['link'] ?? '', new RegExp(`${next.slug}-2>`))
    await changed(id, { status: 'live' })
    const revived = await read(slug)
    assert.deepEqual([revived.headers['deprecation'], revived.headers['sunset']], [undefined, undefined])
    assert.deepEqual([revived.body.product.sunsetAt, revived.body.product.replacedBy], [null, null])
  })

  test('a former slug redirects to the current one until another product takes it', async () => {
    const { id, slug } = await made()
    await changed(id, { slug: `${slug}-b` })
    await changed(id, { slug: `${slug}-c` })
    for (const old of [slug, `${slug}-b`]) {
      for (const place of ['', '/v1']) {
        const reply = await app.call({ url: `${place}/products/${old}` })
        assert.equal(reply.status, 301)
        const target = new URL(reply.headers['location'] ?? '', `http://x${place}/products/${old}`)
        assert.equal(target.pathname, `${place}/products/${slug}-c`)
        assert.equal(reply.bytes.length, 0)
      }
    }
    for (const query of ['?q=a%20b&page=2', '?q=other', '']) {
      const { headers } = await app.call({ url: `/products/${slug}/docs${query}` })
      assert.equal(headers['location'], `/products/${slug}-c/docs${query}`)
    }
    await changed(id, { slug })
    assert.equal((await read(slug)).status, 200)
    assert.equal((await read(`${slug}-c`)).headers['location'], slug)
    const other = await made({ slug: `${slug}-b` })
    assert.equal((await read(`${slug}-b`)).body.product.id, other.id)
  })
})

describe('preview links', () => {
  const link = async (id: string, body: Record<string, unknown> = {}) =>
    app.call({ method: 'POST', url: `/admin/products/${id}/preview-link`, headers: app.admin, body })

  test('show a draft to anyone until they expire, and are never cached', async () => {
    const { id, slug } = await made({ status: 'draft' })
    const { status, body } = await link(id)
    assert.equal(status, 200)
    assert.equal(Date.parse(body.expiresAt) - app.clock.now().getTime(), 3600_000)
    const seen = await app.call({ url: body.url })
    assert.deepEqual([seen.status, seen.body.product.slug], [200, slug])
    assert.deepEqual([seen.headers['cache-control'], seen.headers['x-robots-tag']], ['private, no-store', 'noindex'])
    assert.equal((await app.call({ url: `/v1${body.url}` })).status, 200)
    app.clock.advance({ seconds: 3600 })
    assert.equal((await app.call({ url: body.url })).status, 404)
  })

  test('are valid only for their product, and not if changed', async () => {
    const [draft, other] = [await made({ status: 'draft' }), await made({ status: 'draft' })]
    const { url } = (await link(draft.id, { expiresInSeconds: 604_800 })).body
    const token = url.split('=')[1]
    const later = (Number.parseInt(token.split('.')[0], 36) + 1).toString(36)
    for (const wrong of [later + token.slice(token.indexOf('.')), token.slice(0, -1), `${token}A`, '.', `${token}%20`])
      assert.equal((await read(draft.slug, `?preview=${wrong}`)).status, 404, wrong)
    assert.equal((await read(other.slug, `?preview=${token}`)).status, 404)
    assert.equal((await app.call({ url })).status, 200)
    for (const expiresInSeconds of [59, 604_801, '60'])
      assert.deepEqual(codeOf(await link(draft.id, { expiresInSeconds })), [400, 'VALIDATION_ERROR'])
  })

  test('do not count views, but every other read of a product does', async () => {
    const events: VisitEvent[] = []
    const recordVisit: RecordVisit = (event) => events.push(event)
    const { routes } = catalogWith(app, {
      recordVisit,
    })
    const { id, slug } = await made()
    const token = (await link(id)).body.url.split('=')[1]
    for (const route of routes.filter(({ path }) => path.endsWith('/products/:slug'))) {
      const input = { platform: app.platform, params: { slug }, headers: {} }
      const plain = await route.handle({ ...input, query: {} })
      plain.onServed?.({ ip: '203.0.113.7', url: `/products/${slug}`, headers: {} })
      const preview = await route.handle({ ...input, query: { preview: token } })
      assert.equal(preview.onServed, undefined)
    }
    const view = { type: 'product.view', productId: id, productSlug: slug }
    assert.deepEqual(events, [view, view])
  })
})
