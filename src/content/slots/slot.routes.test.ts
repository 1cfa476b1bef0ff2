import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Reply, type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { auditOfTarget } from '../../../test/harness/audit-log.ts'
import { slotKinds } from './slot.rules.ts'
import { deleteSlot } from './slot.store.ts'

let app: TestApp

before(async () => {
  app = await testApp()
})

const slots = '/admin/cms/slots'
type Line = { id: string; slug: string; order: number; revision: number }

function create(body: Record<string, unknown> = {}): Promise<Reply> {
  return app.call({ method: 'POST', url: slots, headers: app.admin, body: { kind: 'TESTIMONIAL', ...body } })
}

async function made(body: Record<string, unknown> = {}): Promise<Line> {
  const reply = await create(body)
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return reply.body.slot
}

function change(id: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  return app.call({ method: 'PATCH', url: `${slots}/${id}`, headers: { ...app.admin, ...headers }, body })
}

function order(kind: string, ids: string[]): Promise<Reply> {
  return app.call({ method: 'POST', url: `${slots}/order`, headers: app.admin, body: { kind, ids } })
}

async function homepage(kind: string): Promise<Line[]> {
  return (await app.call({ url: '/cms/homepage' })).body.slots[kind]
}

const idsOf = (lines: Line[]) => lines.map(({ id }) => id)
const inMs = (ms: number) => new Date(app.clock.now().getTime() + ms).toISOString()

describe('the homepage', () => {
  test('has every kind, also one with nothing to show', async () => {
    const { status, body } = await app.call({ url: '/cms/homepage' })
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body.slots), [...slotKinds])
  })

  test('a slot is written in any spelling of its kind and seen at once, its body as HTML', async () => {
    const { id, slug } = await made({ kind: 'Stat-strip', title: 'Uptime', body: 'Much', href: '/status', order: 3 })
    const shown = (await homepage('STAT_STRIP')).find((slot) => slot.id === id) as unknown as Record<string, unknown>
    const { bodyHtml, ...rest } = shown
    assert.match(String(bodyHtml), /^<p>Much<\/p>\s*$/)
    assert.deepEqual(rest, {
      ...{
        id,
        slug,
        kind: 'STAT_STRIP',
        title: 'Uptime',
        subtitle: null,
        body: 'Much',
        href: '/status',
        ctaLabel: null,
      },
      productSlug: null,
      links: [],
      order: 3,
      isActive: true,
      startsAt: null,
      endsAt: null,
      media: null,
    })
    await change(id, { title: 'Uptime of a year', body: null })
    const after = (await homepage('STAT_STRIP')).find((slot) => slot.id === id) as unknown as Record<string, unknown>
    assert.deepEqual([after['title'], after['body'], after['bodyHtml']], ['Uptime of a year', null, null])
  })

  test('a slot is shown from its start on and at its end no longer, and never while it is switched off', async () => {
    const slot = await made({ startsAt: inMs(1000), endsAt: inMs(3000) })
    const off = await made({ isActive: false })
    const isShown = async () => idsOf(await homepage('TESTIMONIAL')).includes(slot.id)
    assert.equal(await isShown(), false)
    app.clock.advance({ ms: 999 })
    assert.equal(await isShown(), false)
    app.clock.advance({ ms: 1 })
    assert.equal(await isShown(), true)
    app.clock.advance({ ms: 1999 })
    assert.equal(await isShown(), true)
    app.clock.advance({ ms: 1 })
    assert.equal(await isShown(), false)
    assert.ok(!idsOf(await homepage('TESTIMONIAL')).includes(off.id))
    await change(off.id, { isActive: true })
    assert.ok(idsOf(await homepage('TESTIMONIAL')).includes(off.id))
  })

  test('a slot of a product is shown while the product is public, also after a renaming, and not before', async () => {
    const product = async (method: string, place: string, body: object) =>
      (await app.call({ method, url: `/admin/products${place}`, headers: app.admin, body })).body.product
    const slug = unique('p')
    const { id } = await product('POST', '', { slug, name: 'Secret', type: 'app' })
    const slot = await made({ title: 'Soon', productSlug: slug, href: `/products/${slug}` })
    const isShown = async () => {
      const { body } = await app.call({ url: `${slots}/${slot.id}`, headers: app.admin })
      const isListed = idsOf(await homepage('TESTIMONIAL')).includes(slot.id)
      assert.equal(body.slot.isLive, isListed)
      return isListed
    }
    assert.equal(await isShown(), false)
    await product('PATCH', `/${id}`, { status: 'live' })
    assert.equal(await isShown(), true)
    await product('PATCH', `/${id}`, { slug: unique('q') })
    assert.equal(await isShown(), true)
    await product('PATCH', `/${id}`, { status: 'draft', force: true })
    assert.equal(await isShown(), false)
  })

  test('the first start puts a homepage in, and what was removed of it stays away', async () => {
    const seeded = (await homepage('HERO_SLIDE')).find(({ slug }) => slug === 'licenses-that-count')
    assert.ok(seeded, 'the hero slide of the first start')
    const remove = { method: 'DELETE', url: `${slots}/${seeded.id}`, headers: app.admin }
    assert.equal((await app.call(remove)).status, 204)
    const [welcome] = await homepage('HERO_SLIDE')
    await change(welcome?.id ?? '', { title: 'Ours' })
    await app.app.prepare()
    const now = (await homepage('HERO_SLIDE')) as unknown as { slug: string; title: string }[]
    assert.deepEqual(
      now.filter(({ slug }) => ['welcome', 'licenses-that-count'].includes(slug)).map(({ title }) => title),
      ['Ours'],
    )
  })
})

