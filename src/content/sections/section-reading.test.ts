import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Refusal } from '../../kernel/refusal.ts'
import { cleanHtml, renderMarkdown } from '../../text/markup.ts'
import { findMediaIds, findProductSlugs, type SentSection } from './section.rules.ts'
import { sectionTypes } from './section.types.ts'
import { readSections } from './section-input.ts'
import { unknownTypeWarnings } from './section-type-names.ts'

const now = new Date('2026-11-21T09:30:00.000Z')
const mediaId = '0193b6a0-7f3a-7c66-9f51-4d8b2eaf3c79'
const read = (...sections: SentSection[]) => readSections(sections, '/body/sections', { now })

async function faultsOf(...sections: SentSection[]): Promise<[path: string, code: string][]> {
  const error = await read(...sections).then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error === null) return []
  assert.ok(error instanceof Refusal && error.code === 'VALIDATION_ERROR', String(error))
  return (error.options.errors ?? []).map(({ path, code }) => [path, code])
}

/** The least that each type needs. */
const least: Record<string, Record<string, unknown>> = {
  hero: { heading: 'a' },
  features: { items: [{ title: 'a' }] },
  rich_text: { markdown: 'a' },
  image: { mediaId },
  gallery: { items: [{ mediaId }] },
  video: { url: 'https://example.com/a.mp4' },
  cta: { heading: 'a' },
  banner: { text: 'a' },
  pricing: { productSlug: 'vault-vpn' },
  product_grid: { slugs: ['vault-vpn'] },
  faq: { items: [{ question: 'a', answer: 'b' }] },
  testimonials: { items: [{ quote: 'a', author: 'b' }] },
  stats: { items: [{ label: 'a', value: 1 }] },
  logos: { items: [{ name: 'a' }] },
  steps: { items: [{ title: 'a' }] },
  code: { code: 'a' },
  html: { html: 'a' },
}

