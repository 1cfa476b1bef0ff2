import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { catalogCalls, type TestProduct } from '../../../test/harness/catalog.ts'
import { codeOf } from '../../../test/harness/key-calls.ts'
import type { VisitEvent } from '../../analytics/index.ts'
import type { MediaLibrary, MediaUser } from '../../content/index.ts'
import type { Answer } from '../../http/answer.ts'
import { newId } from '../../kernel/ids.ts'
import { one, sql } from '../../storage/query.ts'
import { documentation } from '../documentation.ts'
import { findPublicProduct } from '../product-child/parent-product.store.ts'
import { downloadService, listDownloadsByProduct } from './download.service.ts'

let app: TestApp
let catalog: ReturnType<typeof catalogCalls>

before(async () => {
  app = await testApp()
  catalog = catalogCalls(app)
})

const externalUrl = 'https://downloads.example.com/a.tgz?x=1'
const add = async (product: TestProduct, overrides = {}) => {
  const reply = await catalog.add(product, 'downloads', { kind: 'SDK', externalUrl, ...overrides })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return reply.body.download
}
const follow = (product: TestProduct, id: string, headers = {}, query = '') =>
  app.call({ url: `/products/${product.slug}/downloads/${id}${query}`, headers })

const file = {
  id: newId(new Date()),
  filename: 'a.tgz',
  mimeType: 'application/gzip',
  kind: 'archive',
  size: 5_000_000_000,
  sha256: 'a'.repeat(64),
  width: null,
  height: null,
  alt: null,
  url: '/media/aaaa/a.tgz',
  variants: {},
}

/** A media library with one file, which records the uses reported to it. */
function library() {
  const uses = new Map<string, string[]>()
  const media: MediaLibrary = {
    find: async (_, ids) => new Map(ids.includes(file.id) ? [[file.id, file]] : []),
    setUses: async (_, user: MediaUser, ids) => void uses.set(`${user.kind} ${user.id}`, ids),
  }
  return { media, uses }
}
const changes = () => ({ clock: app.clock, audit: async () => undefined, publicChanged: async () => undefined })

/** The routes with the test's own visit recorder and media library. */
function withRecorder() {
  const visits: VisitEvent[] = []
  const { routes } = documentation({
    ...changes(),
    ...library(),
    resolveSlug: findPublicProduct,
    inspectLicense: async () => [],
    recordVisit: (event) => void visits.push(event),
  })
  const answer = async (name: string, params: object, rest: object = {}): Promise<Answer> => {
    const found = routes.find((route) => route.name === name)
    assert.ok(found, name)
    return found.handle({ platform: app.platform, params, query: {}, headers: {}, ...rest })
  }
  return { visits, answer }
}
const visit = { ip: '203.0.113.7', url: '/', headers: {} }

