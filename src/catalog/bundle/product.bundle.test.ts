import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { unique } from '../../../test/harness/app.ts'
import { type BundleParts, type BundleSite, bundleSite, told } from '../../../test/harness/bundles.ts'
import type { MediaLibrary, MediaLine } from '../../content/index.ts'
import { newId } from '../../kernel/ids.ts'
import { markup } from '../../kernel/markup/markup.ts'
import { transaction } from '../../storage/scope.ts'
import { productPart } from './product.bundle.ts'

let site: BundleSite

before(async () => {
  site = await bundleSite()
})
after(() => site.close())

type Record_ = Record<string, unknown>

const releasedAt = '2025-01-02T03:04:05.000Z'

/** A product with something in every list. */
function whole(slug: string, overrides: Record_ = {}): Record_ {
  return {
    ...{ slug, name: 'Photo Lab', type: 'service', status: 'development', description: 'In **one** place.' },
    ...{ tagline: 'Pictures', tags: ['b', 'a', 'b'], links: { repo: 'https://git.example/a' }, sortOrder: 7 },
    seo: { title: 'Photos', noindex: true },
    formerSlugs: [`${slug}-old`],
    features: [
      { slug: 'zoom', title: 'Zoom', availability: { PRO: 'much', FREE: false } },
      { slug: 'crop', title: 'Crop' },
    ],
    plans: [{ code: 'pro', name: 'Pro', priceCents: 900, currency: 'eur', interval: 'month' }],
    media: [{ kind: 'VIDEO', url: 'https://video.example/1', caption: 'A tour' }],
    docSections: [
      { slug: 'inner', title: 'Inner', parent: 'outer' },
      { slug: 'outer', title: 'Outer' },
    ],
    docs: [
      { slug: 'second', title: 'Second', markdown: '# Zebras', section: 'inner', status: 'PUBLISHED' },
      { slug: 'first', title: 'First', markdown: 'x <script>', seo: { noindex: true } },
    ],
    versions: [
      { version: 'v1.2.0-beta.1', releasedAt, notes: '- *Fast*', minRequirements: { node: '24', macos: '13' } },
      { version: '1.1.0', releasedAt, yanked: true, yankReason: 'Loses settings.' },
    ],
    downloads: [
      { kind: 'SDK', version: '1.2.0-beta.1', externalUrl: 'https://downloads.example.com/a.tgz' },
      { kind: 'CLI', installCommand: 'npm install @example/a', platform: 'linux', requiresLicense: true },
      { kind: 'CLI', installCommand: 'brew install a', platform: 'linux' },
    ],
    ...overrides,
  }
}

const public_ = (slug: string) => site.app.call({ url: `/products/${slug}` })
const admin = async (slug: string): Promise<Record_> => {
  const { body } = await site.app.call({ url: `/admin/products?q=${slug}`, headers: site.app.admin })
  const found = body.products.find((product: Record_) => product['slug'] === slug)
  assert.ok(found, slug)
  return found
}
const recordOf = async (slug: string): Promise<Record_> =>
  (await site.partsOf())['products']?.find((record) => record['slug'] === slug) ?? {}
const oneOf = <T>(record: Record_, list: string, index = 0) => (record[list] as T[])[index] as T

