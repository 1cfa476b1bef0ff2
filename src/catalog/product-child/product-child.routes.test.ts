import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Reply, type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { catalogWith } from '../../../test/harness/catalog.ts'
import type { MediaSummary } from '../../content/index.ts'
import { newId } from '../../kernel/ids.ts'

let app: TestApp
before(async () => {
  app = await testApp()
})

const codeOf = ({ status, body }: Reply) => [status, body.code]
const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  app.call({ method, url: `/admin/products${path}`, headers: { ...app.admin, ...headers }, ...(body ? { body } : {}) })
const product = async (overrides: Record<string, unknown> = {}) =>
  (await send('POST', '', { slug: unique('p'), name: 'Photo Lab', type: 'app', status: 'live', ...overrides })).body
    .product

const videoUrl = 'https://video.example/1'
const kinds = [
  { one: 'feature', many: 'features', fresh: (n: number) => ({ title: `Title ${n}` }), change: { title: 'Other' } },
  {
    one: 'plan',
    many: 'plans',
    fresh: (n: number) => ({ code: `P${n}`, name: `Plan ${n}` }),
    change: { name: 'Other' },
  },
  { one: 'media', many: 'media', fresh: () => ({ kind: 'VIDEO', url: videoUrl }), change: { caption: 'Other' } },
]