describe('a download', () => {
  test('redirects to its file at both addresses, and is never cached', async () => {
    const product = await catalog.product()
    const { id } = await add(product)
    for (const start of ['', '/v1']) {
      const { status, headers } = await app.call({ url: `${start}/products/${product.slug}/downloads/${id}` })
      assert.deepEqual([status, headers.location, headers['cache-control']], [302, externalUrl, 'no-store'])
    }
  })

  test('is not found if it is hidden, removed, of a draft, of another product or without a file', async () => {
    const product = await catalog.product()
    const other = await catalog.product()
    const draft = await catalog.product({ status: 'DRAFT' })
    const hidden = await add(product, { isActive: false })
    const command = await add(product, { externalUrl: null, installCommand: 'npm install x' })
    const removed = await add(product)
    await catalog.remove(product, 'downloads', removed.id)
    for (const reply of [
      await follow(product, hidden.id),
      await follow(product, command.id),
      await follow(product, removed.id),
      await follow(product, newId(new Date())),
      await follow(product, 'x'),
      await follow(draft, (await add(draft)).id),
      await follow(product, (await add(other)).id),
    ])
      assert.deepEqual(codeOf(reply), [404, 'NOT_FOUND'])
    const shown = (await listDownloadsByProduct(app.platform, [product.id])).get(product.id)
    assert.deepEqual(
      shown?.map(({ id, url }) => [id, url]),
      [[command.id, null]],
    )
  })

  test('is gone while its version is yanked, and removed together with it', async () => {
    const product = await catalog.product()
    const { version } = (await catalog.add(product, 'versions', { version: '1.0.0' })).body
    const { id } = await add(product, { versionId: version.id })
    assert.equal((await listDownloadsByProduct(app.platform, [product.id])).get(product.id)?.[0]?.version, '1.0.0')
    const yank = (yanked: boolean) => catalog.change(product, 'versions', { id: version.id, body: { yanked } })
    await yank(true)
    assert.deepEqual(codeOf(await follow(product, id)), [404, 'NOT_FOUND'])
    assert.deepEqual((await listDownloadsByProduct(app.platform, [product.id])).get(product.id), [])
    await yank(false)
    assert.equal((await follow(product, id)).status, 302)
    await catalog.remove(product, 'versions', version.id)
    assert.deepEqual(codeOf(await catalog.get(product, 'downloads', id)), [404, 'NOT_FOUND'])
  })

  test('that requires a license needs a valid license key of the product', async () => {
    const product = { id: '', slug: 'editing-sdk' }
    product.id = (await one(app.platform, sql<{ id: string }>`select id from products where slug = 'editing-sdk'`)).id
    const { id } = await add(product, { requiresLicense: true })
    const tenant = await app.tenant()
    const license = (overrides = {}) => app.license(tenant, { product: 'editing-sdk', ...overrides })
    const good = await license()
    const withKey = (key: string) => follow(product, id, { 'x-license-key': key })
    assert.equal((await withKey(good.key)).headers.location, externalUrl)
    assert.equal((await withKey(good.key.toLowerCase().replaceAll('-', ' '))).status, 302)
    assert.equal((await follow(product, id, {}, `?licenseKey=${good.key}`)).status, 302)

    const spent = await license({ plan: 'TRIAL', maxUses: 0 })
    assert.equal((await withKey(spent.key)).status, 302, 'it downloads again what it was used for')
    const other = await app.license(tenant, { product: 'vault-vpn' })
    const revoked = await license()
    await app.call({ method: 'POST', url: `/vault/v1/licenses/${revoked.key}/revoke`, headers: app.admin })
    const short = await license({ expiresAt: new Date(app.clock.now().getTime() + 60_000).toISOString() })
    app.clock.advance({ seconds: 61 })
    assert.deepEqual(codeOf(await follow(product, id)), [403, 'LICENSE_REQUIRED'])
    assert.deepEqual(codeOf(await withKey('ATR-00000-00000-00000-00000-00000')), [403, 'LICENSE_REQUIRED'])
    assert.deepEqual(codeOf(await withKey('x'.repeat(5000))), [403, 'LICENSE_REQUIRED'])
    assert.deepEqual(codeOf(await withKey(other.key)), [403, 'LICENSE_REQUIRED'])
    assert.deepEqual(codeOf(await withKey(revoked.key)), [403, 'LICENSE_REVOKED'])
    assert.deepEqual(codeOf(await withKey(short.key)), [403, 'LICENSE_EXPIRED'])
    await catalog.remove(product, 'downloads', id)
  })

  test('has exactly one source: an upload, an https address or a command', async () => {
    const product = await catalog.product()
    const wrong: [string, object][] = [
      ['/body/mediaId', { externalUrl: null }],
      ['/body/mediaId', { externalUrl: undefined, mediaId: newId(new Date()) }],
      ['/body/externalUrl', { mediaId: newId(new Date()) }],
      ['/body/externalUrl', { externalUrl: 'http://example.com/a' }],
      ['/body/externalUrl', { externalUrl: 'javascript:alert(1)' }],
      ['/body/externalUrl', { externalUrl: 'https://' }],
      ['/body/externalUrl', { externalUrl: 'https://user:pass@example.com/a' }],
      ['/body/externalUrl', { externalUrl: 'https://example.com/a\r\nx: y' }],
      ['/body/externalUrl', { externalUrl: 'https://example.com/ä' }],
      ['/body/versionId', { versionId: product.id }],
      ['/body/sha256', { sha256: 'A'.repeat(64) }],
      ['/body/sizeBytes', { sizeBytes: -1 }],
      ['/body/kind', { kind: 'sdk' }],
      ['/body/installCommand', { installCommand: 'a\nb' }],
    ]
    for (const [place, overrides] of wrong) {
      const reply = await catalog.add(product, 'downloads', { kind: 'SDK', externalUrl, ...overrides })
      assert.deepEqual([reply.status, reply.body.errors?.[0]?.path], [400, place], JSON.stringify(overrides))
    }
    const { id } = await add(product)
    const reply = await catalog.change(product, 'downloads', { id, body: { externalUrl: null } })
    assert.deepEqual([reply.status, reply.body.errors[0].path], [400, '/body/mediaId'])
  })

  test('takes name, size and checksum from its uploaded file, and reports its use of the file', async () => {
    const { media, uses } = library()
    const product = await catalog.product()
    const downloads = downloadService({ ...changes(), media, inspectLicense: async () => [] })
    const made = await downloads.create(app.platform, product.id, {
      kind: 'DESKTOP',
      mediaId: file.id,
      fileName: 'own.tgz',
    })
    assert.deepEqual([made.fileName, made.sizeBytes, made.sha256], ['own.tgz', 5_000_000_000, file.sha256])
    assert.equal((await downloads.get(app.platform, { productId: product.id, id: made.id })).sizeBytes, 5_000_000_000)
    assert.deepEqual(uses.get(`download ${made.id}`), [file.id])
    const { visits, answer } = withRecorder()
    const { headers } = await answer('download', { slug: product.slug, id: made.id })
    assert.equal(headers?.['location'], file.url)
    await downloads.remove(app.platform, { productId: product.id, id: made.id }, undefined)
    assert.deepEqual(uses.get(`download ${made.id}`), [])
    assert.deepEqual(visits, [])
  })
})