describe('a product in a bundle', () => {
  test('brings all that belongs to it to another installation, byte for byte, and the second time changes nothing', async () => {
    const [draft, live, ended] = [unique('draft'), unique('live'), unique('ended')]
    const made = await site.write({
      products: [
        whole(draft, { status: 'draft' }),
        whole(live),
        // Its replacement comes behind it, and what ended may have ended long ago.
        whole(ended, { status: 'sunset', sunsetAt: '2020-01-01T00:00:00Z', replacedBy: `${ended}-2` }),
        whole(`${ended}-2`, { formerSlugs: [] }),
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

  test('is what an administrator would have made: words, codes and versions are read, texts are rendered here', async () => {
    const slug = unique('read')
    await site.write({ products: [whole(slug)] })
    const { body } = await public_(slug)
    const { product } = body
    assert.deepEqual([product.type, product.typeLabel], ['SERVICE', 'service'])
    assert.deepEqual([product.status, product.statusLabel], ['COMING_SOON', 'development'])
    assert.equal(product.announcedAt, site.app.clock.now().toISOString())
    assert.equal(product.descriptionHtml, '<p>In <strong>one</strong> place.</p>\n')
    assert.deepEqual(product.tags, ['b', 'a'])
    assert.deepEqual(
      product.features.map((feature: Record_) => [feature['slug'], feature['order']]),
      [
        ['zoom', 0],
        ['crop', 1],
      ],
    )
    assert.deepEqual([product.plans[0].code, product.plans[0].currency], ['PRO', 'EUR'])
    assert.deepEqual(
      product.versions.map(({ version, channel }: Record_) => [version, channel]),
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

  test('counts one revision however much of it differs, and none where nothing does', async () => {
    const slug = unique('counted')
    await site.write({ products: [whole(slug)] })
    const before = await admin(slug)
    await site.write({ products: [whole(slug)] })
    assert.equal((await admin(slug))['revision'], before['revision'])
    const changed = await recordOf(slug)
    oneOf<Record_>(changed, 'docs')['title'] = 'Other'
    oneOf<Record_>(changed, 'plans')['name'] = 'Larger'
    assert.deepEqual(told(await site.write({ products: [changed] })), [`${slug} update plans/PRO docs/first`])
    const after = await admin(slug)
    assert.equal(after['revision'], Number(before['revision']) + 1)
    const ids = (product: Record_, list: string) => (product[list] as Record_[]).map(({ id }) => id)
    for (const list of ['features', 'plans', 'media', 'versions', 'downloads'])
      assert.deepEqual(ids(after, list), ids(before, list), list)
    const docs = await site.app.call({ url: `/admin/products/${after['id']}/docs`, headers: site.app.admin })
    assert.deepEqual(docs.body.docs.map((doc: Record_) => [doc['slug'], doc['revision']]).sort(), [
      ['first', 2],
      ['second', 1],
    ])
  })

  test('keeps in a merge what it does not name and loses it in a mirror; a list that is absent stays in either', async () => {
    const slug = unique('merged')
    await site.write({ products: [whole(slug)] })
    const {
      features: _,
      docs: __,
      ...less
    } = whole(slug, {
      ...{ plans: [], docSections: [{ slug: 'outer', title: 'Outer' }], formerSlugs: [] },
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
        // It goes with its version.
        'downloads/1.2.0-beta.1 SDK any any -',
      ].join(' '),
    ])
    const mirrored = await recordOf(slug)
    assert.deepEqual([(mirrored['features'] as []).length, (mirrored['downloads'] as []).length], [2, 2])
    assert.deepEqual(
      (mirrored['docs'] as Record_[]).map((doc) => [doc['slug'], doc['section']]),
      [
        ['second', null],
        ['first', null],
      ],
    )
    assert.equal((await public_(`${slug}-old`)).status, 404)
  })

  test('moves features to their places, behind them in a merge those it does not name', async () => {
    const slug = unique('placed')
    const features = (...slugs: string[]) => slugs.map((name) => ({ slug: name, title: name }))
    const write = async (...slugs: string[]) =>
      told(await site.write({ products: [whole(slug, { features: features(...slugs) })] }))
    const places = async () => ((await recordOf(slug))['features'] as Record_[]).map((feature) => feature['slug'])
    await write('one', 'two', 'three')
    assert.deepEqual(await write('three', 'one'), [`${slug} update features`])
    assert.deepEqual(await places(), ['three', 'one', 'two'])
    assert.deepEqual(await write('new', 'three', 'one'), [`${slug} update features/new features`])
    assert.deepEqual(await write('new', 'three', 'one', 'two', 'last'), [`${slug} update features/last`])
    assert.deepEqual(await places(), ['new', 'three', 'one', 'two', 'last'])
  })

  test('begins with any status, and goes back as with force; what nobody saw is not withdrawn later', async () => {
    const slug = unique('status')
    const write = async (status: string) => site.write({ products: [whole(slug, { status })] })
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
    assert.match(refused.body.detail, /^\/body\/parts\/products\/0\/status: A product does not go from DRAFT to/)
    assert.equal(await site.exported(), bytes)
  })

  test('is not removed by a mirror where others may name it, and then nothing is written', async () => {
    const kept = await site.partsOf()
    const draft = unique('removable')
    await site.write({ products: [whole(draft, { status: 'DRAFT' })] })
    const bytes = await site.exported()
    const products = kept['products'] ?? []
    const without = (slug: string) => products.filter((record) => record['slug'] !== slug)
    const seen = products.find(({ status }) => status === 'development')?.['slug'] as string
    for (const slug of ['vault-vpn', seen]) {
      const { status, body } = await site.write({ products: [...without(slug), whole(unique('new'))] }, 'mirror')
      assert.deepEqual([status, body.code], [409, 'STATE_CONFLICT'])
      assert.ok(body.detail.startsWith(slug), body.detail)
      assert.equal(await site.exported(), bytes)
    }
    assert.deepEqual(told(await site.write({ products }, 'mirror')), [`${draft} remove`])
    assert.equal(await site.exported(), JSON.stringify(kept))
  })

  test('takes former slugs over, but never one that a product has', async () => {
    const [one, two, taken] = [unique('one'), unique('two'), unique('taken')]
    await site.write({ products: [whole(one), whole(taken, { formerSlugs: [] })] })
    assert.deepEqual(told(await site.write({ products: [whole(one, { formerSlugs: [taken] })] })), [])
    await site.write({ products: [whole(two, { formerSlugs: [`${one}-old`] })] })
    assert.equal((await public_(`${one}-old`)).headers['location'], two)
    const back = { products: [whole(one), whole(two, { formerSlugs: [] })] }
    assert.deepEqual(told(await site.write(back)), [`${one} update formerSlugs`, `${two} update formerSlugs`])
    assert.deepEqual(told(await site.write(back)), [])
    assert.equal((await public_(`${one}-old`)).headers['location'], one)
  })
})

describe('a bundle with a product that is not good', () => {
  const file = { sha256: 'a'.repeat(64), filename: 'a.webp' }
  const cases: [overrides: Record_, path: string][] = [
    [{ type: 'gadget' }, '/type'],
    [{ status: 'gone' }, '/status'],
    [{ name: '' }, '/name'],
    [{ slug: 'No' }, '/slug'],
    [{ html: '<script>' }, '/html'],
    [{ sunsetAt: releasedAt }, '/sunsetAt'],
    [{ status: 'sunset', replacedBy: 'nobody-has-this' }, '/replacedBy'],
    [{ iconMedia: file }, '/iconMedia/sha256'],
    [{ seo: { image: file } }, '/seo/image/sha256'],
    [{ formerSlugs: ['x'] }, '/formerSlugs/0'],
    [
      {
        features: [
          { slug: 'aa', title: 'A' },
          { slug: 'aa', title: 'B' },
        ],
      },
      '/features/1',
    ],
    [{ features: [{ title: 'A' }] }, '/features/0/slug'],
    [{ features: Array.from({ length: 201 }, (_, n) => ({ slug: `f-${n}`, title: 'A' })) }, '/features'],
    [{ plans: [{ code: '?', name: 'A' }] }, '/plans/0/code'],
    [{ plans: [{ code: 'A', name: 'A', priceCents: 1 }] }, '/plans/0/currency'],
    [{ plans: [{ code: 'A', name: 'A', priceCents: 1, currency: 'ABC' }] }, '/plans/0/currency'],
    [
      {
        plans: [
          { code: 'a b', name: 'A' },
          { code: 'A_B', name: 'B' },
        ],
      },
      '/plans/1',
    ],
    [{ media: [{ kind: 'LOGO', url: 'https://example.com/a' }] }, '/media/0/alt'],
    [{ media: [{ kind: 'LOGO', alt: 'A' }] }, '/media/0/media'],
    [{ media: [{ kind: 'LOGO', alt: 'A', media: file }] }, '/media/0/media/sha256'],
    [{ docSections: [{ slug: 'aa', title: 'A', parent: 'aa' }] }, '/docSections/0/parent'],
    [
      {
        docSections: [
          { slug: 'aa', title: 'A', parent: 'bb' },
          { slug: 'bb', title: 'B', parent: 'aa' },
        ],
      },
      '/docSections/0/parent',
    ],
    [{ docSections: [{ slug: 'aa', title: 'A', parent: 'none' }] }, '/docSections/0/parent'],
    [{ docs: [{ slug: 'aa', title: 'A', markdown: 'a', section: 'none' }] }, '/docs/0/section'],
    [
      { docs: [{ slug: 'aa', title: 'A', markdown: `[a]: b "${'t'.repeat(90_000)}"\n\n${'[a] '.repeat(25_000)}` }] },
      '/docs/0/markdown',
    ],
    [{ versions: [{ version: 'one', releasedAt }] }, '/versions/0/version'],
    [{ versions: [{ version: '1.0.0' }] }, '/versions/0/releasedAt'],
    [{ versions: [{ version: '1.0.0', releasedAt: '2999-01-01T00:00:00Z' }] }, '/versions/0/releasedAt'],
    [{ versions: [{ version: '1.0.0', releasedAt, yankReason: 'a' }] }, '/versions/0/yankReason'],
    [
      {
        versions: [
          { version: '1.0.0', releasedAt },
          { version: 'v1.0.0', releasedAt },
        ],
      },
      '/versions/1',
    ],
    [{ downloads: [{ kind: 'SDK' }] }, '/downloads/0/media'],
    [{ downloads: [{ kind: 'SDK', externalUrl: 'http://example.com/' }] }, '/downloads/0/externalUrl'],
    [{ downloads: [{ kind: 'SDK', version: '9.9.9', installCommand: 'a' }] }, '/downloads/0/version'],
    [{ features: { 0: 'a' } }, '/features'],
    [{ links: { __proto__: null, constructor: 'a' } }, '/links/constructor'],
  ]

  test('is refused by the place, in a dry run as well, and nothing of it is written', async () => {
    const bytes = await site.exported()
    const good = whole('good-one', { formerSlugs: [] })
    for (const [overrides, path] of cases) {
      const bad = whole('bad-one', {
        formerSlugs: [],
        downloads: [],
        docSections: [],
        docs: [],
        versions: [],
        ...overrides,
      })
      const { status, body } = await site.write({ products: [good, bad] })
      const told = body.errors?.[0]?.path ?? body.detail?.split(': ')[0]
      assert.deepEqual([status, told], [400, `/body/parts/products/1${path}`], JSON.stringify(overrides).slice(0, 200))
    }
    const twice = await site.write({ products: [good, good] })
    assert.deepEqual([twice.status, twice.body.errors[0].path], [400, '/body/parts/products/1'])
    const both = whole('other-one', { formerSlugs: ['wanted-by-two'] })
    const claimed = await site.write({ products: [whole('good-one', { formerSlugs: ['wanted-by-two'] }), both] })
    assert.deepEqual([claimed.status, claimed.body.errors[0].path], [400, '/body/parts/products/1/formerSlugs/0'])
    assert.equal(await site.exported(), bytes)
  })

  test('is refused however it is made: members of every object, circles of many sections, a hundred thousand records', async () => {
    const bytes = await site.exported()
    const post = (body: string) =>
      site.app.call({ method: 'POST', url: '/admin/cms/bundle?dryRun=false', headers: site.app.admin, body })
    const head = '"format":"atrium.bundle","version":1'
    const raw = await post(`{${head},"parts":{"products":[{"slug":"aa","name":"A","type":"API","__proto__":{"a":1}}]}}`)
    assert.equal(raw.status, 400)
    const ring = Array.from({ length: 20_000 }, (_, n) => ({
      slug: `s-${n}`,
      title: 'A',
      parent: `s-${(n + 1) % 20_000}`,
    }))
    assert.equal((await site.write({ products: [whole('ring-one', { docSections: ring, docs: [] })] })).status, 400)
    const many = (record: object) => Array.from({ length: 100_000 }, () => record)
    for (const record of [{ slug: 'aa', name: 'A', type: 'API' }, { slug: 1 }, {}, [], null, 'a']) {
      const { status } = await post(`{${head},"parts":{"products":${JSON.stringify(many(record as object))}}}`)
      assert.equal(status, 400, JSON.stringify(record))
    }
    assert.equal(await site.exported(), bytes)
  })
})

describe('any two catalogs', () => {
  const few = <T>(values: fc.Arbitrary<T>, key: (value: T) => unknown) =>
    fc.uniqueArray(values, { selector: key, maxLength: 3 })
  const slug = fc.constantFrom('aa', 'bb', 'cc')
  const text = fc.constantFrom('One', 'Two *x*', '# Three')
  const sections = few(fc.record({ slug, title: text, order: fc.nat(1) }), (section) => section.slug)
  const docs = few(
    fc.record({ slug, title: text, markdown: text, status: fc.constantFrom('DRAFT', 'PUBLISHED'), order: fc.nat(1) }),
    (doc) => doc.slug,
  )
  const versions = few(
    fc.record({ version: fc.constantFrom('1.0.0', '2.0.0', '3.0.0-rc.1'), yanked: fc.boolean(), notes: text }),
    ({ version }) => version,
  ).map((all) => all.map((version) => ({ ...version, releasedAt })))
  const downloads = fc.array(
    fc.record({ kind: fc.constantFrom('SDK', 'CLI'), installCommand: text, isActive: fc.boolean() }),
    { maxLength: 3 },
  )
  const product = fc.record(
    {
      slug: fc.constantFrom('any-one', 'any-two', 'any-three'),
      name: text,
      type: fc.constantFrom('api', 'APP'),
      description: text,
      status: fc.constantFrom('draft', 'draft', 'draft', 'live', 'sunset'),
      formerSlugs: fc.uniqueArray(fc.constantFrom('any-one', 'was-one', 'was-two'), { maxLength: 2 }),
      features: few(fc.record({ slug, title: text }), (feature) => feature.slug),
      plans: few(fc.record({ code: fc.constantFrom('A', 'b'), name: text }), ({ code }) => code),
      docSections: sections,
      docs,
      versions,
      downloads,
    },
    { requiredKeys: ['slug', 'name', 'type'] },
  )
  const catalogOf = few(product, (one) => one.slug)

  test('are told alike by the dry run and the import, are equal after a mirror, and stay so', async () => {
    const builtIn = ((await site.partsOf())['products'] ?? []) as Record_[]
    const mode = fc.constantFrom('merge', 'mirror')
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(catalogOf, mode), { minLength: 1, maxLength: 3 }), async (steps) => {
        for (const [products, how] of steps) {
          const bytes = await site.exported()
          const parts = { products: how === 'mirror' ? [...builtIn, ...products] : products } as BundleParts
          const { status } = await site.write(parts, how as 'merge')
          if (status !== 200) assert.deepEqual([[400, 409].includes(status), await site.exported()], [true, bytes])
          else assert.deepEqual(told(await site.write(parts, how as 'merge')), [], 'the second time')
        }
        const whole_ = await site.partsOf()
        assert.deepEqual(told(await site.write(whole_, 'mirror')), [], 'its own export')
      }),
      { numRuns: 15 },
    )
  })
})

describe('the files of a product', () => {
  const line = (name: string): MediaLine => ({
    ...{ id: newId(new Date()), filename: `${name}.webp`, mimeType: 'image/webp', kind: 'IMAGE', size: 9 },
    ...{ sha256: name.repeat(64), width: 8, height: 6, alt: null, url: `/media/${name}`, variants: {} },
  })
  const files = ['a', 'b', 'c'].map(line)

  test('go by their content, are told to the library, and a name of another installation does not matter', async () => {
    const uses = new Map<string, string[]>()
    const media: MediaLibrary = {
      find: async (_scope, ids) => new Map(files.filter(({ id }) => ids.includes(id)).map((file) => [file.id, file])),
      setUses: async (_tx, { kind, label }, ids) => void uses.set(`${kind} ${label}`, ids),
    }
    const part = productPart({
      ...{ clock: site.app.clock, media, dropUses: async () => undefined },
      keepUses: async (_tx, { slug }) => void uses.set(slug, []),
      findMediaByDigest: async (_scope, digests) =>
        new Map(files.filter(({ sha256 }) => digests.includes(sha256)).map(({ sha256, id }) => [sha256, id])),
    })
    const [a, b, c] = files.map(({ sha256 }) => ({ sha256, filename: 'elsewhere.webp' }))
    const slug = unique('filed')
    const record = {
      ...{ slug, name: 'A', type: 'API', iconMedia: a, seo: { image: b } },
      media: [{ kind: 'VIDEO', media: b, posterMedia: c }],
      downloads: [{ kind: 'DOC', media: c }],
    }
    const ask = (records: Record_[]) => ({ records, mode: 'merge' as const, markup })
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
    assert.deepEqual((exported['downloads'] as Record_[])[0]?.['sizeBytes'], 9)
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
