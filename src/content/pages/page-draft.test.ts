import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { applyPatch } from 'rfc6902'
import { type Reply, type TestApp, testApp, unique } from '../../../test/harness/app.ts'

let app: TestApp

before(async () => {
  app = await testApp()
})

async function make(overrides: Record<string, unknown> = {}) {
  const body = { slug: unique('p'), title: 'First', sections: [], ...overrides }
  const reply = await app.call({ method: 'POST', url: '/admin/cms/pages', headers: app.admin, body })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return reply.body.page
}

function admin(method: string, path: string, body?: unknown): Promise<Reply> {
  const call = { method, url: `/admin/cms/pages/${path}`, headers: app.admin }
  return app.call(body === undefined ? call : { ...call, body })
}

const visit = (slug: string, query = '') => app.call({ url: `/cms/pages/${slug}${query}` })
const titleOf = async (slug: string) => (await visit(slug)).body.page?.title ?? null

describe('a draft', () => {
  test('stands beside the page: the public gets the same bytes until it is published', async () => {
    const page = await make()
    const publicBefore = await visit(page.slug)
    app.clock.advance({ seconds: 5 })
    const saved = await admin('PUT', `${page.id}?draft=true`, { title: 'Second', meta: { title: 'M' } })
    assert.deepEqual(
      [saved.body.page.title, saved.body.page.hasDraft, saved.body.page.draft.title],
      ['First', true, 'Second'],
    )
    const publicAfter = await visit(page.slug)
    assert.deepEqual(
      [publicAfter.bytes, publicAfter.headers['etag']],
      [publicBefore.bytes, publicBefore.headers['etag']],
    )
    await admin('PUT', `${page.id}?draft=true`, { locale: 'de' })
    const published = await admin('POST', `${page.id}/publish`)
    assert.deepEqual([published.body.page.draft, published.body.page.revision], [null, 4])
    const { body } = await visit(page.slug)
    assert.deepEqual(
      [body.page.title, body.page.locale, body.page.meta, body.page.revision],
      ['Second', 'de', { title: 'M' }, 4],
    )
    assert.equal((await admin('POST', `${page.id}/publish`)).body.page.revision, 4)
  })

  test('can be thrown away, and what was published stays', async () => {
    const page = await make()
    await admin('PUT', `${page.id}?draft=true`, { title: 'Second' })
    assert.equal((await admin('DELETE', `${page.id}/draft`)).status, 204)
    await admin('POST', `${page.id}/publish`)
    assert.equal(await titleOf(page.slug), 'First')
    assert.equal((await admin('DELETE', `${page.id}/draft`)).status, 204)
  })

  test('has no address, status or schedule of its own', async () => {
    const page = await make()
    for (const body of [{ slug: 'x' }, { status: 'DRAFT' }, { publishAt: null }, { unpublishAt: null }]) {
      const reply = await admin('PUT', `${page.id}?draft=true`, body)
      assert.deepEqual([reply.status, reply.body.errors[0].path], [400, `/body/${Object.keys(body)[0]}`])
    }
  })

  test('of a page that is not public makes it public when it is published', async () => {
    const page = await make({ status: 'DRAFT' })
    await admin('PUT', `${page.id}?draft=true`, { title: 'Second' })
    assert.equal(await titleOf(page.slug), null)
    await admin('POST', `${page.id}/publish`)
    assert.equal(await titleOf(page.slug), 'Second')
    await admin('POST', `${page.id}/unpublish`)
    assert.equal(await titleOf(page.slug), null)
    await admin('POST', `${page.id}/archive`)
    assert.equal((await admin('GET', page.id)).body.page.status, 'ARCHIVED')
    await admin('PUT', page.id, { status: 'PUBLISHED' })
    assert.equal(await titleOf(page.slug), 'Second')
  })
})

