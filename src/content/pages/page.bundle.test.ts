import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { unique } from '../../../test/harness/app.ts'
import { type BundleParts, type BundleSite, bundleSite, told } from '../../../test/harness/bundles.ts'
import { newId } from '../../kernel/ids.ts'
import { transaction } from '../../storage/scope.ts'
import { markup } from '../../text/markup.ts'
import type { MediaLibrary, MediaSummary } from '../media/media-library.ts'
import { pagePart } from './page.bundle.ts'
import { pageWriting } from './page-writing.service.ts'

let site: BundleSite

before(async () => {
  site = await bundleSite()
})
after(() => site.close())

type Record_ = Record<string, unknown>

const hero = { type: 'hero', content: { heading: 'Hello', ctas: [{ label: 'Go', href: '/a' }] } }
const text = { type: 'rich_text', content: { markdown: 'So *much*' } }
const faq = { type: 'faq', content: { items: [{ question: 'Why?', answer: 'So **that**' }] } }
const own = { type: 'x.carousel', content: { z: 1, a: [{ html: '<b>kept</b>' }] } }
const html = { type: 'html', content: { html: '<p>a</p><script>b</script>' } }

function whole(slug: string, overrides: Record_ = {}): Record_ {
  return {
    slug,
    title: 'Home',
    template: 'landing',
    locale: 'pt-BR',
    status: 'PUBLISHED',
    meta: { title: 'Home', keywords: ['b', 'a'], noindex: true },
    sections: [hero, text, faq, own, html],
    draft: { title: 'Soon', sections: [text, { ...hero, content: { heading: 'Soon' } }] },
    formerSlugs: [`${slug}/old`],
    ...overrides,
  }
}

const public_ = (slug: string) => site.app.call({ url: `/cms/pages/${slug}` })
const admin = async (slug: string): Promise<Record_> => {
  const list = await site.app.call({ url: `/admin/cms/pages?q=${slug}`, headers: site.app.admin })
  const id = list.body.pages.find((page: Record_) => page['slug'] === slug)?.id
  return (await site.app.call({ url: `/admin/cms/pages/${id}`, headers: site.app.admin })).body.page
}
const revisionsOf = async (page: Record_): Promise<Record_[]> => {
  const url = `/admin/cms/pages/${page['id']}/revisions`
  return (await site.app.call({ url, headers: site.app.admin })).body.revisions
}
const recordOf = async (slug: string): Promise<Record_> =>
  (await site.partsOf())['pages']?.find((record) => record['slug'] === slug) ?? {}
const idsIn = (sections: unknown) => (sections as { id: string }[]).map(({ id }) => id)

