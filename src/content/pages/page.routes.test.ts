import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Reply, type TestApp, testApp, unique } from '../../../test/harness/app.ts'

let app: TestApp

before(async () => {
  app = await testApp()
})

const hero = { type: 'hero', content: { heading: 'Your network', subheading: 'Anywhere' } }

async function make(overrides: Record<string, unknown> = {}) {
  const body = { slug: unique('p'), title: 'Home', sections: [hero], meta: { title: 'Home' }, ...overrides }
  const reply = await app.call({ method: 'POST', url: '/admin/cms/pages', headers: app.admin, body })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return reply.body.page
}

function admin(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const call = { method, url: `/admin/cms/pages/${path}`, headers: { ...app.admin, ...headers } }
  return app.call(body === undefined ? call : { ...call, body })
}

const visit = (slug: string, query = '') => app.call({ url: `/cms/pages/${slug}${query}` })

/** An answer without what names the single request. */
function comparable({ status, headers, body }: Reply): unknown {
  const { requestId: _, ...rest } = body
  return { status, type: headers['content-type'], cache: headers['cache-control'], rest }
}

describe('a page', () => {
  test('is public as soon as it is made, as the specification shows it', async () => {
    const slug = unique('home')
    const made = await make({ slug, meta: { title: 'T', description: 'D' } })
    const { status, body } = await visit(slug)
    assert.equal(status, 200)
    assert.deepEqual(
      [body.page.id, body.page.slug, body.page.title, body.page.status],
      [made.id, slug, 'Home', 'PUBLISHED'],
    )
    assert.deepEqual(body.page.meta, { title: 'T', description: 'D' })
    assert.deepEqual(
      body.page.sections.map(({ type, content, order }: Record<string, unknown>) => ({ type, content, order })),
      [{ ...hero, order: 0 }],
    )
    assert.match(body.page.sections[0].id, /^[0-9a-f-]{36}$/)
    assert.deepEqual([body.page.locale, body.page.publishAt, body.page.revision], ['en', null, 1])
    assert.ok(!('draft' in body.page) && !('hasDraft' in body.page))
  })

  test('is at both addresses and in both lists, with its sections only when they are asked for', async () => {
    const { id, slug } = await make()
    for (const base of ['/cms/pages', '/v1/cms/pages']) {
      assert.equal((await app.call({ url: `${base}/${slug}` })).body.page.id, id)
      assert.equal((await app.call({ url: `${base}/${slug}`, method: 'HEAD' })).status, 200)
    }
    for (const url of ['/cms/pages?limit=100', '/v1/cms/pages?limit=100', '/v1/cms?limit=100']) {
      const { body } = await app.call({ url })
      const line = body.pages.find((page: { id: string }) => page.id === id)
      assert.deepEqual(Object.keys(line).sort(), ['id', 'meta', 'publishedAt', 'slug', 'title', 'updatedAt'])
      assert.equal(body.pagination.limit, 100)
    }
    const full = await app.call({ url: '/cms/pages?full=true&limit=100' })
    assert.equal(full.body.pages.find((page: { id: string }) => page.id === id).sections[0].type, 'hero')
    assert.equal((await app.call({ url: `/v1/platform/admin/cms/pages/${id}`, headers: app.admin })).body.page.id, id)
  })

  test('of several segments is found with a plain and with an encoded slash', async () => {
    const slug = `${unique('about')}/team`
    const { id } = await make({ slug })
    for (const path of [slug, encodeURIComponent(slug)]) assert.equal((await visit(path)).body.page.id, id)
    for (const [path, location] of [
      [`${slug}/`, `/cms/pages/${slug}`],
      ['', '/cms/pages'],
    ] as const) {
      const moved = await visit(path)
      assert.deepEqual([moved.status, moved.headers['location']], [308, location])
    }
    for (const path of [`${slug}/x`, slug.toUpperCase(), slug.replace('/', '%252F'), '..%2f', 'a'.repeat(450)])
      assert.equal((await visit(path)).body.code, 'NOT_FOUND', path)
    const wrong = await app.call({ method: 'DELETE', url: `/cms/pages/${slug}` })
    assert.deepEqual([wrong.status, wrong.headers['allow']], [405, 'GET, HEAD'])
  })

  test('that is not public answers with the bytes of one that never was', async () => {
    const nothing = comparable(await visit(unique('nothing')))
    for (const status of ['DRAFT', 'ARCHIVED']) {
      const { id, slug } = await make({ status })
      assert.deepEqual(comparable(await visit(slug)), nothing)
      const { body } = await app.call({ url: '/cms/pages?limit=100' })
      assert.ok(!body.pages.some((page: { id: string }) => page.id === id))
    }
  })

  test('keeps what a change does not name, and the members of meta each for itself', async () => {
    const page = await make({ template: 'landing', meta: { title: 'T', description: 'D', keywords: ['a'] } })
    const put = await admin('PUT', page.id, { title: 'New', meta: { description: null, noindex: true } })
    assert.equal(put.status, 200, JSON.stringify(put.body))
    assert.deepEqual(put.body.page.sections, page.sections)
    assert.deepEqual(put.body.page.meta, { title: 'T', noindex: true, keywords: ['a'] })
    assert.deepEqual([put.body.page.title, put.body.page.template, put.body.page.revision], ['New', 'landing', 2])
    const patch = await admin('PATCH', page.id, { template: null })
    assert.deepEqual([patch.body.page.title, patch.body.page.template], ['New', null])
    assert.equal((await visit(page.slug)).body.page.title, 'New')
  })

  test('that is saved as it is gets no new revision', async () => {
    const page = await make()
    const { body } = await admin('PUT', page.id, { title: page.title, sections: page.sections, meta: page.meta })
    assert.deepEqual(body.page, page)
    assert.equal((await admin('GET', `${page.id}/revisions`)).body.pagination.total, 1)
  })

  test('has one slug of its own: another page with it is SLUG_TAKEN, made or renamed', async () => {
    const [one, other] = [await make(), await make()]
    const body = { slug: one.slug, title: 'x' }
    const made = await app.call({ method: 'POST', url: '/admin/cms/pages', headers: app.admin, body })
    assert.deepEqual([made.status, made.body.code], [409, 'SLUG_TAKEN'])
    const renamed = await admin('PUT', other.id, { slug: one.slug, title: 'lost' })
    assert.deepEqual([renamed.status, renamed.body.code], [409, 'SLUG_TAKEN'])
    const { page } = (await admin('GET', other.id)).body
    assert.deepEqual([page.title, page.revision], ['Home', 1])
    for (const slug of ['', '/', 'a//b', 'a/', '/a', 'A', 'a b', 'ä', '../a', 'a'.repeat(201)])
      assert.equal((await admin('PUT', other.id, { slug })).status, 400, slug)
  })

  test('that was renamed sends visitors of its old address on, unless another page stands there now', async () => {
    const page = await make()
    const [second, third] = [unique('second'), `${unique('third')}/x`]
    await admin('PUT', page.id, { slug: second })
    await admin('PUT', page.id, { slug: third })
    for (const slug of [page.slug, second]) {
      const { status, headers, body } = await visit(slug)
      assert.deepEqual([status, headers['location'], body], [301, `/cms/pages/${third}`, { movedTo: third }])
    }
    const heir = await make({ slug: second })
    assert.equal((await visit(second)).body.page.id, heir.id)
    await admin('PUT', page.id, { slug: page.slug })
    assert.equal((await visit(page.slug)).status, 200)
    assert.equal((await visit(third)).headers['location'], `/cms/pages/${page.slug}`)
    await admin('POST', `${page.id}/unpublish`)
    assert.deepEqual(comparable(await visit(third)), comparable(await visit(unique('nothing'))))
  })

  test('no longer leads on from an old address once another page has it, a draft too', async () => {
    const takes = [
      (slug: string) => make({ slug, status: 'DRAFT' }),
      async (slug: string) => admin('PUT', (await make({ status: 'DRAFT' })).id, { slug }),
    ]
    for (const take of takes) {
      const page = await make()
      await admin('PUT', page.id, { slug: unique('new') })
      assert.equal((await visit(page.slug)).status, 301)
      await take(page.slug)
      assert.equal((await visit(page.slug)).status, 404)
    }
  })

  test('that was never public leaves no address behind', async () => {
    const page = await make({ status: 'DRAFT' })
    await admin('PUT', page.id, { slug: unique('new'), status: 'PUBLISHED' })
    assert.equal((await visit(page.slug)).status, 404)
  })

  test('that is deleted is gone with its draft, revisions and old addresses', async () => {
    const page = await make()
    const slug = unique('new')
    await admin('PUT', page.id, { slug })
    assert.equal((await admin('DELETE', page.id, undefined, { 'if-match': '"other"' })).status, 412)
    assert.equal((await admin('DELETE', page.id)).status, 204)
    for (const path of [slug, page.slug]) assert.equal((await visit(path)).status, 404)
    for (const path of [page.id, `${page.id}/revisions`, `${page.id}/revisions/1`])
      assert.equal((await admin('GET', path)).status, 404)
    assert.equal((await make({ slug: page.slug })).slug, page.slug)
  })

  test('is found by status, template and words in its name', async () => {
    const word = unique('word')
    const draft = await make({ slug: `${word}-one`, status: 'DRAFT', template: 'landing' })
    app.clock.advance({ ms: 1 }) // pages of one millisecond come in any order
    const open = await make({ title: `About ${word.toUpperCase()}` })
    const ids = async (query: string) => {
      const { body } = await app.call({ url: `/admin/cms/pages?q=${word}&${query}`, headers: app.admin })
      return body.pages.map(({ id }: { id: string }) => id)
    }
    assert.deepEqual(await ids(''), [open.id, draft.id])
    assert.deepEqual(await ids('status=DRAFT'), [draft.id])
    assert.deepEqual(await ids('template=landing'), [draft.id])
    assert.deepEqual(await ids('limit=1&page=2'), [draft.id])
  })

  test('is made once for one idempotency key', async () => {
    const call = {
      method: 'POST',
      url: '/admin/cms/pages',
      headers: { ...app.admin, 'idempotency-key': unique('k') },
      body: { slug: unique('p'), title: 'x', sections: [{ type: 'rich_text', content: { markdown: '# Hi' } }] },
    }
    const [first, again] = [await app.call(call), await app.call(call)]
    assert.deepEqual([first.status, again.status, again.body], [201, 201, first.body])
  })

  test('lists sections of types that are not known as warnings, in the page and in its draft', async () => {
    const own = { type: 'acme.widget', content: { a: 1 } }
    const body = { slug: unique('p'), title: 'x', sections: [hero, own] }
    const made = await app.call({ method: 'POST', url: '/admin/cms/pages', headers: app.admin, body })
    assert.deepEqual(
      [made.status, made.body.warnings.map(({ path }: { path: string }) => path)],
      [201, ['/page/sections/1/type']],
    )
    const url = `/admin/cms/pages/${made.body.page.id}`
    const draft = { sections: [own, hero] }
    const saved = await app.call({ method: 'PUT', url: `${url}?draft=true`, headers: app.admin, body: draft })
    const paths = ['/page/sections/1/type', '/page/draft/sections/0/type']
    assert.deepEqual(
      saved.body.warnings.map(({ path }: { path: string }) => path),
      paths,
    )
    const plain = await app.call({ method: 'PUT', url, headers: app.admin, body: { sections: [hero] } })
    assert.deepEqual(
      plain.body.warnings.map(({ path }: { path: string }) => path),
      [paths[1]],
    )
    const slip = await app.call({
      method: 'PUT',
      url,
      headers: app.admin,
      body: { sections: [{ ...hero, type: 'Hero' }] },
    })
    assert.deepEqual([slip.status, slip.body.errors[0].path], [400, '/body/sections/0/type'])
    assert.match(slip.body.detail, /did you mean "hero"/)
  })

  test('of 20 editors who save what they all read at one moment exactly one succeeds', async () => {
    const page = await make()
    const { headers } = await admin('GET', page.id)
    const ifMatch = { 'if-match': headers['etag'] ?? '' }
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => admin('PUT', page.id, { title: `Editor ${index}` }, ifMatch)),
    )
    const won = replies.filter(({ status }) => status === 200)
    assert.deepEqual([won.length, replies.filter(({ status }) => status === 412).length], [1, 19])
    const after = (await admin('GET', page.id)).body.page
    assert.deepEqual([after.title, after.revision], [won[0]?.body.page.title, 2])
    assert.equal(
      (await admin('PUT', page.id, { title: 'Last' }, { 'if-match': won[0]?.headers['etag'] ?? '' })).status,
      200,
    )
  })

  test('has a revision for each of 20 changes that race without a condition', async () => {
    const page = await make()
    await Promise.all(Array.from({ length: 20 }, (_, index) => admin('PUT', page.id, { title: `T${index}` })))
    const { body } = await admin('GET', `${page.id}/revisions?limit=100`)
    assert.deepEqual(
      body.revisions.map((line: { number: number }) => line.number),
      [...Array(21).keys()].map((n) => 21 - n),
    )
  })

  test('is held by every act that changes it to the revision that was read', async () => {
    const page = await make()
    await admin('PUT', `${page.id}?draft=true`, { title: 'Draft' })
    const stale = { 'if-match': `"${page.id}-1"` }
    for (const [method, path, body] of [
      ['PUT', '', {}],
      ['PATCH', '', {}],
      ['DELETE', '', undefined],
      ['POST', '/publish', {}],
      ['POST', '/unpublish', {}],
      ['POST', '/archive', {}],
      ['DELETE', '/draft', undefined],
      ['POST', '/revisions/1/restore', {}],
    ] as const) {
      const reply = await admin(method, `${page.id}${path}`, body, stale)
      assert.deepEqual([reply.status, reply.body.code], [412, 'PRECONDITION_FAILED'], `${method} ${path}`)
    }
    assert.equal((await admin('GET', page.id)).body.page.revision, 2)
  })

  test('leaves an entry in the audit log for each change, and none for a change that fails', async () => {
    const page = await make()
    await admin('PUT', page.id, { title: 'New', note: 'why' })
    await admin('PUT', page.id, { title: 'Never' }, { 'if-match': '"stale"' })
    await admin('POST', `${page.id}/archive`)
    await admin('DELETE', page.id)
    const { body } = await app.call({ url: `/admin/audit-logs?targetId=${page.id}`, headers: app.admin })
    assert.deepEqual(body.auditLogs.map(({ action }: { action: string }) => action).sort(), [
      'page.archive',
      'page.create',
      'page.delete',
      'page.update',
    ])
  })

  test('may hold 200 KiB and 200 sections, and no more', async () => {
    const text = (bytes: number) => ({ type: 'note', content: { text: 'x'.repeat(bytes) } })
    const page = await make({ sections: [text(199 * 1024)] })
    const large = await admin('PUT', page.id, { sections: [text(100 * 1024), text(101 * 1024)] })
    assert.deepEqual([large.status, large.body.errors?.[0]?.path], [400, '/body/sections'])
    assert.equal((await admin('PUT', page.id, { sections: [text(600 * 1024)] })).status, 413)
    assert.equal((await admin('PUT', page.id, { sections: Array(200).fill(text(1)) })).status, 200)
    assert.equal((await admin('PUT', page.id, { sections: Array(201).fill(text(1)) })).status, 400)
  })
})