describe('the revisions of a page', () => {
  test('say who saved what and why, newest first, and each gives its state back', async () => {
    const page = await make({ note: 'start' })
    await admin('PUT', page.id, { title: 'Second', note: 'better' })
    await admin('PUT', `${page.id}?draft=true`, { title: 'Third' })
    const { revisions } = (await admin('GET', `${page.id}/revisions`)).body
    assert.deepEqual(
      revisions.map((line: Record<string, unknown>) => [
        line['number'],
        line['action'],
        line['isDraft'],
        line['title'],
        line['note'],
      ]),
      [
        [3, 'DRAFT_SAVED', true, 'Third', null],
        [2, 'SAVED', false, 'Second', 'better'],
        [1, 'CREATED', false, 'First', 'start'],
      ],
    )
    assert.equal(revisions[0].actor.type, 'ADMIN')
    const one = (await admin('GET', `${page.id}/revisions/1`)).body.revision
    assert.deepEqual([one.snapshot.title, one.number], ['First', 1])
    for (const number of ['0', '4', '-1', '1e0', '01', 'x', '99999999999'])
      assert.equal((await admin('GET', `${page.id}/revisions/${number}`)).body.code, 'NOT_FOUND', number)
    const other = await make()
    assert.equal((await admin('POST', `${other.id}/revisions/2/restore`)).status, 404)
  })

  test('come back as a new revision, to the page or to its draft', async () => {
    const page = await make({ sections: [{ type: 'note', content: { text: 'a' } }] })
    await admin('PUT', page.id, { title: 'Second', sections: [] })
    const toDraft = await admin('POST', `${page.id}/revisions/1/restore?draft=true`)
    assert.deepEqual([toDraft.body.page.draft.title, toDraft.body.page.draft.sections], ['First', page.sections])
    assert.equal(await titleOf(page.slug), 'Second')
    const restored = await admin('POST', `${page.id}/revisions/1/restore`)
    assert.deepEqual([restored.body.page.title, restored.body.page.revision], ['First', 4])
    assert.deepEqual((await visit(page.slug)).body.page.sections, page.sections)
  })

  test('of which the newest 50 are kept', async () => {
    const page = await make()
    for (let number = 2; number <= 53; number++) await admin('PUT', page.id, { title: `T${number}` })
    const { body } = await admin('GET', `${page.id}/revisions?limit=1&page=50`)
    assert.deepEqual([body.pagination.total, body.revisions[0].number], [50, 4])
    assert.equal((await admin('GET', `${page.id}/revisions/3`)).status, 404)
  })

  test('differ by a patch that makes one of the other', async () => {
    const text = (words: string) => ({ type: 'note', content: { text: words } })
    const page = await make({ sections: ['a', 'b', 'c'].map(text) })
    const [, ...rest] = page.sections
    await admin('PUT', page.id, {
      title: 'Second',
      sections: [...rest.map((section: object) => ({ ...section, order: 5 })), text('d')],
    })
    await admin('PUT', `${page.id}?draft=true`, { sections: [] })
    const state = async (number: number) =>
      (await admin('GET', `${page.id}/revisions/${number}`)).body.revision.snapshot
    for (const [against, other] of [
      ['2', 2],
      ['3', 3],
      ['current', 2],
      ['draft', 3],
      ['1', 1],
    ] as const) {
      const { status, body } = await admin('GET', `${page.id}/revisions/1/diff?against=${against}`)
      assert.equal(status, 200)
      const patched = await state(1)
      assert.ok(applyPatch(patched, body.patch).every((outcome) => outcome === null))
      assert.deepEqual(patched, await state(other))
    }
    const { body } = await admin('GET', `${page.id}/revisions/1/diff`)
    assert.deepEqual(
      [body.from, body.to, body.patch[0]],
      [1, 'current', { op: 'replace', path: '/title', value: 'Second' }],
    )
    assert.equal((await admin('GET', `${page.id}/revisions/1/diff?against=latest`)).status, 400)
    assert.equal((await admin('GET', `${page.id}/revisions/1/diff?against=9`)).status, 404)
    await admin('DELETE', `${page.id}/draft`)
    assert.equal((await admin('GET', `${page.id}/revisions/1/diff?against=draft`)).status, 404)
  })
})

describe('a preview link', () => {
  const link = async (id: string, body: object = {}) => (await admin('POST', `${id}/preview-link`, body)).body

  test('shows the draft to whoever has it, to no cache and no search engine, until it expires', async () => {
    const page = await make({ status: 'DRAFT' })
    await admin('PUT', `${page.id}?draft=true`, { title: 'Second' })
    const { url, expiresAt } = await link(page.id)
    assert.equal(Date.parse(expiresAt) - app.clock.now().getTime(), 3600_000)
    const { status, headers, body } = await app.call({ url })
    assert.deepEqual([status, body.page.title, body.page.status], [200, 'Second', 'DRAFT'])
    assert.deepEqual([headers['cache-control'], headers['x-robots-tag']], ['private, no-store', 'noindex'])
    app.clock.advance({ seconds: 3599 })
    assert.equal((await app.call({ url: `/v1${url}` })).status, 200)
    app.clock.advance({ seconds: 1 })
    assert.deepEqual(comparable(await app.call({ url })), comparable(await visit(unique('nothing'))))
  })

  test('that is forged, of another page or expired does as much as none', async () => {
    const [draft, open] = [await make({ status: 'DRAFT' }), await make()]
    await admin('PUT', `${open.id}?draft=true`, { title: 'Second' })
    const plain = await visit(open.slug)
    const token = (await link(open.id)).url.split('preview=')[1] as string
    const flipped = [...Array(token.length).keys()].map(
      (at) => token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1),
    )
    const other = (await link(draft.id)).url.split('preview=')[1] as string
    for (const wrong of ['', 'x', token.slice(1), `${token}AAAA`, other, 'a'.repeat(5000), ...flipped.slice(0, -1)]) {
      const reply = await visit(open.slug, `?preview=${wrong}`)
      assert.deepEqual(
        [reply.status, reply.bytes, reply.headers['cache-control']],
        [200, plain.bytes, plain.headers['cache-control']],
      )
    }
    assert.equal((await visit(draft.slug, `?preview=${token}`)).status, 404)
    assert.equal((await visit(open.slug, `?preview=${token}`)).body.page.title, 'Second')
  })

  test('lasts at most seven days', async () => {
    const page = await make()
    const { expiresAt } = await link(page.id, { expiresInSeconds: 604_800 })
    assert.equal(Date.parse(expiresAt) - app.clock.now().getTime(), 604_800_000)
    for (const expiresInSeconds of [0, 604_801, 1.5])
      assert.equal((await admin('POST', `${page.id}/preview-link`, { expiresInSeconds })).status, 400)
  })
})

function comparable({ status, headers, body }: Reply): unknown {
  const { requestId: _, ...rest } = body
  return {
    status,
    type: headers['content-type'],
    cache: headers['cache-control'],
    robots: headers['x-robots-tag'],
    rest,
  }
}