describe('a page in a bundle', () => {
  test('brings its copy, its draft and its status to another installation, byte for byte, and the second time changes nothing', async () => {
    const [home, draft, old] = [unique('home'), unique('draft'), unique('old')]
    const pages = [
      whole(home),
      whole(draft, { status: 'DRAFT', draft: null, sections: [] }),
      whole(`${old}/deep`, { status: 'ARCHIVED' }),
    ]
    assert.equal((await site.write({ pages })).body.counts.create, 3)
    const bytes = await site.exported()
    assert.doesNotMatch(bytes, /<script|"(id|revision|publishedAt|createdAt|updatedAt)":/)
    const other = await bundleSite()
    try {
      assert.equal(told(await other.write(JSON.parse(bytes), 'mirror')).length, 3)
      assert.deepEqual(await other.partsOf(), JSON.parse(bytes))
      assert.ok((await other.exported()) === bytes)
      for (const mode of ['merge', 'mirror'] as const)
        assert.deepEqual(told(await other.write(JSON.parse(bytes), mode)), [])
    } finally {
      await other.close()
    }
  })

  test('is what an editor would have made: HTML is rendered and cleaned here, whatever the bundle says of it', async () => {
    const slug = unique('made')
    const lie = { type: 'rich_text', content: { markdown: 'So *much*', html: '<script>' } }
    await site.write({ pages: [whole(slug, { sections: [lie, faq, html] })] })
    const { body } = await public_(slug)
    const [first, second, third] = body.page.sections
    assert.equal(first.content.html, '<p>So <em>much</em></p>\n')
    assert.equal(second.content.items[0].html, '<p>So <strong>that</strong></p>\n')
    assert.deepEqual([third.content.html, third.order], ['<p>a</p>', 2])
    assert.equal(body.page.publishedAt, site.app.clock.now().toISOString())
    assert.equal((await public_(`${slug}/old`)).status, 301)
    const again = await site.write({ pages: [whole(slug, { sections: [lie, faq, html] })] })
    assert.deepEqual(told(again), [], 'what was cleaned is not sent any cleaner')
    assert.deepEqual([(await admin(slug))['revision'], (await public_(slug)).body.page.revision], [2, 1])
  })

  test('leaves its states among the revisions, the draft as one of its own, and none where nothing differs', async () => {
    const slug = unique('noted')
    await site.write({ pages: [whole(slug)] })
    const page = await admin(slug)
    const states = async () =>
      (await revisionsOf(page)).map(({ number, action, isDraft, title, note }) => [
        number,
        action,
        isDraft,
        title,
        note,
      ])
    const made = [
      [2, 'DRAFT_SAVED', true, 'Soon', 'Imported'],
      [1, 'CREATED', false, 'Home', 'Imported'],
    ]
    assert.deepEqual(await states(), made)
    await site.write({ pages: [await recordOf(slug)] })
    assert.deepEqual(await states(), made)
    const changed = { ...(await recordOf(slug)), title: 'Other', draft: null }
    assert.deepEqual(told(await site.write({ pages: [changed] })), [`${slug} update title draft`])
    assert.deepEqual((await states()).slice(0, 2), [
      [4, 'DRAFT_DISCARDED', false, 'Other', 'Imported'],
      [3, 'SAVED', false, 'Other', 'Imported'],
    ])
    assert.deepEqual([(await admin(slug))['revision'], (await public_(slug)).body.page.revision], [4, 3])
  })

  test('keeps the ids of its sections, wherever they go', async () => {
    const slug = unique('ids')
    await site.write({ pages: [whole(slug, { draft: null })] })
    const [heroId, textId, faqId, ownId, htmlId] = idsIn((await admin(slug))['sections'])
    const edited = { ...text, content: { markdown: 'Edited' } }
    const draft = { title: 'Soon', sections: [text, own] }
    await site.write({ pages: [whole(slug, { sections: [html, edited, text, hero, faq], draft })] })
    const page = await admin(slug)
    const [first, second, third, fourth, fifth] = idsIn(page['sections'])
    assert.deepEqual([first, third, fourth, fifth], [htmlId, textId, heroId, faqId])
    assert.ok(second !== ownId && second !== textId)
    assert.equal(idsIn((page['draft'] as Record_)['sections'])[0], textId)
  })

  test('takes any status, and loses a schedule that becomes pointless by it and no other', async () => {
    const slug = unique('status')
    const publishAt = new Date(site.app.clock.now().getTime() + 3_600_000).toISOString()
    await site.write({ pages: [whole(slug, { status: 'DRAFT' })] })
    const { id } = await admin(slug)
    const url = `/admin/cms/pages/${id}`
    await site.app.call({ method: 'POST', url: `${url}/publish`, headers: site.app.admin, body: { publishAt } })
    assert.deepEqual(told(await site.write({ pages: [whole(slug, { status: 'DRAFT', title: 'Other' })] })), [
      `${slug} update title`,
    ])
    assert.equal((await admin(slug))['publishAt'], publishAt)
    await site.write({ pages: [whole(slug)] })
    const live = await admin(slug)
    assert.deepEqual([live['status'], live['publishAt'], live['hasDraft']], ['PUBLISHED', null, true])
    await site.write({ pages: [whole(slug, { status: 'ARCHIVED' })] })
    assert.equal((await public_(slug)).status, 404)
    await site.write({ pages: [whole(slug)] })
    assert.equal((await public_(slug)).status, 200)
  })

  test('that the bundle does not name stays in a merge and goes in a mirror', async () => {
    const [kept, lost] = [unique('kept'), unique('lost')]
    await site.write({ pages: [whole(kept), whole(lost)] })
    assert.deepEqual(told(await site.write({ pages: [] })), [])
    const pages = ((await site.partsOf())['pages'] ?? []).filter(({ slug }) => slug !== lost)
    assert.deepEqual(told(await site.write({ pages }, 'mirror')), [`${lost} remove`])
    assert.deepEqual([(await public_(lost)).status, (await public_(`${lost}/old`)).status], [404, 404])
    assert.equal((await public_(kept)).status, 200)
    const taken = { ...whole(kept), formerSlugs: [lost] }
    assert.deepEqual(told(await site.write({ pages: [taken, whole(lost)] })), [`${lost} create`])
  })
})