for (const { one, many, fresh, change } of kinds) {
  describe(`the ${many} of a product`, () => {
    const add = async (id: string, body: Record<string, unknown>) => {
      const reply = await send('POST', `/${id}/${many}`, body)
      assert.equal(reply.status, 201, JSON.stringify(reply.body))
      return reply.body[one]
    }
    const idsOf = async (id: string) =>
      (await send('GET', `/${id}/${many}`)).body[many].map((record: { id: string }) => record.id)

    test('are created, read, changed and deleted, audited, and public at once', async () => {
      const { id, slug } = await product()
      const reply = await send('POST', `/${id}/${many}`, fresh(1))
      const record = reply.body[one]
      const path = `/${id}/${many}/${record.id}`
      assert.equal(reply.headers['location'], `/admin/products${path}`)
      assert.deepEqual((await send('GET', path)).body, { [one]: record })
      const shown = async () => (await app.call({ url: `/products/${slug}` })).body.product
      assert.deepEqual((await shown())[many], [record])
      assert.deepEqual((await send('PATCH', path, {})).body, { [one]: record })
      app.clock.advance({ ms: 5 })
      const changed = (await send('PATCH', path, change)).body[one]
      assert.deepEqual(changed, { ...record, ...change, updatedAt: app.clock.now().toISOString() })
      assert.deepEqual([(await shown())[many], (await shown()).revision], [[changed], 3])
      app.clock.advance({ ms: 5 })
      assert.equal((await send('DELETE', path)).status, 204)
      assert.deepEqual([(await shown())[many], (await shown()).revision], [[], 4])
      for (const method of ['GET', 'DELETE']) assert.deepEqual(codeOf(await send(method, path)), [404, 'NOT_FOUND'])
      const logs = await app.call({ url: `/admin/audit-logs?targetId=${record.id}`, headers: app.admin })
      assert.deepEqual(
        logs.body.auditLogs.map(({ action }: { action: string }) => action),
        ['delete', 'update', 'create'].map((verb) => `product-${one}.${verb}`),
      )
    })

    test('keep the requested order without gaps, also when several move at once', async () => {
      const { id } = await product()
      const ids: string[] = []
      for (const n of [1, 2, 3, 4]) ids.push((await add(id, fresh(n))).id)
      const first = (await add(id, { ...fresh(5), order: 0 })).id
      const [a = '', b = '', c = '', d = ''] = ids
      assert.deepEqual(await idsOf(id), [first, a, b, c, d])
      const moved = await send('PATCH', `/${id}/${many}/${a}`, { order: 3 })
      assert.deepEqual([moved.body[one].order, await idsOf(id)], [3, [first, b, c, a, d]])
      await send('PATCH', `/${id}/${many}/${first}`, { order: 9999 })
      assert.deepEqual(await idsOf(id), [b, c, a, d, first])
      await send('DELETE', `/${id}/${many}/${c}`)
      await Promise.all(
        [a, b, d, first].map((recordId, order) => send('PATCH', `/${id}/${many}/${recordId}`, { order })),
      )
      const { [many]: records } = (await send('GET', `/${id}/${many}`)).body
      assert.deepEqual(
        records.map(({ order }: { order: number }) => order),
        [0, 1, 2, 3],
      )
      assert.deepEqual((await idsOf(id)).sort(), [a, b, d, first].sort())
      const page = (await send('GET', `/${id}/${many}?page=2&limit=3`)).body
      assert.deepEqual([page[many].length, page.pagination.total], [1, 4])
    })

    test('of another product and of an unknown product are the same 404', async () => {
      const [mine, other] = [await product(), await product()]
      const record = await add(mine.id, fresh(1))
      const nowhere = newId(new Date())
      for (const path of [
        `/${other.id}/${many}/${record.id}`,
        `/${mine.id}/${many}/${nowhere}`,
        `/${nowhere}/${many}/${record.id}`,
      ]) {
        assert.deepEqual(codeOf(await send('GET', path)), [404, 'NOT_FOUND'])
        assert.deepEqual(codeOf(await send('PATCH', path, change)), [404, 'NOT_FOUND'])
        assert.deepEqual(codeOf(await send('DELETE', path)), [404, 'NOT_FOUND'])
      }
      assert.deepEqual(codeOf(await send('GET', `/${nowhere}/${many}`)), [404, 'NOT_FOUND'])
      assert.deepEqual(codeOf(await send('POST', `/${nowhere}/${many}`, fresh(1))), [404, 'NOT_FOUND'])
      assert.deepEqual(await idsOf(mine.id), [record.id])
    })

    test('are not changed, moved or deleted by a request with an outdated revision', async () => {
      const { id } = await product()
      const { id: neighbour } = await add(id, fresh(1))
      const reply = await send('POST', `/${id}/${many}`, fresh(2))
      const path = `/${id}/${many}/${reply.body[one].id}`
      const tagNow = async () => (await send('GET', path)).headers['etag'] as string
      const read = { 'if-match': await tagNow() }
      assert.equal(reply.headers['etag'], read['if-match'])
      const replies = await Promise.all([1, 2, 3].map((n) => send('PATCH', path, { ...change, order: 9 + n }, read)))
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412, 412])
      const changed = await tagNow()
      assert.deepEqual(codeOf(await send('DELETE', path, undefined, read)), [412, 'PRECONDITION_FAILED'])
      assert.equal((await send('PATCH', path, {}, { 'if-match': changed })).headers['etag'], changed)
      // Its position counts as a change too: it moves when another one takes its position.
      await send('PATCH', `/${id}/${many}/${neighbour}`, { order: 1 })
      assert.deepEqual(codeOf(await send('PATCH', path, change, { 'if-match': changed })), [412, 'PRECONDITION_FAILED'])
      assert.deepEqual((await idsOf(id)).length, 2)
      assert.equal((await send('DELETE', path, undefined, { 'if-match': await tagNow() })).status, 204)
    })

    test('created twice with one idempotency key are one', async () => {
      const { id } = await product()
      const headers = { 'idempotency-key': unique('k') }
      const replies = [
        await send('POST', `/${id}/${many}`, fresh(1), headers),
        await send('POST', `/${id}/${many}`, fresh(1), headers),
      ]
      assert.deepEqual(replies[0]?.body, replies[1]?.body)
      assert.equal((await idsOf(id)).length, 1)
    })
  })
}

