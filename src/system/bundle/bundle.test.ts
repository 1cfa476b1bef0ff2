import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Reply, type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { freshDatabase } from '../../../test/harness/database.ts'
import type { Database } from '../../storage/database.ts'
import { many, sql } from '../../storage/query.ts'

let app: TestApp

type Record_ = Record<string, unknown>
type Bundle = { format: string; version: number; parts: Record<string, Record_[]> }

let database: Database

before(async () => {
  // A site of its own: a bundle is about all there is.
  database = await freshDatabase()
  app = await testApp({ database })
})
after(async () => {
  await database.close()
})

const url = '/admin/cms/bundle'

async function exported(): Promise<Bundle> {
  const { status, body } = await app.call({ url, headers: app.admin })
  assert.equal(status, 200)
  return body
}

function send(body: unknown, query = ''): Promise<Reply> {
  return app.call({ method: 'POST', url: `${url}${query}`, headers: app.admin, body })
}

const write = (body: unknown, mode = 'merge') => send(body, `?dryRun=false&mode=${mode}`)
const bundleOf = (parts: Bundle['parts']): Bundle => ({ format: 'atrium.bundle', version: 1, parts })
const actionsOf = ({ body }: Reply) => new Set(body.changes.map(({ action }: { action: string }) => action))

/** Runs `work` on a site without slots and blocks, and puts back what was there. */
async function onEmptySite(work: () => Promise<void>): Promise<void> {
  const kept = await exported()
  try {
    assert.equal((await write(bundleOf({ slots: [], blocks: [] }), 'mirror')).status, 200)
    await work()
  } finally {
    assert.equal((await write(kept, 'mirror')).status, 200)
    assert.deepEqual((await exported()).parts, kept.parts)
  }
}

const full = bundleOf({
  slots: [
    {
      slug: 'bundled-hero',
      kind: 'HERO_SLIDE',
      title: 'Hello',
      subtitle: 'There',
      body: '# Big',
      order: 1,
      href: 'https://example.com/?a=b',
      ctaLabel: 'Go',
      productSlug: 'vault-vpn',
      isActive: false,
      startsAt: '2027-01-01T00:00:00.000Z',
      endsAt: '2027-02-01T00:00:00.000Z',
      links: [],
    },
    { slug: 'bundled-links', kind: 'footer-links', links: [{ label: 'Docs', href: '/docs' }] },
  ],
  blocks: [
    { key: 'bundled.json', type: 'json', value: { z: 1, a: [null, { b: 'c' }] }, description: 'Kept' },
    { key: 'bundled.markdown', type: 'markdown', value: '*Hi*' },
    { key: 'bundled.markdown', locale: 'PT-br', type: 'markdown', value: '*Oi*' },
    { key: 'bundled.null', type: 'json', value: null },
    { key: 'bundled.number', type: 'number', value: -0.5 },
  ],
})