describe('a bundle with a page that is not good', () => {
  const sha256 = `sha256:${'a'.repeat(64)}`
  const many = (count: number) => Array.from({ length: count }, () => hero)
  const cases: [overrides: Record_, path: string][] = [
    [{ title: '' }, '/title'],
    [{ slug: '/a' }, '/slug'],
    [{ status: 'published' }, '/status'],
    [{ revision: 3 }, '/revision'],
    [{ publishAt: '2999-01-01T00:00:00Z' }, '/publishAt'],
    [{ meta: { og: 'a' } }, '/meta/og'],
    [{ meta: { canonical: 'javascript:a' } }, '/meta/canonical'],
    [{ meta: { ogImage: sha256 } }, '/meta/ogImage'],
    [{ sections: [hero, { type: 'hero' }] }, '/sections/1/content/heading'],
    [{ sections: [hero, { type: '?' }] }, '/sections/1/type'],
    [{ sections: [{ ...hero, id: newId(new Date()) }] }, '/sections/0/id'],
    [{ sections: [{ type: 'image', content: { mediaId: sha256 } }] }, '/sections/0/content/mediaId'],
    [{ sections: [{ type: 'image', content: { mediaId: newId(new Date()) } }] }, '/sections/0/content/mediaId'],
    [
      { sections: [{ type: 'own', content: { list: [{ fooMediaIds: ['a', sha256] }] } }] },
      '/sections/0/content/list/0/fooMediaIds/1',
    ],
    [{ sections: [{ type: 'own', content: { href: 'javascript:a' } }] }, '/sections/0/content/href'],
    [{ sections: many(201) }, '/sections'],
    [{ sections: [{ type: 'own', content: { text: 'a'.repeat(1024 * 1024) } }] }, '/sections'],
    [{ draft: { title: 'A', sections: [{ type: 'cta', content: {} }] } }, '/draft/sections/0/content/heading'],
    [{ draft: { title: 'A', slug: 'aa' } }, '/draft/slug'],
    [{ draft: 'a' }, '/draft'],
  ]

  test('is refused by the place, in a dry run as well, and nothing of it is written', async () => {
    const bytes = await site.exported()
    for (const [overrides, path] of cases) {
      const { status, body } = await site.write({
        pages: [whole('good'), whole('bad', { formerSlugs: [], ...overrides })],
      })
      assert.deepEqual([status, body.errors?.[0]?.path], [400, `/body/parts/pages/1${path}`], path)
    }
    const twice = await site.write({ pages: [whole('good'), whole('good')] })
    assert.deepEqual([twice.status, twice.body.errors[0].path], [400, '/body/parts/pages/1'])
    const late = await site.write({ pages: [whole('good')], blocks: [{ key: 'a', type: 'number', value: 'b' }] })
    assert.equal(late.status, 400)
    assert.equal(await site.exported(), bytes)
  })

  test('is refused however many there are', async () => {
    const bytes = await site.exported()
    const sent = (record: unknown) =>
      `{"format":"atrium.bundle","version":1,"parts":{"pages":[${Array.from({ length: 100_000 }, () => JSON.stringify(record)).join()}]}}`
    for (const record of [{ slug: 'aa', title: 'A' }, { slug: 'aa' }, 1, null]) {
      const url = '/admin/cms/bundle?dryRun=false'
      const { status } = await site.app.call({ method: 'POST', url, headers: site.app.admin, body: sent(record) })
      assert.equal(status, 400)
    }
    const url = '/admin/cms/bundle'
    const body = '{"format":"atrium.bundle","version":1,"parts":{"__proto__":[]}}'
    assert.equal((await site.app.call({ method: 'POST', url, headers: site.app.admin, body })).status, 400)
    assert.equal(await site.exported(), bytes)
  })
})

