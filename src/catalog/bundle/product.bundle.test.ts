import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { unique } from '../../../test/harness/app.ts'
import { completeProduct, type JsonObject, releasedAt } from '../../../test/harness/bundled-product.ts'
import { type BundleSite, bundleSite, told } from '../../../test/harness/bundles.ts'
import type { MediaLibrary, MediaSummary } from '../../content/index.ts'
import { newId } from '../../kernel/ids.ts'
import { transaction } from '../../storage/scope.ts'
import { markup } from '../../text/markup.ts'
import { productBundlePart } from './product.bundle.ts'

let site: BundleSite

before(async () => {
  site = await bundleSite()
})
after(() => site.close())

const public_ = (slug: string) => site.app.call({ url: `/products/${slug}` })
const admin = async (slug: string): Promise<JsonObject> => {
  const { body } = await site.app.call({ url: `/admin/products?q=${slug}`, headers: site.app.admin })
  const found = body.products.find((product: JsonObject) => product['slug'] === slug)
  assert.ok(found, slug)
  return found
}
const recordOf = async (slug: string): Promise<JsonObject> =>
  (await site.partsOf())['products']?.find((record) => record['slug'] === slug) ?? {}
const oneOf = <T>(record: JsonObject, list: string, index = 0) => (record[list] as T[])[index] as T