describe('a visit', () => {
  test('is recorded when the answer is served, and not before', async () => {
    const product = await catalog.product()
    const { id: productId, slug: productSlug } = product
    const { version } = (await catalog.add(product, 'versions', { version: '1.0.0' })).body
    const { id } = await add(product, { versionId: version.id })
    await catalog.add(product, 'docs', { slug: 'start', title: 'Start', markdown: 'Start.', status: 'PUBLISHED' })
    const { visits, answer } = withRecorder()
    const answers = [
      await answer('download', { slug: productSlug, id }),
      await answer('getDoc', { slug: productSlug, docSlug: 'start' }),
      await answer('getDoc', { slug: productSlug, docSlug: 'start.md' }),
      await answer('listDocs', { slug: productSlug }, { query: { q: 'start' } }),
      await answer('listDocs', { slug: productSlug }),
    ]
    assert.deepEqual(visits, [])
    for (const { onServed } of answers) onServed?.(visit)
    const of = { productId, productSlug }
    assert.deepEqual(visits, [
      { type: 'sdk.download', ...of, downloadId: id, versionId: version.id },
      { type: 'doc.view', ...of, docSlug: 'start' },
      { type: 'doc.view', ...of, docSlug: 'start' },
      { type: 'search', ...of },
    ])
  })

  test('to a former slug is redirected to the current one', async () => {
    const { routes } = documentation({
      ...changes(),
      ...library(),
      inspectLicense: async () => [],
      recordVisit: () => undefined,
      resolveSlug: async () => ({ movedTo: 'today' }),
    })
    const places: Record<string, string> = {
      listDocs: '/products/today/docs',
      getDoc: '/products/today/docs/start',
      exportDocs: '/products/today/docs.md',
      listVersions: '/products/today/versions',
      download: '/products/today/downloads/1',
    }
    for (const [name, location] of Object.entries(places)) {
      const params = { slug: 'before', docSlug: 'start', id: '1' }
      const found = routes.find((route) => route.name === name)
      const answer = await found?.handle({ platform: app.platform, params, query: {}, headers: {} })
      assert.deepEqual([answer?.status, answer?.headers], [301, { location }], name)
    }
    const download = routes.find(({ name }) => name === 'download')
    const asked = { platform: app.platform, params: { slug: 'before', id: '1' }, headers: {} }
    const withKey = await download?.handle({ ...asked, query: { licenseKey: 'LICENSE-1' } })
    assert.equal(withKey?.headers?.['location'], '/products/today/downloads/1?licenseKey=LICENSE-1')
  })
})
