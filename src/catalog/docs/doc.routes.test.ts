import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { catalogCalls, type TestProduct } from '../../../test/harness/catalog.ts'
import { hostileMarkdown } from '../../../test/harness/hostile-markup.ts'
import { codeOf } from '../../../test/harness/key-calls.ts'
import { unsafeParts } from '../../../test/harness/safe-html.ts'
import { refusals } from '../../kernel/refusal.ts'
import { many, one, sql } from '../../storage/query.ts'

let app: TestApp
let catalog: ReturnType<typeof catalogCalls>
let product: TestProduct

before(async () => {
  app = await testApp()
  catalog = catalogCalls(app)
  product = await catalog.product()
})

const newDoc = (overrides = {}) => ({
  slug: unique('doc'),
  title: 'A doc',
  markdown: '# A doc\n\nIt says something.',
  status: 'PUBLISHED',
  ...overrides,
})
const addDoc = async (overrides = {}, of = product) => {
  const reply = await catalog.add(of, 'docs', newDoc(overrides))
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return reply.body.doc
}
const read = (path: string, headers = {}) => app.call({ url: path, headers })
const publicRevision = () => one(app.platform, sql<{ revision: number }>`select revision from public_revision`)

describe('a doc', () => {
  test('is rendered on write, and public at both addresses once it is published', async () => {
    const { status, body, headers } = await catalog.add(product, 'docs', {
      slug: unique('doc'),
      title: 'T',
      markdown: '# T\n\nOne *two*.',
    })
    assert.equal(status, 201)
    const { doc } = body
    assert.equal(headers.location, `/admin/products/${product.id}/docs/${doc.id}`)
    assert.equal(headers.etag, `"${doc.id}-1"`)
    assert.equal(doc.html, '<h1 id="c-t">T</h1>\n<p>One <em>two</em>.</p>\n')
    assert.deepEqual(
      [doc.status, doc.publishedAt, doc.wordCount, doc.order, doc.sectionId],
      ['DRAFT', null, 3, 100, null],
    )
    const path = `/products/${product.slug}/docs/${doc.slug}`
    assert.equal((await read(path)).status, 404)
    const changed = await catalog.change(product, 'docs', { id: doc.id, body: { status: 'PUBLISHED' } })
    assert.equal(changed.body.doc.publishedAt, app.clock.now().toISOString())
    for (const place of [path, `/v1${path}`]) {
      const { doc: shown } = (await read(place)).body
      assert.equal(shown.html, doc.html)
      assert.equal(shown.markdown, '# T\n\nOne *two*.')
      assert.deepEqual(shown.toc, [{ id: 'c-t', text: 'T', level: 1 }])
      assert.equal(shown.readingMinutes, 1)
    }
  })

  test('with hostile Markdown contains no active content', async () => {
    const doc = await addDoc({ markdown: hostileMarkdown.filter((text) => !/[\0\ud800]/.test(text)).join('\n\n') })
    const shown = await read(`/products/${product.slug}/docs/${doc.slug}`)
    assert.deepEqual(unsafeParts(shown.body.doc.html), [])
  })

  test('is served as the original Markdown on request', async () => {
    const doc = await addDoc({ markdown: '# Größe\n\n<b>' })
    const path = `/products/${product.slug}/docs/${doc.slug}`
    for (const reply of [await read(path, { accept: 'text/markdown' }), await read(`${path}.md`)]) {
      assert.equal(reply.headers['content-type'], 'text/markdown; charset=utf-8')
      assert.equal(reply.bytes.toString(), '# Größe\n\n<b>')
      assert.ok(reply.headers.etag)
    }
    assert.deepEqual(codeOf(await read(path, { accept: 'image/png' })), [406, 'NOT_ACCEPTABLE'])
  })

  test('that is a draft, of a draft product, deleted or unknown gets the same answer', async () => {
    const hidden = await catalog.product({ status: 'DRAFT' })
    const draft = await addDoc({ status: 'DRAFT' })
    const ofHidden = await addDoc({}, hidden)
    const removed = await addDoc()
    assert.equal((await catalog.remove(product, 'docs', removed.id)).status, 204)
    const answers = await Promise.all(
      [
        ...[
          `${product.slug}/docs/${draft.slug}`,
          `${hidden.slug}/docs/${ofHidden.slug}`,
          `${product.slug}/docs/${removed.slug}`,
        ],
        ...[`${product.slug}/docs/nothing`, `nothing/docs/nothing`, `${hidden.slug}/docs`, `${hidden.slug}/docs.md`],
        ...[`${hidden.slug}/versions`, `${product.slug}/docs/%00`, `${product.slug}/docs/${draft.slug}.md`],
      ].map((path) => read(`/products/${path}`)),
    )
    const [, title] = refusals.NOT_FOUND
    const detail = 'There is no such resource.'
    for (const { status, body } of answers) {
      const { requestId: _, ...rest } = body
      assert.deepEqual(
        [status, rest],
        [404, { type: '/docs/errors#NOT_FOUND', title, status: 404, detail, code: 'NOT_FOUND' }],
      )
      assert.deepEqual(Object.keys(body), Object.keys(answers[0]?.body))
    }
  })

  test('has a slug that is unique in its product, also under concurrent creation', async () => {
    const slug = unique('doc')
    const replies = await Promise.all(Array.from({ length: 6 }, () => catalog.add(product, 'docs', newDoc({ slug }))))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409])
    assert.equal(replies.find(({ status }) => status === 409)?.body.code, 'SLUG_TAKEN')
    const other = await catalog.product()
    await addDoc({ slug }, other)
  })

  test('that is invalid is refused with a JSON pointer', async () => {
    const other = await catalog.product()
    const { body } = await catalog.add(other, 'doc-sections', { slug: 'start', title: 'Start' })
    const wrong: [string, unknown][] = [
      ['slug', 'A B'],
      ['slug', 'a'],
      ['title', ' '],
      ['title', 'x'.repeat(201)],
      ['summary', 'x'.repeat(501)],
      ['markdown', 'x'.repeat(200_001)],
      ['status', 'LIVE'],
      ['order', -1],
      ['sectionId', body.docSection.id],
      ['sectionId', product.id],
    ]
    for (const [field, value] of wrong) {
      const reply = await catalog.add(product, 'docs', newDoc({ [field]: value }))
      assert.deepEqual(
        [reply.status, reply.body.errors?.[0]?.path],
        [400, `/body/${field}`],
        `${field} ${String(value).slice(0, 20)}`,
      )
    }
    const long = await addDoc({ markdown: 'ß'.repeat(200_000) })
    assert.equal(long.wordCount, 1)
  })
})