describe('the fields of features, plans and media', () => {
  test('are validated', async () => {
    const { id } = await product()
    const wrong: [many: string, body: Record<string, unknown>, path: string][] = [
      ['features', {}, '/body/title'],
      ['features', { title: ' ' }, '/body/title'],
      ['features', { title: 'x'.repeat(121) }, '/body/title'],
      ['features', { title: 'A', slug: 'A B' }, '/body/slug'],
      ['features', { title: 'A', description: 5 }, '/body/description'],
      ['features', { title: 'A', icon: 'a\nb' }, '/body/icon'],
      ['features', { title: 'A', group: '' }, '/body/group'],
      ['features', { title: 'A', isHighlighted: null }, '/body/isHighlighted'],
      ['features', { title: 'A', availability: { PRO: 5 } }, '/body/availability/PRO'],
      ['features', { title: 'A', availability: { 'pro plan': true } }, '/body/availability/pro plan'],
      ['features', { title: 'A', order: -1 }, '/body/order'],
      ['plans', { name: 'A' }, '/body/code'],
      ['plans', { code: '1a', name: 'A' }, '/body/code'],
      ['plans', { code: 'A' }, '/body/name'],
      ['plans', { code: 'A', name: 'A', priceCents: 1.5, currency: 'EUR' }, '/body/priceCents'],
      ['plans', { code: 'A', name: 'A', priceCents: -1, currency: 'EUR' }, '/body/priceCents'],
      ['plans', { code: 'A', name: 'A', priceCents: 2 ** 31, currency: 'EUR' }, '/body/priceCents'],
      ['plans', { code: 'A', name: 'A', priceCents: 100 }, '/body/currency'],
      ['plans', { code: 'A', name: 'A', currency: 'QQQ' }, '/body/currency'],
      ['plans', { code: 'A', name: 'A', currency: 'EURO' }, '/body/currency'],
      ['plans', { code: 'A', name: 'A', interval: 'week' }, '/body/interval'],
      ['plans', { code: 'A', name: 'A', maxUses: -1 }, '/body/maxUses'],
      ['plans', { code: 'A', name: 'A', trialDays: 3651 }, '/body/trialDays'],
      ['plans', { code: 'A', name: 'A', features: [''] }, '/body/features/0'],
      ['plans', { code: 'A', name: 'A', cta: { label: 'Buy' } }, '/body/cta/url'],
      ['plans', { code: 'A', name: 'A', cta: { label: 'Buy', url: '//evil.example' } }, '/body/cta/url'],
      ['plans', { code: 'A', name: 'A', isActive: 'no' }, '/body/isActive'],
      ['media', { url: videoUrl }, '/body/kind'],
      ['media', { kind: 'GIF', url: videoUrl }, '/body/kind'],
      ['media', { kind: 'VIDEO' }, '/body/mediaId'],
      ['media', { kind: 'VIDEO', url: videoUrl, mediaId: newId(new Date()) }, '/body/mediaId'],
      ['media', { kind: 'VIDEO', url: 'ftp://video.example/1' }, '/body/url'],
      ['media', { kind: 'SCREENSHOT', url: videoUrl }, '/body/alt'],
      ['media', { kind: 'LOGO', url: videoUrl, alt: 'A', posterMediaId: newId(new Date()) }, '/body/posterMediaId'],
      ['media', { kind: 'VIDEO', url: videoUrl, caption: 'x'.repeat(501) }, '/body/caption'],
    ]
    for (const [many, body, path] of wrong) {
      const reply = await send('POST', `/${id}/${many}`, body)
      assert.deepEqual(
        [...codeOf(reply), reply.body.errors?.[0].path],
        [400, 'VALIDATION_ERROR', path],
        JSON.stringify(body),
      )
    }
    assert.equal((await send('GET', `/${id}`)).body.product.revision, 1)
  })

  test('a feature gets a slug from its title, and another one if that is taken', async () => {
    const { id } = await product()
    const slugs = []
    for (const title of ['Über schnell!', 'Uber, schnell', '日本語', '日本', 'x'.repeat(120)])
      slugs.push((await send('POST', `/${id}/features`, { title })).body.feature.slug)
    assert.deepEqual(slugs, ['uber-schnell', 'uber-schnell-2', 'feature', 'feature-2', 'x'.repeat(60)])
    const taken = await send('POST', `/${id}/features`, { title: 'A', slug: 'feature' })
    assert.deepEqual(codeOf(taken), [409, 'SLUG_TAKEN'])
  })

  test('of many concurrent plans with one code one is created', async () => {
    const { id } = await product()
    const replies = await Promise.all(
      ['pro', 'PRO', 'Pro', 'pro ', 'pro'].map((code) => send('POST', `/${id}/plans`, { code, name: 'Pro' })),
    )
    assert.deepEqual(replies.map(codeOf).sort(), [[201, undefined], ...Array(4).fill([409, 'SLUG_TAKEN'])])
    const { plan } = (await send('POST', `/${id}/plans`, { code: 'early-bird', name: 'Early', currency: 'eur' })).body
    assert.deepEqual([plan.code, plan.currency], ['EARLY_BIRD', 'EUR'])
  })

  test('only administrators see an inactive plan', async () => {
    const { id, slug } = await product()
    const terms = { code: 'OLD', name: 'Old', priceCents: 1900, currency: 'USD', interval: 'year', isActive: false }
    await send('POST', `/${id}/plans`, terms)
    assert.deepEqual((await app.call({ url: `/products/${slug}` })).body.product.plans, [])
    assert.equal((await send('GET', `/${id}`)).body.product.plans[0].priceCents, 1900)
  })

  test('uploaded files are shown with their addresses, and each use is reported to the media library', async () => {
    const line = (id: string): MediaSummary => ({
      id,
      filename: 'a.webp',
      mimeType: 'image/webp',
      kind: 'IMAGE',
      size: 9,
      sha256: 'x',
      width: 8,
      height: 6,
      alt: 'A',
      url: `/media/${id}/a.webp`,
      variants: {},
    })
    const uses = new Map<string, string[]>()
    const { routes } = catalogWith(app, {
      media: {
        find: async (_scope, ids) => new Map(ids.map((id) => [id, line(id)])),
        setUses: async (_tx, user, ids) => void uses.set(user.id, ids),
      },
    })
    const ask = async (name: string, params: object, body: object = {}) => {
      const found = routes.find((route) => route.name === name)
      // biome-ignore lint/suspicious/noExplicitAny: what a route answers is read here and asserted
      return (await found?.handle({ platform: app.platform, params, body, headers: {}, query: {} }))?.body as any
    }
    const { id } = await product()
    const [icon, shot, film, poster, share] = Array.from({ length: 5 }, () => newId(new Date())) as [
      string,
      ...string[],
    ]
    await ask('updateProduct', { productId: id }, { iconMediaId: icon, seo: { imageId: share } })
    const { media } = await ask(
      'createProductMedia',
      { productId: id },
      { kind: 'SCREENSHOT', mediaId: shot, alt: 'A' },
    )
    await ask('createProductMedia', { productId: id }, { kind: 'VIDEO', mediaId: film, posterMediaId: poster })
    assert.deepEqual(uses.get(id)?.toSorted(), [icon, shot, film, poster, share].sort())
    assert.deepEqual([media.url, media.width, media.height], [`/media/${shot}/a.webp`, 8, 6])
    const shown = (await ask('getProductById', { productId: id })).product
    assert.equal(shown.icon.url, `/media/${icon}/a.webp`)
    assert.equal(shown.media[1].posterUrl, `/media/${poster}/a.webp`)
    await ask('deleteProductMedia', { productId: id, id: media.id })
    await ask('updateProduct', { productId: id }, { iconMediaId: null })
    assert.deepEqual(uses.get(id)?.toSorted(), [film, poster, share].sort())
  })

  test('a product has at most 200 features', async () => {
    const { id } = await product()
    for (let n = 0; n < 200; n++) await send('POST', `/${id}/features`, { title: `T${n}` })
    assert.deepEqual(codeOf(await send('POST', `/${id}/features`, { title: 'One more' })), [409, 'STATE_CONFLICT'])
  })
})