describe('homepage slots', () => {
  test('what leads nowhere good, contradicts itself or is not known is refused by name', async () => {
    const bad: [body: Record<string, unknown>, path: string, code?: string][] = [
      [{ kind: 'CAROUSEL' }, '/body/kind'],
      [{ href: 'javascript:alert(1)' }, '/body/href'],
      [{ href: '//evil.example' }, '/body/href'],
      [{ kind: 'FOOTER_LINKS', links: [{ label: 'a', href: 'data:,x' }] }, '/body/links/0/href'],
      [{ links: [{ label: 'a', href: '/a' }] }, '/body/links'],
      [{ startsAt: inMs(1000), endsAt: inMs(1000) }, '/body/endsAt'],
      [{ startsAt: '2016-12-31T23:59:60Z' }, '/body/startsAt'],
      [{ endsAt: '9999-12-31T23:59:59-01:00' }, '/body/endsAt'],
      [{ productSlug: 'no-such-product' }, '/body/productSlug', 'UNKNOWN_PRODUCT'],
      [{ slug: 'No Slug' }, '/body/slug'],
      [{ titel: 'x' }, '/body/titel'],
      [{ bodyHtml: '<script>' }, '/body/bodyHtml'],
    ]
    for (const [body, path, code = 'VALIDATION_ERROR'] of bad) {
      const reply = await create(body)
      assert.deepEqual([reply.status, reply.body.code, reply.body.errors?.[0]?.path], [400, code, path])
    }
    const { id } = await made({ startsAt: inMs(5000) })
    assert.equal((await change(id, { endsAt: inMs(4000) })).body.errors[0].path, '/body/endsAt')
  })

  test('markup in a slot is harmless text', async () => {
    const { id } = await made({ title: '<script>alert(1)</script>', body: '<img src=x onerror=alert(1)>' })
    const { slot } = (await app.call({ url: `${slots}/${id}`, headers: app.admin })).body
    assert.doesNotMatch(slot.bodyHtml, /<img|<script/)
  })

  test('a slug belongs to one slot', async () => {
    const slug = unique('slot')
    await made({ slug })
    assert.equal((await create({ slug, kind: 'CTA_BLOCK' })).body.code, 'SLUG_TAKEN')
  })

  test('a change says which revision it changes, and is written down', async () => {
    const { id, slug } = await made({ title: 'a' })
    const read = await app.call({ url: `${slots}/${id}`, headers: app.admin })
    const ifMatch = { 'if-match': read.headers['etag'] ?? '' }
    app.clock.advance({ ms: 1 })
    const done = await change(id, { title: 'b' }, ifMatch)
    assert.deepEqual([done.status, done.body.slot.revision], [200, 2])
    assert.equal((await change(id, { title: 'c' }, ifMatch)).status, 412)
    const unchanged = await change(id, { title: 'b', links: [] })
    assert.equal(unchanged.body.slot.revision, 2)
    const [entry, ...others] = await auditOfTarget(app, id)
    assert.deepEqual([entry?.action, entry?.changes], ['slot.update', { slug, fields: ['title'] }])
    assert.deepEqual(
      others.map(({ action }) => action),
      ['slot.create'],
    )
  })

  test('the list takes a kind in any case, and pages', async () => {
    await made({ kind: 'ANNOUNCEMENT_BAR', isActive: false })
    const { body } = await app.call({
      url: `${slots}?kind=announcement-bar&isActive=false&limit=1`,
      headers: app.admin,
    })
    assert.deepEqual([body.slots.length, body.slots[0].kind, body.slots[0].isLive], [1, 'ANNOUNCEMENT_BAR', false])
    assert.ok(body.pagination.total >= 1)
    assert.equal((await app.call({ url: `${slots}?kind=none`, headers: app.admin })).status, 400)
  })

  test('there are no more than 200 of a kind, however many are added at once', async () => {
    const logos = Array.from({ length: 195 }, (_, index) => ({
      kind: 'LOGO_STRIP',
      slug: unique('logo'),
      order: index,
    }))
    const bundle = { format: 'atrium.bundle', version: 1, parts: { slots: logos } }
    const url = '/admin/cms/bundle?dryRun=false'
    assert.equal((await app.call({ method: 'POST', url, headers: app.admin, body: bundle })).status, 200)
    const replies = await Promise.all(Array.from({ length: 10 }, () => create({ kind: 'LOGO_STRIP' })))
    const refused = replies.filter(({ status }) => status !== 201)
    assert.deepEqual(
      refused.map((reply) => reply.body.code),
      Array(5).fill('STATE_CONFLICT'),
    )
    const all = await homepage('LOGO_STRIP')
    assert.equal(new Set(all.map((slot) => slot.order)).size, 200)
    bundle.parts.slots = logos.slice(0, 1).map((logo) => ({ ...logo, slug: unique('logo') }))
    const tooMany = await app.call({ method: 'POST', url, headers: app.admin, body: bundle })
    assert.deepEqual([tooMany.status, tooMany.body.errors[0].path], [400, '/body/parts/slots'])
    for (const { id } of all) await deleteSlot(app.platform, id)
  })
})