describe('a product in a bundle', () => {
  test('copies everything that belongs to it to another installation byte for byte, and a second import changes nothing', async () => {
    const [draft, live, ended] = [unique('draft'), unique('live'), unique('ended')]
    const made = await site.write({
      products: [
        completeProduct(draft, { status: 'draft' }),
        completeProduct(live),
        // Its replacement comes later in the bundle, and `sunsetAt` may be in the past.
        completeProduct(ended, { status: 'sunset', sunsetAt: '2020-01-01T00:00:00Z', replacedBy: `${ended}-2` }),
        completeProduct(`${ended}-2`, { formerSlugs: [] }),
      ],
    })
    assert.equal(made.body.counts.create, 4)
    const bytes = await site.exported()
    assert.doesNotMatch(bytes, /"(id|productId|html|descriptionHtml|revision|createdAt|updatedAt)":/)
    const other = await bundleSite()
    try {
      assert.deepEqual(told(await other.write(JSON.parse(bytes), 'mirror')).length, 4)
      assert.deepEqual(await other.partsOf(), JSON.parse(bytes))
      assert.ok((await other.exported()) === bytes)
      for (const mode of ['merge', 'mirror'] as const) {
        const { body } = await other.write(JSON.parse(bytes), mode)
        assert.deepEqual({ ...body.counts, keep: 0 }, { create: 0, update: 0, keep: 0, remove: 0 })
      }
    } finally {
      await other.close()
    }
  })

  test('is stored as if an administrator had sent it: words, codes and versions are parsed and texts rendered', async () => {
    const slug = unique('read')
    await site.write({ products: [completeProduct(slug)] })
    const { body } = await public_(slug)
    const { product } = body
    assert.deepEqual([product.type, product.typeLabel], ['SERVICE', 'service'])
    assert.deepEqual([product.status, product.statusLabel], ['COMING_SOON', 'development'])
    assert.equal(product.announcedAt, site.app.clock.now().toISOString())
    assert.equal(product.descriptionHtml, '<p>In <strong>one</strong> place.</p>\n')
    assert.deepEqual(product.tags, ['b', 'a'])
    assert.deepEqual(
      product.features.map((feature: JsonObject) => [feature['slug'], feature['order']]),
      [
        ['zoom', 0],
        ['crop', 1],
      ],
    )
    assert.deepEqual([product.plans[0].code, product.plans[0].currency], ['PRO', 'EUR'])
    assert.deepEqual(
      product.versions.map(({ version, channel }: JsonObject) => [version, channel]),
      [
        ['1.2.0-beta.1', 'beta'],
        ['1.1.0', 'stable'],
      ],
    )
    assert.match(product.versions[0].notesHtml, /<em>Fast<\/em>/)
    assert.equal(product.downloads.length, 3)
    const found = await site.app.call({ url: `/products/${slug}/docs?q=zebra` })
    assert.deepEqual([found.body.results[0].slug, found.body.sections[1].parent], ['second', 'outer'])
    const moved = await site.app.call({ url: `/products/${slug}-old` })
    assert.deepEqual([moved.status, moved.headers['location']], [301, slug])
  })

  test('counts one revision for any number of changes, and none without a change', async () => {
    const slug = unique('counted')
    await site.write({ products: [completeProduct(slug)] })
    const before = await admin(slug)
    await site.write({ products: [completeProduct(slug)] })
    assert.equal((await admin(slug))['revision'], before['revision'])
    const changed = await recordOf(slug)
    oneOf<JsonObject>(changed, 'docs')['title'] = 'Other'
    oneOf<JsonObject>(changed, 'plans')['name'] = 'Larger'
    assert.deepEqual(told(await site.write({ products: [changed] })), [`${slug} update plans/PRO docs/first`])
    const after = await admin(slug)
    assert.equal(after['revision'], Number(before['revision']) + 1)
    const ids = (product: JsonObject, list: string) => (product[list] as JsonObject[]).map(({ id }) => id)
    for (const list of ['features', 'plans', 'media', 'versions', 'downloads'])
      assert.deepEqual(ids(after, list), ids(before, list), list)
    const docs = await site.app.call({ url: `/admin/products/${after['id']}/docs`, headers: site.app.admin })
    assert.deepEqual(docs.body.docs.map((doc: JsonObject) => [doc['slug'], doc['revision']]).sort(), [
      ['first', 2],
      ['second', 1],
    ])
  })

  test('keeps records that it does not name in a merge and loses them in a mirror; an absent list stays in both', async () => {
    const slug = unique('merged')
    await site.write({ products: [completeProduct(slug)] })
    const {
      features: _,
      docs: __,
      ...less
    } = completeProduct(slug, {
      plans: [],
      docSections: [{ slug: 'outer', title: 'Outer' }],
      formerSlugs: [],
      versions: [{ version: '2.0.0', releasedAt }],
    })
    const { downloads: _downloads, ...rest } = less
    assert.deepEqual(told(await site.write({ products: [rest] })), [`${slug} update versions/2.0.0`])
    const merged = await recordOf(slug)
    assert.deepEqual([(merged['plans'] as []).length, merged['formerSlugs']], [1, [`${slug}-old`]])
    const others = ((await site.partsOf())['products'] ?? []).filter((record) => record['slug'] !== slug)
    assert.deepEqual(told(await site.write({ products: [...others, rest] }, 'mirror')), [
      [
        `${slug} update formerSlugs plans/PRO docSections/inner docs/second versions/1.2.0-beta.1 versions/1.1.0`,
        // It is removed with its version.
        'downloads/1.2.0-beta.1 SDK any any -',
      ].join(' '),
    ])
    const mirrored = await recordOf(slug)
    assert.deepEqual([(mirrored['features'] as []).length, (mirrored['downloads'] as []).length], [2, 2])
    assert.deepEqual(
      (mirrored['docs'] as JsonObject[]).map((doc) => [doc['slug'], doc['section']]),
      [
        ['second', null],
        ['first', null],
      ],
    )
    assert.equal((await public_(`${slug}-old`)).status, 404)
  })

  test('reorders features, with those that a merge does not name at the end', async () => {
    const slug = unique('placed')
    const features = (...slugs: string[]) => slugs.map((name) => ({ slug: name, title: name }))
    const write = async (...slugs: string[]) =>
      told(await site.write({ products: [completeProduct(slug, { features: features(...slugs) })] }))
    const places = async () => ((await recordOf(slug))['features'] as JsonObject[]).map((feature) => feature['slug'])
    await write('one', 'two', 'three')
    assert.deepEqual(await write('three', 'one'), [`${slug} update features`])
    assert.deepEqual(await places(), ['three', 'one', 'two'])
    assert.deepEqual(await write('new', 'three', 'one'), [`${slug} update features/new features`])
    assert.deepEqual(await write('new', 'three', 'one', 'two', 'last'), [`${slug} update features/last`])
    assert.deepEqual(await places(), ['new', 'three', 'one', 'two', 'last'])
  })

  test('starts with any status and may move back; a draft cannot become deprecated', async () => {
    const slug = unique('status')
    const write = async (status: string) => site.write({ products: [completeProduct(slug, { status })] })
    await write('retired')
    const { deprecatedAt } = await admin(slug)
    assert.ok(deprecatedAt)
    await write('LIVE')
    await write('draft')
    const hidden = await admin(slug)
    assert.deepEqual([hidden['status'], hidden['deprecatedAt']], ['DRAFT', deprecatedAt])
    const bytes = await site.exported()
    const refused = await write('DEPRECATED')
    assert.deepEqual([refused.status, refused.body.code], [409, 'STATE_CONFLICT'])
    assert.match(refused.body.detail, /^\/body\/parts\/products\/0\/status: A product cannot go from DRAFT to/)
    assert.equal(await site.exported(), bytes)
  })

  test('is not removed by a mirror while others name it, and then nothing is written', async () => {
    const named = unique('named')
    await site.write({ products: [completeProduct(named)] })
    await site.app.apiKey(await site.app.tenant(), { products: [named] })
    const kept = await site.partsOf()
    const draft = unique('removable')
    await site.write({ products: [completeProduct(draft, { status: 'DRAFT' })] })
    const bytes = await site.exported()
    const products = kept['products'] ?? []
    const without = (slug: string) => products.filter((record) => record['slug'] !== slug)
    for (const slug of ['vault-vpn', named]) {
      const { status, body } = await site.write(
        { products: [...without(slug), completeProduct(unique('new'))] },
        'mirror',
      )
      assert.deepEqual([status, body.code], [409, 'STATE_CONFLICT'])
      assert.ok(body.detail.includes(slug), body.detail)
      assert.equal(await site.exported(), bytes)
    }
    assert.deepEqual(told(await site.write({ products }, 'mirror')), [`${draft} remove`])
    assert.equal(await site.exported(), JSON.stringify(kept))
  })

  test('takes over former slugs, but never the slug of a product', async () => {
    const [one, two, taken] = [unique('one'), unique('two'), unique('taken')]
    await site.write({ products: [completeProduct(one), completeProduct(taken, { formerSlugs: [] })] })
    assert.deepEqual(told(await site.write({ products: [completeProduct(one, { formerSlugs: [taken] })] })), [])
    await site.write({ products: [completeProduct(two, { formerSlugs: [`${one}-old`] })] })
    assert.equal((await public_(`${one}-old`)).headers['location'], two)
    const back = { products: [completeProduct(one), completeProduct(two, { formerSlugs: [] })] }
    assert.deepEqual(told(await site.write(back)), [`${one} update formerSlugs`, `${two} update formerSlugs`])
    assert.deepEqual(told(await site.write(back)), [])
    assert.equal((await public_(`${one}-old`)).headers['location'], one)
  })
})

