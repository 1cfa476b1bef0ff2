import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { completeProduct, type JsonObject, releasedAt } from '../../../test/harness/bundled-product.ts'
import { type BundleParts, type BundleSite, bundleSite, told } from '../../../test/harness/bundles.ts'

let site: BundleSite

before(async () => {
  site = await bundleSite()
})
after(() => site.close())

describe('a bundle with an invalid product', () => {
  const file = { sha256: 'a'.repeat(64), filename: 'a.webp' }
  const cases: [overrides: JsonObject, path: string][] = [
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

  test('is refused with a JSON pointer, also in a dry run, and nothing is written', async () => {
    const bytes = await site.exported()
    const good = completeProduct('good-one', { formerSlugs: [] })
    for (const [overrides, path] of cases) {
      const bad = completeProduct('bad-one', {
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
    const both = completeProduct('other-one', { formerSlugs: ['wanted-by-two'] })
    const claimed = await site.write({
      products: [completeProduct('good-one', { formerSlugs: ['wanted-by-two'] }), both],
    })
    assert.deepEqual([claimed.status, claimed.body.errors[0].path], [400, '/body/parts/products/1/formerSlugs/0'])
    assert.equal(await site.exported(), bytes)
  })

  test('is refused for unknown members in every object, long circles of sections, and a hundred thousand records', async () => {
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
    assert.equal(
      (await site.write({ products: [completeProduct('ring-one', { docSections: ring, docs: [] })] })).status,
      400,
    )
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

  test('give the same changes in a dry run and an import, are equal after a mirror, and stay equal', async () => {
    const builtIn = ((await site.partsOf())['products'] ?? []) as JsonObject[]
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
      { numRuns: 12, endOnFailure: true },
    )
  })
})