describe('a bundle', () => {
  test('taken out, put into an empty site and taken out again is the same, and put in twice changes nothing', async () => {
    await onEmptySite(async () => {
      const first = await write(full)
      assert.deepEqual([first.status, first.body.counts], [200, { create: 7, update: 0, keep: 0, remove: 0 }])
      const one = await exported()
      assert.deepEqual(
        one.parts['blocks']?.map((block) => [block['key'], block['locale']]),
        [
          ['bundled.json', 'en'],
          ['bundled.markdown', 'en'],
          ['bundled.markdown', 'pt-BR'],
          ['bundled.null', 'en'],
          ['bundled.number', 'en'],
        ],
      )
      assert.doesNotMatch(JSON.stringify(one.parts), /"(id|revision|createdAt|updatedAt)"/)
      await write(bundleOf({ slots: [], blocks: [] }), 'mirror')
      assert.deepEqual((await exported()).parts, { ...one.parts, slots: [], blocks: [] })
      assert.equal((await write(one)).body.counts.create, 7)
      const two = await exported()
      assert.deepEqual(two.parts, one.parts)
      const again = await write(two, 'mirror')
      assert.deepEqual(
        [actionsOf(again), again.body.counts.keep],
        [new Set(['keep']), 10],
        'the products of the program, too',
      )
      const { block } = (await app.call({ url: '/cms/blocks/bundled.markdown' })).body
      assert.match(block.html, /^<p>/)
    })
  })

  test('says first what it would change and writes nothing, unless told to', async () => {
    await onEmptySite(async () => {
      for (const query of ['', '?dryRun=true', '?mode=mirror']) {
        const { body } = await send(full, query)
        assert.deepEqual([body.dryRun, body.counts.create], [true, 7])
      }
      assert.deepEqual((await exported()).parts['blocks'], [])
      await write(full)
      const changed = structuredClone(full)
      Object.assign(changed.parts['slots']?.[0] ?? {}, { title: 'Other', links: [] })
      changed.parts['blocks']?.pop()
      const planned = (await send(changed, '?mode=mirror')).body.changes
      const done = (await write(changed, 'mirror')).body.changes
      assert.deepEqual(done, planned)
      assert.deepEqual(
        done.filter(({ action }: { action: string }) => action !== 'keep'),
        [
          { part: 'slots', key: 'bundled-hero', action: 'update', fields: ['title'] },
          { part: 'blocks', key: 'bundled.number@en', action: 'remove', fields: [] },
        ],
      )
    })
  })

  test('leaves what it does not name, unless it is to be a mirror; a part it lacks is left in either way', async () => {
    await onEmptySite(async () => {
      await write(full)
      await write(bundleOf({ blocks: [{ key: 'bundled.more', type: 'text', value: 'x' }] }))
      assert.equal((await exported()).parts['blocks']?.length, 6)
      await write(bundleOf({ blocks: [{ key: 'bundled.more', type: 'text', value: 'x' }] }), 'mirror')
      const { parts } = await exported()
      assert.deepEqual([parts['blocks']?.length, parts['slots']?.length], [1, 2])
    })
  })

  test('with one bad record is refused by its place, and nothing of it is written', async () => {
    const good = { key: 'bundled.good', type: 'text', value: 'x' }
    const slot = { slug: 'bundled-slot', kind: 'HERO_SLIDE' }
    const bad: [body: unknown, path: string][] = [
      [{ ...full, format: 'other' }, '/body/format'],
      [{ ...full, version: 2 }, '/body/version'],
      [bundleOf({ bloks: [] }), '/body/parts/bloks'],
      [bundleOf({ blocks: [good, { ...good, key: 'NO' }] }), '/body/parts/blocks/1/key'],
      [bundleOf({ blocks: [good, { ...good, key: 'b', type: 'number' }] }), '/body/parts/blocks/1/value'],
      [bundleOf({ blocks: [good, { ...good, key: 'b', locale: '..' }] }), '/body/parts/blocks/1/locale'],
      [bundleOf({ blocks: [good, { ...good, locale: 'EN' }] }), '/body/parts/blocks/1'],
      [bundleOf({ blocks: [{ ...good, id: 'x' }] }), '/body/parts/blocks/0/id'],
      [bundleOf({ slots: [slot, slot], blocks: [good] }), '/body/parts/slots/1'],
      [bundleOf({ slots: [{ ...slot, kind: 'NONE' }] }), '/body/parts/slots/0/kind'],
      [bundleOf({ slots: [{ ...slot, href: 'javascript:a' }] }), '/body/parts/slots/0/href'],
      [bundleOf({ slots: [{ ...slot, links: [{ label: 'a', href: '/' }] }] }), '/body/parts/slots/0/links'],
      [bundleOf({ slots: [slot], blocks: [{ ...good, value: 1 }] }), '/body/parts/blocks/0/value'],
    ]
    for (const [body, path] of bad) {
      for (const query of ['', '?dryRun=false', '?dryRun=false&mode=mirror']) {
        const reply = await send(body, query)
        assert.deepEqual([reply.status, reply.body.errors?.[0]?.path], [400, path], query)
      }
    }
    const { parts } = await exported()
    assert.doesNotMatch(JSON.stringify(parts), /bundled/)
  })

  test('is written down once, with what it changed, and the public sees it at once', async () => {
    const key = unique('bundled')
    const bundle = bundleOf({ blocks: [{ key, type: 'text', value: 'x' }] })
    const entries = () =>
      many(app.platform, sql<{ changes: object }>`select changes from audit_log where action = 'bundle.import'`)
    const before = (await entries()).length
    await write(bundle)
    assert.equal((await app.call({ url: `/cms/blocks/${key}` })).body.block.value, 'x')
    await write(bundle)
    const after = await entries()
    assert.equal(after.length, before + 1)
    assert.ok(
      after.some(({ changes }) => JSON.stringify(changes).includes('"create":1')),
      JSON.stringify(after.at(-1)),
    )
  })

  test('is offered as a file', async () => {
    const { headers, body } = await app.call({ url, headers: app.admin })
    assert.match(headers['content-disposition'] ?? '', /^attachment; filename="atrium-bundle-\d{4}-\d\d-\d\d\.json"$/)
    assert.deepEqual([body.format, body.version, body.exportedAt], ['atrium.bundle', 1, app.clock.now().toISOString()])
  })

  test('may be larger than other bodies', async () => {
    const blocks = Array.from({ length: 30 }, (_, index) => ({
      key: `big.${index}`,
      type: 'text',
      value: 'x'.repeat(20_000),
    }))
    const { status, body } = await send(bundleOf({ blocks }))
    assert.deepEqual([status, body.counts.create], [200, 30])
  })

  test('imported twice at once is imported once', async () => {
    await onEmptySite(async () => {
      const replies = await Promise.all(Array.from({ length: 4 }, () => write(full)))
      const created = replies.map(({ status, body }) => [status, body.counts?.create]).sort()
      assert.deepEqual(created, [
        [200, 0],
        [200, 0],
        [200, 0],
        [200, 7],
      ])
    })
  })

  test('and single changes at once lose nothing: each change is before the bundle or after it', async () => {
    const key = unique('bundled')
    await write(bundleOf({ blocks: [{ key, type: 'number', value: -1 }] }))
    const put = (value: number) =>
      app.call({
        method: 'PUT',
        url: `/admin/cms/blocks/by-key/${key}`,
        headers: app.admin,
        body: { type: 'number', value },
      })
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, value) =>
        value % 3 === 0 ? write(bundleOf({ blocks: [{ key, type: 'number', value }] })) : put(value),
      ),
    )
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
    const { blocks } = (await app.call({ url: `/admin/cms/blocks?prefix=${key}`, headers: app.admin })).body
    assert.deepEqual(
      blocks.map(({ revision }: { revision: number }) => revision),
      [13],
    )
  })

  test('of products and pages loses no change that is made beside it, and none is made twice', async () => {
    const slug = unique('raced')
    const bundle = (name: string) =>
      bundleOf({
        products: [{ slug, name, type: 'API', features: [{ slug: 'one', title: name }] }],
        pages: [{ slug, title: name }],
      })
    const made = await Promise.all(Array.from({ length: 3 }, () => write(bundle('A'))))
    assert.deepEqual(made.map(({ body }) => body.counts?.create).sort(), [0, 0, 2])
    const lists = { product: '/admin/products', page: '/admin/cms/pages' }
    const find = async (list: string, many: string) =>
      (await app.call({ url: `${list}?q=${slug}`, headers: app.admin })).body[many][0]
    const product = await find(lists.product, 'products')
    const page = await find(lists.page, 'pages')
    const changes = Array.from({ length: 12 }, (_, count) => {
      const change = { headers: app.admin, body: { [count % 2 ? 'name' : 'title']: `B ${count}` } }
      if (count % 3 === 0) return write(bundle(`C ${count}`))
      if (count % 2) return app.call({ method: 'PATCH', url: `${lists.product}/${product.id}`, ...change })
      return app.call({ method: 'PUT', url: `${lists.page}/${page.id}`, ...change })
    })
    const replies = await Promise.all(changes)
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
    const [after, afterPage] = [await find(lists.product, 'products'), await find(lists.page, 'pages')]
    // Four bundles, four changes of each.
    assert.deepEqual([after.revision - product.revision, afterPage.revision - page.revision], [8, 8])
  })
})
