import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { docAddresses } from '../../catalog/docs/doc-addresses.store.ts'
import { productAddresses } from '../../catalog/products/product-addresses.store.ts'
import { pageAddresses } from '../pages/page-sitemap.store.ts'
import type { SitemapEntry } from './sitemap.rules.ts'
import { type SitemapSource, sitemapService } from './sitemap.service.ts'

let app: TestApp

before(async () => {
  app = await testApp({ mail: { smtp: null, publicUrl: 'https://example.com/shop/' } })
})

const lastModified = new Date('2026-11-21T09:30:00.000Z')
const entriesOf = (name: string, count: number): SitemapEntry[] =>
  Array.from({ length: count }, (_, index) => ({ path: `/${name}/${String(index).padStart(6, '0')}`, lastModified }))

/** Answers as a table would; `asked` notes how many entries it was asked for. */
function sourceOf(entries: SitemapEntry[], asked: number[] = []): SitemapSource {
  return async (_, { after, limit }) => {
    asked.push(limit)
    return entries.filter(({ path }) => after === null || path > after).slice(0, limit)
  }
}

const addressesIn = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address)

describe('the sitemap', () => {
  test('lists the public products with whole addresses, and no draft', async () => {
    const { status, headers, body } = await app.call({ url: '/sitemap.xml' })
    assert.deepEqual([status, headers['content-type']], [200, 'application/xml; charset=utf-8'])
    const addresses = addressesIn(body)
    for (const slug of ['vault-vpn', 'assistant-ai', 'editing-sdk'])
      assert.ok(addresses.includes(`https://example.com/shop/products/${slug}`), slug)
    assert.match(body, /<lastmod>\d{4}-\d\d-\d\dT[\d:.]+Z<\/lastmod>/)
    const repeat = await app.call({ url: '/sitemap.xml', headers: { 'if-none-match': headers['etag'] ?? '' } })
    assert.equal(repeat.status, 304)
    assert.equal((await app.call({ url: '/sitemap.xml?part=2' })).status, 404)
    for (const part of ['0', 'x', '99999999'])
      assert.equal((await app.call({ url: `/sitemap.xml?part=${part}` })).status, 400)
  })

  test('lists pages and docs that are public and may be found, under the names that they have now', async () => {
    const name = unique('sm')
    const make = async (url: string, body: object) => {
      const reply = await app.call({ method: 'POST', url, headers: app.admin, body })
      assert.equal(reply.status, 201, JSON.stringify(reply.body))
      return reply.body
    }
    const page = (slug: string, more: object = {}) =>
      make('/admin/cms/pages', { slug: `${name}/${slug}`, title: 'A', ...more })
    const product = (slug: string, more: object = {}) =>
      make('/admin/products', { slug: `${name}-${slug}`, name: 'A', type: 'API', status: 'LIVE', ...more })
    const doc = ({ product: { id } }: { product: { id: string } }, slug: string, more: object = {}) =>
      make(`/admin/products/${id}/docs`, { slug, title: 'A', markdown: 'a', status: 'PUBLISHED', ...more })
    await page('shown')
    await page('draft', { status: 'DRAFT' })
    await page('hidden', { meta: { noindex: true } })
    const { page: moved } = await page('was')
    await app.call({
      method: 'PUT',
      url: `/admin/cms/pages/${moved.id}`,
      headers: app.admin,
      body: { slug: `${name}/is` },
    })
    const [shown, draft] = [await product('shown'), await product('draft', { status: 'DRAFT' })]
    await product('hidden', { seo: { noindex: true } })
    await doc(shown, 'open')
    await doc(shown, 'draft', { status: 'DRAFT' })
    await doc(shown, 'hidden', { seo: { noindex: true } })
    await doc(draft, 'open')
    const { product: named } = await product('was')
    const renamed = await app.call({
      method: 'PATCH',
      url: `/admin/products/${named.id}`,
      headers: app.admin,
      body: { slug: `${name}-is` },
    })
    assert.equal(renamed.status, 200)
    await doc({ product: named }, 'open')
    const { body } = await app.call({ url: '/sitemap.xml' })
    const paths = addressesIn(body).map((address) => address?.replace('https://example.com/shop', ''))
    assert.deepEqual(paths.filter((path) => path?.includes(name)).sort(), [
      `/products/${name}-is`,
      `/products/${name}-is/docs/open`,
      `/products/${name}-shown`,
      `/products/${name}-shown/docs/open`,
      `/${name}/is`,
      `/${name}/shown`,
    ])
  })

  test('has each page and doc once, however few are asked for at once', async () => {
    for (const source of [pageAddresses, docAddresses, productAddresses]) {
      const all = await source(app.platform, { after: null, limit: 1000 })
      const found: SitemapEntry[] = []
      for (let isMore = true; isMore; ) {
        const some = await source(app.platform, { after: found.at(-1)?.path ?? null, limit: 1 })
        found.push(...some)
        isMore = some.length === 1
      }
      assert.deepEqual(found, all)
      assert.ok(all.length >= 2)
    }
  })

  test('does not exist where nobody has said where the site is, and robots are still told what is closed', async () => {
    const other = await testApp()
    const { status, body } = await other.call({ url: '/sitemap.xml', headers: { host: 'evil.example' } })
    assert.deepEqual([status, body.code], [404, 'NOT_FOUND'])
    assert.match(body.detail, /PUBLIC_URL/)
    const robots = await other.call({ url: '/robots.txt' })
    assert.match(robots.body, /^User-agent: \*\nDisallow: \/admin\/\n/)
    assert.doesNotMatch(robots.body, /Sitemap|evil/)
    const told = await app.call({ url: '/robots.txt' })
    assert.match(told.body, /\n\nSitemap: https:\/\/example\.com\/shop\/sitemap\.xml\n$/)
  })

  test('is one file as long as all fits into it, and an index from the next address on', async () => {
    const atLimit = sitemapService({
      sources: () => [sourceOf(entriesOf('a', 6)), sourceOf(entriesOf('b', 4))],
      urlsMax: 10,
    })
    assert.equal(addressesIn(await atLimit.whole(app.platform, '')).length, 10)
    const above = sitemapService({
      sources: () => [sourceOf(entriesOf('a', 6)), sourceOf(entriesOf('b', 5))],
      urlsMax: 10,
    })
    const index = await above.whole(app.platform, 'https://x.example')
    assert.match(index, /<sitemapindex /)
    assert.deepEqual(addressesIn(index), [
      'https://x.example/sitemap.xml?part=1',
      'https://x.example/sitemap.xml?part=2',
    ])
    assert.deepEqual(addressesIn(await above.file(app.platform, '', 2)), ['/b/000004'])
    await assert.rejects(above.file(app.platform, '', 3), { code: 'NOT_FOUND' })
    const none = sitemapService({ sources: () => [sourceOf([])] })
    assert.deepEqual(addressesIn(await none.whole(app.platform, '')), [])
  })

  test('has each of 25,000 addresses in exactly one file and never asks for more than a thousand at once', async () => {
    const asked: number[] = []
    const all = [...entriesOf('pages', 14_321), ...entriesOf('products', 10_679)]
    const sources = [sourceOf(all.slice(0, 14_321), asked), sourceOf(all.slice(14_321), asked)]
    const sitemaps = sitemapService({ sources: () => sources })
    const parts = addressesIn(await sitemaps.whole(app.platform, '')).length
    assert.equal(parts, 3)
    const files = await Promise.all([1, 2, 3].map((number) => sitemaps.file(app.platform, '', number)))
    assert.deepEqual(
      files.flatMap(addressesIn),
      all.map(({ path }) => path),
    )
    assert.ok(Math.max(...asked) <= 1000)
  })

  test('is XML whatever an address holds', async () => {
    const path = `/a&b<c>"d'/ä ${'\u202e'}`
    const sitemaps = sitemapService({ sources: () => [sourceOf([{ path, lastModified }])] })
    const [address] = addressesIn(await sitemaps.whole(app.platform, 'https://x.example'))
    assert.equal(address, 'https://x.example/a&amp;b%3Cc%3E%22d&apos;/%C3%A4%20%E2%80%AE')
  })
})