describe('any two sites', () => {
  const section = fc.constantFrom(hero, text, faq, own, { type: 'html', content: { html: '<p>a</p>' } })
  const copy = {
    title: fc.constantFrom('One', 'Two'),
    meta: fc.constantFrom({}, { noindex: true }, { title: 'One', keywords: ['a'] }),
    sections: fc.array(section, { maxLength: 3 }),
  }
  const page = fc.record(
    {
      slug: fc.constantFrom('any', 'any/two', 'any/three'),
      status: fc.constantFrom('DRAFT', 'PUBLISHED', 'ARCHIVED'),
      draft: fc.option(fc.record(copy, { requiredKeys: ['title'] })),
      formerSlugs: fc.uniqueArray(fc.constantFrom('any', 'was', 'was/two'), { maxLength: 2 }),
      ...copy,
    },
    { requiredKeys: ['slug', 'title'] },
  )
  const pages = fc.uniqueArray(page, { selector: ({ slug }) => slug, maxLength: 3 })

  test('are told alike by the dry run and the import, are equal after a mirror, and stay so', async () => {
    const mode = fc.constantFrom('merge', 'mirror')
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(pages, mode), { minLength: 1, maxLength: 4 }), async (steps) => {
        for (const [some, how] of steps) {
          const bytes = await site.exported()
          const parts = { pages: some } as BundleParts
          const { status } = await site.write(parts, how as 'merge')
          if (status !== 200) assert.deepEqual([status, await site.exported()], [400, bytes])
          else assert.deepEqual(told(await site.write(parts, how as 'merge')), [], 'the second time')
        }
        assert.deepEqual(told(await site.write(await site.partsOf(), 'mirror')), [], 'its own export')
      }),
      { numRuns: 12, endOnFailure: true },
    )
  })
})

describe('the files of a page', () => {
  test('go by their content, wherever they are named, and are told to the library', async () => {
    const file: MediaSummary = {
      id: newId(new Date()),
      filename: 'a.webp',
      mimeType: 'image/webp',
      kind: 'IMAGE',
      size: 9,
      sha256: 'a'.repeat(64),
      width: 8,
      height: 6,
      alt: null,
      url: '/media/a',
      variants: {},
    }
    const uses = new Map<string, string[]>()
    const media: MediaLibrary = {
      find: async (_scope, ids) => new Map(ids.includes(file.id) ? [[file.id, file]] : []),
      setUses: async (_tx, { label }, ids) => void uses.set(label, ids),
    }
    const nothing = async () => undefined
    const { bring } = pageWriting({
      clock: site.app.clock,
      media,
      audit: nothing,
      publicChanged: nothing,
      jobs: { enqueue: async () => null } as never,
    })
    const part = pagePart({
      clock: site.app.clock,
      media,
      bring,
      findMediaByDigest: async (_scope, digests) =>
        new Map(digests.includes(file.sha256) ? [[file.sha256, file.id]] : []),
    })
    const name = `sha256:${file.sha256}`
    const slug = unique('filed')
    const image = { type: 'image', content: { mediaId: name, caption: name } }
    const record = whole(slug, {
      sections: [image],
      meta: { ogImage: name },
      draft: { title: 'Soon', sections: [image, image] },
    })
    const apply = (one: Record_) =>
      transaction(site.app.platform, (tx) => part.apply(tx, { records: [one], mode: 'merge', markup }))
    const [made] = await apply(record)
    assert.equal(made?.action, 'create')
    const page = await admin(slug)
    assert.deepEqual((page['sections'] as Record_[])[0]?.['content'], { mediaId: file.id, caption: name })
    assert.equal((page['meta'] as Record_)['ogImage'], file.id)
    assert.deepEqual(uses.get(slug), [file.id])
    const exported = (await part.export(site.app.platform)).find((one) => one['slug'] === slug) ?? {}
    assert.deepEqual([exported['sections'], exported['meta']], [[image], { ogImage: name }])
    assert.equal((await apply(exported))[0]?.action, 'keep')
    await apply({ ...exported, sections: [], meta: {}, draft: null })
    assert.deepEqual(uses.get(slug), [])
  })
})