describe('a section', () => {
  test('of a known type with all it needs is taken, and without any of it the place is named', async () => {
    assert.deepEqual(Object.keys(least).sort(), Object.keys(sectionTypes).sort())
    for (const [type, content] of Object.entries(least)) {
      assert.deepEqual(await faultsOf({ type, content }), [], type)
      const [member] = Object.keys(content)
      const place = type === 'video' ? 'mediaId' : member
      const other = { type: 'note', content: {} }
      assert.deepEqual(await faultsOf(other, other, { type, content: {} }), [
        [`/body/sections/2/content/${place}`, 'required'],
      ])
    }
  })

  test('names each fault inside lists of its content', async () => {
    const faq = { type: 'faq', content: { items: [{ question: 'a', answer: 'b' }, { question: 1 }] } }
    assert.deepEqual((await faultsOf(faq)).sort(), [
      ['/body/sections/0/content/items/1/answer', 'required'],
      ['/body/sections/0/content/items/1/question', 'type'],
    ])
  })

  test('keeps members that its type does not know, and an unknown type as it is', async () => {
    const content = { heading: 'a', theme: { dark: true, list: [1, null] } }
    const strange = { html: '<script>', nested: { html: '<b>', mediaId: 'none' } }
    const [known, unknown] = await read({ type: 'hero', content }, { type: 'acme.widget', content: strange })
    assert.deepEqual([known?.content, unknown?.content], [content, strange])
    const inherited = await read({ type: 'constructor', content: { a: 1 } })
    assert.deepEqual(inherited[0]?.content, { a: 1 })
  })

  test('whose type is nearly a known one is refused with the word that was meant', async () => {
    const meant = {
      Hero: 'hero',
      HERO: 'hero',
      'rich-text': 'rich_text',
      richText: 'rich_text',
      'product.grid': 'product_grid',
      heor: 'hero',
      feature: 'features',
      galery: 'gallery',
      vidoe: 'video',
      step: 'steps',
      testimonal: 'testimonials',
      htmls: 'html',
    }
    for (const [type, word] of Object.entries(meant)) {
      await assert.rejects(read({ type: 'note' }, { type, content: { heading: 'a' } }), (error) => {
        assert.ok(error instanceof Refusal, String(error))
        const fault = {
          path: '/body/sections/1/type',
          code: 'unknown',
          message: `is not a known type; did you mean "${word}"?`,
        }
        assert.deepEqual(error.options.errors, [fault], type)
        return true
      })
    }
  })

  test('may have a type of its own, which the answer lists as a warning', async () => {
    const own = [
      'note',
      'acme.widget',
      'x-hero',
      'hero2',
      'features_v2',
      'mode',
      'node',
      'team',
      'status',
      'form',
      'heroes',
      'list',
      'card',
    ]
    const sections = await read(...own.map((type) => ({ type })), { type: 'hero', content: { heading: 'a' } })
    const warned = unknownTypeWarnings(sections, '/page/sections')
    assert.deepEqual(
      warned.map(({ path }) => path),
      own.map((_, index) => `/page/sections/${index}/type`),
    )
    assert.match(warned[0]?.message ?? '', /stored without checks\. Known types are hero, features, /)
  })

  test('has an id of its own, and sections are numbered in the order asked for', async () => {
    const named = { type: 'note', content: { a: 1 }, order: 7 }
    const sections = await read(
      named,
      { type: 'note', content: { a: 2 }, order: -1 },
      { type: 'note', content: { a: 3 } },
    )
    assert.deepEqual(
      sections.map(({ content, order }) => [content['a'], order]),
      [
        [2, 0],
        [3, 1],
        [1, 2],
      ],
    )
    assert.equal(new Set(sections.map(({ id }) => id)).size, 3)
    const twice = { id: mediaId, type: 'note' }
    assert.deepEqual(await faultsOf(twice, { ...twice, id: mediaId.toUpperCase() }), [
      ['/body/sections/1/id', 'unique'],
    ])
  })

  test('links only to http, https, mailto and tel addresses and within the site, at any depth', async () => {
    const good = [
      'https://example.com',
      'HTTP://example.com',
      '/x',
      'x/y',
      '#a',
      '?q=1',
      '',
      'mailto:a@example.com',
      'tel:+1',
    ]
    for (const href of good) assert.deepEqual(await faultsOf({ type: 'note', content: { href } }), [], href)
    const bad = [
      'javascript:alert(1)',
      ' JaVa\tScript:alert(1)',
      '\u0001javascript:1',
      'java\nscript:1',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:x',
      'https://',
      '//example.com/x',
      '/\\example.com',
      'https://example.com@evil.example/',
    ]
    for (const href of bad) {
      const ctas = [{ label: 'a', href }]
      assert.deepEqual(await faultsOf({ type: 'hero', content: { heading: 'a', ctas } }), [
        ['/body/sections/0/content/ctas/0/href', 'link'],
      ])
      for (const name of ['href', 'url', 'src', 'ctaUrl', 'imageURL', 'HREF', 'imageUrls'])
        assert.deepEqual(await faultsOf({ type: 'note', content: { a: [{ [name]: href }] } }), [
          [`/body/sections/0/content/a/0/${name}`, 'link'],
        ])
    }
  })

  test('shows Markdown and HTML as the service rendered them, never as they were sent', async () => {
    const hostile = '<script>alert(1)</script>'
    const [text, faq, html, cta] = await read(
      { type: 'rich_text', content: { markdown: '# Hi', html: hostile } },
      { type: 'faq', content: { items: [{ question: 'q', answer: '*a*', html: hostile }] } },
      { type: 'html', content: { html: hostile } },
      { type: 'cta', content: { heading: 'a', deep: [{ html: hostile }] } },
    )
    assert.equal(text?.content['html'], (await renderMarkdown('# Hi')).html)
    assert.deepEqual(faq?.content['items'], [
      { question: 'q', answer: '*a*', html: (await renderMarkdown('*a*')).html },
    ])
    assert.equal(html?.content['html'], await cleanHtml(hostile))
    assert.deepEqual(cta?.content['deep'], [{ html: await cleanHtml(hostile) }])
    assert.ok(!JSON.stringify([text, faq, html, cta]).includes('<script'))
  })

  test('names its files and products', async () => {
    const sections = await read(
      { type: 'gallery', content: { items: [{ mediaId }, { mediaId }] } },
      {
        type: 'note',
        content: { posterMediaId: now.toISOString(), mediaIds: ['0193b6a0-6d2f-7b55-8e40-3c7a1d9f2b68'] },
      },
      { type: 'product_grid', content: { slugs: ['a', 'b'] } },
      { type: 'pricing', content: { productSlug: 'b' } },
    )
    assert.deepEqual(findMediaIds(sections.map(({ content }) => content)), [
      mediaId,
      '0193b6a0-6d2f-7b55-8e40-3c7a1d9f2b68',
    ])
    assert.deepEqual(findProductSlugs(sections), ['a', 'b'])
  })
})