describe('a change of a doc', () => {
  test('keeps absent members of seo', async () => {
    const doc = await addDoc({ seo: { title: 'X', noindex: true } })
    const body = { seo: { title: null, description: 'D' } }
    const reply = await catalog.change(product, 'docs', { id: doc.id, body })
    assert.deepEqual(reply.body.doc.seo, { title: null, description: 'D', noindex: true })
  })

  test('keeps absent members, counts a revision, is audited and is public at once', async () => {
    const doc = await addDoc({ summary: 'S', seo: { title: 'X' } })
    const revision = await publicRevision()
    app.clock.advance({ seconds: 60 })
    const { status, body, headers } = await catalog.change(product, 'docs', {
      id: doc.id,
      body: { title: 'New', markdown: 'New.' },
    })
    assert.deepEqual([status, headers.etag], [200, `"${doc.id}-2"`])
    assert.deepEqual(
      [body.doc.summary, body.doc.title, body.doc.html, body.doc.seo.title, body.doc.publishedAt],
      ['S', 'New', '<p>New.</p>\n', 'X', doc.publishedAt],
    )
    assert.equal(body.doc.updatedAt, app.clock.now().toISOString())
    assert.notDeepEqual(await publicRevision(), revision)
    assert.equal((await read(`/products/${product.slug}/docs/${doc.slug}`)).body.doc.title, 'New')
    const entries = await many(
      app.platform,
      sql<{
        action: string
        changes: Record<string, unknown>
      }>`select action, changes from audit_log where target_id = ${doc.id} order by at, id`,
    )
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['doc.create', 'doc.update'],
    )
    assert.deepEqual(entries[1]?.changes, {
      product: product.slug,
      title: { from: 'A doc', to: 'New' },
      markdown: { from: '# A doc\n\nIt says something.', to: 'New.' },
    })
  })

  test('that changes nothing leaves no trace', async () => {
    const doc = await addDoc({ seo: { title: 'X', description: 'D', noindex: true } })
    const revision = await publicRevision()
    const body = { title: doc.title, seo: { noindex: true, description: 'D', title: 'X' } }
    const { headers } = await catalog.change(product, 'docs', { id: doc.id, body })
    assert.equal(headers.etag, `"${doc.id}-1"`)
    assert.deepEqual(await publicRevision(), revision)
  })

  test('of an outdated revision is refused, and of two concurrent changes one succeeds', async () => {
    const doc = await addDoc()
    const ifMatch = `"${doc.id}-1"`
    const replies = await Promise.all(
      ['a', 'b', 'c'].map((title) => catalog.change(product, 'docs', { id: doc.id, body: { title }, ifMatch })),
    )
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412, 412])
    assert.deepEqual(codeOf(await catalog.remove(product, 'docs', doc.id, ifMatch)), [412, 'PRECONDITION_FAILED'])
    assert.equal((await catalog.remove(product, 'docs', doc.id, `"${doc.id}-2"`)).status, 204)
  })

  test('of a doc of another product or an unknown doc is not found', async () => {
    const doc = await addDoc()
    const other = await catalog.product()
    const unknown = { id: doc.id, slug: 'x' }
    for (const reply of [
      await catalog.get(other, 'docs', doc.id),
      await catalog.change(other, 'docs', { id: doc.id, body: { title: 'x' } }),
      await catalog.remove(other, 'docs', doc.id),
      await catalog.list(unknown, 'docs'),
      await catalog.list(unknown, 'versions'),
      await catalog.add(unknown, 'docs', newDoc()),
    ])
      assert.deepEqual(codeOf(reply), [404, 'NOT_FOUND'])
  })
})