describe('the files of a product', () => {
  const line = (name: string): MediaSummary => ({
    id: newId(new Date()),
    filename: `${name}.webp`,
    mimeType: 'image/webp',
    kind: 'IMAGE',
    size: 9,
    sha256: name.repeat(64),
    width: 8,
    height: 6,
    alt: null,
    url: `/media/${name}`,
    variants: {},
  })
  const files = ['a', 'b', 'c'].map(line)

  test('are identified by content, reported to the media library, and may have other names elsewhere', async () => {
    const uses = new Map<string, string[]>()
    const media: MediaLibrary = {
      find: async (_scope, ids) => new Map(files.filter(({ id }) => ids.includes(id)).map((file) => [file.id, file])),
      setUses: async (_tx, { kind, label }, ids) => void uses.set(`${kind} ${label}`, ids),
    }
    const part = productBundlePart({
      clock: site.app.clock,
      media,
      releaseMedia: async () => undefined,
      updateMediaUses: async (_tx, { slug }) => void uses.set(slug, []),
      findMediaByDigest: async (_scope, digests) =>
        new Map(files.filter(({ sha256 }) => digests.includes(sha256)).map(({ sha256, id }) => [sha256, id])),
    })
    const [a, b, c] = files.map(({ sha256 }) => ({ sha256, filename: 'elsewhere.webp' }))
    const slug = unique('filed')
    const record = {
      slug,
      name: 'A',
      type: 'API',
      iconMedia: a,
      seo: { image: b },
      media: [{ kind: 'VIDEO', media: b, posterMedia: c }],
      downloads: [{ kind: 'DOC', media: c }],
    }
    const ask = (records: JsonObject[]) => ({ records, mode: 'merge' as const, markup })
    await transaction(site.app.platform, (tx) => part.apply(tx, ask([record])))
    assert.deepEqual(
      [...uses],
      [
        [`download ${slug} c.webp`, [files[2]?.id]],
        [slug, []],
      ],
    )
    const [kept] = await part.plan(site.app.platform, ask([record]))
    assert.equal(kept?.action, 'keep')
    const exported = (await part.export(site.app.platform)).find((one) => one['slug'] === slug) ?? {}
    assert.deepEqual(exported['iconMedia'], { sha256: a?.sha256, filename: 'a.webp' })
    assert.deepEqual((exported['downloads'] as JsonObject[])[0]?.['sizeBytes'], 9)
    const [changed] = await transaction(site.app.platform, (tx) => part.apply(tx, ask([{ ...record, iconMedia: c }])))
    assert.deepEqual(changed?.fields, ['iconMedia'])
    await transaction(site.app.platform, async (tx) => {
      const bare = { ...record, iconMedia: null, seo: null, media: [], downloads: [] }
      const others = (await part.export(tx)).filter((one) => one['slug'] !== slug)
      await part.apply(tx, { ...ask([...others, bare]), mode: 'mirror' })
    })
    assert.deepEqual(uses.get(`download ${slug} c.webp`), [])
  })
})
