import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { type Reply, type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { catchUp } from '../../../test/harness/clock.ts'

let app: TestApp

before(async () => {
  app = await testApp()
})

async function make(overrides: Record<string, unknown> = {}) {
  const body = { slug: unique('p'), title: 'First', ...overrides }
  const reply = await app.call({ method: 'POST', url: '/admin/cms/pages', headers: app.admin, body })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return reply.body.page
}

function admin(method: string, path: string, body?: unknown): Promise<Reply> {
  const call = { method, url: `/admin/cms/pages/${path}`, headers: app.admin }
  return app.call(body === undefined ? call : { ...call, body })
}

const inSeconds = (seconds: number) => new Date(app.clock.now().getTime() + seconds * 1000).toISOString()
const titleOf = async (slug: string) => (await app.call({ url: `/cms/pages/${slug}` })).body.page?.title ?? null
const pageOf = async (id: string) => (await admin('GET', id)).body.page
const revisionsOf = async (id: string) => (await admin('GET', `${id}/revisions?limit=100`)).body.revisions
const publishedOnes = async (id: string) =>
  (await revisionsOf(id)).filter(({ action }: { action: string }) => action === 'PUBLISHED').length

async function pass(seconds: number) {
  app.clock.advance({ seconds })
  await app.settled()
}

describe('a schedule', () => {
  beforeEach(() => catchUp(app.clock))

  test('publishes a page at its moment and not before, once, and takes it back', async () => {
    const [publishAt, unpublishAt] = [inSeconds(60), inSeconds(120)]
    const page = await make({ status: 'PUBLISHED', publishAt, unpublishAt })
    assert.deepEqual(
      [page.status, page.publishAt, page.unpublishAt, page.publishedAt],
      ['DRAFT', publishAt, unpublishAt, null],
    )
    await pass(59)
    assert.equal(await titleOf(page.slug), null)
    await pass(2)
    assert.equal(await titleOf(page.slug), 'First')
    const open = await pageOf(page.id)
    assert.deepEqual([open.status, open.publishAt, open.unpublishAt], ['PUBLISHED', null, unpublishAt])
    await app.settled()
    assert.equal(await publishedOnes(page.id), 1)
    await pass(60)
    assert.equal(await titleOf(page.slug), null)
    assert.deepEqual([(await pageOf(page.id)).status, (await pageOf(page.id)).unpublishAt], ['DRAFT', null])
    const [last] = await revisionsOf(page.id)
    assert.deepEqual([last.number, last.action, last.actor.type], [3, 'UNPUBLISHED', 'SYSTEM'])
  })

  test('publishes the draft as it is at that moment', async () => {
    const page = await make()
    await admin('PUT', `${page.id}?draft=true`, { title: 'Second' })
    await admin('POST', `${page.id}/publish`, { publishAt: inSeconds(60) })
    await admin('PUT', `${page.id}?draft=true`, { title: 'Third' })
    assert.equal(await titleOf(page.slug), 'First')
    await pass(61)
    assert.equal(await titleOf(page.slug), 'Third')
  })

  test('that was moved happens at its new moment alone', async () => {
    const page = await make({ publishAt: inSeconds(60) })
    await admin('POST', `${page.id}/publish`, { publishAt: inSeconds(600) })
    await pass(61)
    assert.equal(await titleOf(page.slug), null)
    await pass(540)
    assert.equal(await titleOf(page.slug), 'First')
    assert.equal(await publishedOnes(page.id), 1)
  })

  test('that was cancelled, or whose page is deleted, does nothing', async () => {
    const [page, gone, early] = [
      await make({ publishAt: inSeconds(60) }),
      await make({ publishAt: inSeconds(60) }),
      await make({ publishAt: inSeconds(60) }),
    ]
    await admin('PUT', page.id, { publishAt: null })
    await admin('DELETE', gone.id)
    await admin('POST', `${early.id}/publish`)
    await admin('POST', `${early.id}/unpublish`)
    await pass(61)
    for (const { slug } of [page, gone, early]) assert.equal(await titleOf(slug), null)
    assert.equal((await pageOf(page.id)).revision, 2)
    const dead = await app.call({
      url: '/v1/platform/admin/jobs?state=dead&kind=content.pages.act-on-schedule',
      headers: app.admin,
    })
    assert.deepEqual(dead.body.jobs ?? [], [])
  })

  test('of both, found late together, leaves the page taken back, with what was to be published', async () => {
    const page = await make({ publishAt: inSeconds(60), unpublishAt: inSeconds(120) })
    await admin('PUT', `${page.id}?draft=true`, { title: 'Second' })
    await pass(600)
    const after = await pageOf(page.id)
    assert.deepEqual([after.status, after.publishAt, after.unpublishAt, after.title], ['DRAFT', null, null, 'Second'])
  })

  test('is kept by archiving no longer, and must lie ahead, its end behind its start', async () => {
    const page = await make({ publishAt: inSeconds(60), unpublishAt: inSeconds(90) })
    const { body } = await admin('POST', `${page.id}/archive`)
    assert.deepEqual([body.page.publishAt, body.page.unpublishAt], [null, null])
    for (const [path, sent, place] of [
      ['', { publishAt: inSeconds(0) }, '/body/publishAt'],
      ['', { unpublishAt: inSeconds(-1) }, '/body/unpublishAt'],
      ['', { publishAt: inSeconds(60), unpublishAt: inSeconds(60) }, '/body/unpublishAt'],
      ['/publish', { publishAt: 'tomorrow' }, '/body/publishAt'],
    ] as const) {
      const reply = await admin(path === '' ? 'PUT' : 'POST', `${page.id}${path}`, sent)
      assert.deepEqual([reply.status, reply.body.errors?.[0]?.path], [400, place])
    }
    await pass(100)
    assert.equal((await pageOf(page.id)).status, 'ARCHIVED')
  })

  test('is kept by a node that starts after the one that was asked has ended', async () => {
    const page = await make({ publishAt: inSeconds(60) })
    app.clock.advance({ seconds: 61 })
    await (await testApp({ clock: app.clock })).settled()
    assert.equal(await titleOf(page.slug), 'First')
  })

  test('is acted on once when two nodes have its job', async () => {
    const page = await make({ publishAt: inSeconds(60) })
    const at = page.publishAt
    app.clock.advance({ seconds: 61 })
    const second = await testApp({ clock: app.clock })
    await Promise.all([app.settled(), second.settled()])
    await Promise.all([app.settled(), second.settled()])
    assert.equal(await publishedOnes(page.id), 1)
    assert.ok(Date.parse((await pageOf(page.id)).publishedAt) >= Date.parse(at))
  })
})