describe('the docs of a product', () => {
  test('are listed in reading order, and each links to the next', async () => {
    const own = await catalog.product()
    const section = async (slug: string, order: number, parentId?: string) =>
      (await catalog.add(own, 'doc-sections', { slug, title: slug, order, ...(parentId ? { parentId } : {}) })).body
        .docSection
    const reference = await section('reference', 2)
    const start = await section('start', 1)
    const inner = await section('inner', 1, start.id)
    await section('empty', 0)
    await addDoc({ slug: 'limits', sectionId: reference.id }, own)
    await addDoc({ slug: 'deep', sectionId: inner.id }, own)
    await addDoc({ slug: 'second', sectionId: start.id, order: 2 }, own)
    await addDoc({ slug: 'first', sectionId: start.id, order: 1, markdown: '# First' }, own)
    await addDoc({ slug: 'hidden', sectionId: start.id, order: 1, status: 'DRAFT' }, own)
    await addDoc({ slug: 'alone' }, own)
    const { body } = await read(`/products/${own.slug}/docs`)
    assert.deepEqual(body.product, { slug: own.slug, name: 'Test product' })
    assert.deepEqual(
      body.docs.map((doc: { slug: string; section: string }) => [doc.slug, doc.section]),
      [
        ...[
          ['alone', null],
          ['first', 'start'],
          ['second', 'start'],
          ['deep', 'inner'],
          ['limits', 'reference'],
        ],
      ],
    )
    assert.deepEqual(
      body.sections.map(({ slug, parent, docs }: { slug: string; parent: string; docs: { slug: string }[] }) => [
        slug,
        parent,
        docs.length,
      ]),
      [
        ['start', null, 2],
        ['inner', 'start', 1],
        ['reference', null, 1],
      ],
    )
    assert.equal(body.results, undefined)
    const { doc } = (await read(`/products/${own.slug}/docs/second`)).body
    assert.deepEqual([doc.prev.slug, doc.next.slug, doc.section.slug], ['first', 'deep', 'start'])
    assert.equal((await read(`/products/${own.slug}/docs/alone`)).body.doc.prev, null)
    assert.equal((await read(`/products/${own.slug}/docs/limits`)).body.doc.next, null)

    const file = (await read(`/products/${own.slug}/docs.md`)).bytes.toString()
    assert.ok(file.startsWith('# Test product\n\n> Of a test.\n'))
    assert.ok(file.indexOf('/docs/first') < file.indexOf('/docs/limits'))
    assert.ok(!file.includes('/docs/hidden'))
    const index = (await read('/llms.txt')).bytes.toString()
    assert.ok(index.includes(`- [A doc](/products/${own.slug}/docs/first.md)`))
    assert.ok(!index.includes(`/products/${own.slug}/docs/hidden`))

    const admin = await catalog.list(own, 'docs', '?limit=2')
    assert.deepEqual([admin.body.docs.length, admin.body.pagination.total], [2, 6])
    assert.equal(admin.body.docs[0].html, undefined)
    assert.equal((await catalog.remove(own, 'doc-sections', start.id)).status, 204)
    const after = (await read(`/products/${own.slug}/docs`)).body
    assert.deepEqual(after.docs.map(({ slug }: { slug: string }) => slug).sort(), [
      'alone',
      'deep',
      'first',
      'limits',
      'second',
    ])
  })

  test('have sections that never form a circle', async () => {
    const own = await catalog.product()
    const one = (await catalog.add(own, 'doc-sections', { slug: 'one', title: 'One' })).body.docSection
    const two = (await catalog.add(own, 'doc-sections', { slug: 'two', title: 'Two', parentId: one.id })).body
      .docSection
    const reply = await catalog.change(own, 'doc-sections', { id: one.id, body: { parentId: two.id } })
    assert.deepEqual([reply.status, reply.body.errors[0].path], [400, '/body/parentId'])
    const races = await Promise.all([
      catalog.change(own, 'doc-sections', { id: two.id, body: { parentId: null } }),
      catalog.change(own, 'doc-sections', { id: one.id, body: { parentId: two.id } }),
    ])
    assert.ok(races.some(({ status }) => status === 200))
    assert.deepEqual(codeOf(await catalog.add(own, 'doc-sections', { slug: 'one', title: 'x' })), [409, 'SLUG_TAKEN'])
  })
})