describe('the order of slots', () => {
  test('slots stand in the order given, those not named behind them', async () => {
    const ids = idsOf([await made(), await made(), await made()])
    const before = idsOf(await homepage('TESTIMONIAL'))
    const wanted = [ids[2], ids[0]] as string[]
    const reply = await order('testimonial', wanted)
    assert.equal(reply.status, 200)
    const others = before.filter((id) => !wanted.includes(id))
    assert.deepEqual(idsOf(await homepage('TESTIMONIAL')), [...wanted, ...others])
    const all = reply.body.slots as Line[]
    assert.deepEqual(
      all.map((slot) => slot.order),
      all.map((_, index) => index),
    )
  })

  test('an order with a slot of another kind, an unknown one or one twice moves nothing', async () => {
    const ours = await made()
    const other = await made({ kind: 'CTA_BLOCK' })
    const before = idsOf(await homepage('TESTIMONIAL'))
    for (const last of [other.id, ours.id, '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57']) {
      const reply = await order('TESTIMONIAL', [ours.id, last])
      assert.deepEqual([reply.status, reply.body.errors[0].path], [400, '/body/ids/1'])
    }
    assert.deepEqual(idsOf(await homepage('TESTIMONIAL')), before)
  })

  test('of orders given at once the last one holds whole, and a slot added meanwhile is kept', async () => {
    const ids = idsOf(await Promise.all(Array.from({ length: 8 }, () => made({ kind: 'CTA_BLOCK' }))))
    const orders = Array.from({ length: 12 }, (_, turn) => [...ids.slice(turn % 8), ...ids.slice(0, turn % 8)])
    const [replies, added] = await Promise.all([
      Promise.all(orders.map((wanted) => order('CTA_BLOCK', wanted))),
      made({ kind: 'CTA_BLOCK' }),
    ])
    assert.ok(replies.every(({ status }) => status === 200))
    const now = idsOf(await homepage('CTA_BLOCK'))
    assert.ok(now.includes(added.id))
    const ofThese = now.filter((id) => ids.includes(id))
    assert.ok(
      orders.some((wanted) => wanted.join() === ofThese.join()),
      'a mixture of two orders',
    )
  })
})
