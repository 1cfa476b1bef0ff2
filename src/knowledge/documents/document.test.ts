import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp, testBlobs } from '../../../test/harness/app.ts'
import { type DocumentCalls, documentCalls } from '../../../test/harness/documents.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { many, sql } from '../../storage/query.ts'

let app: TestApp
let orgs: ReturnType<typeof organizationCalls>
let key: TestKey
let orgId: string
let owner: TestUser
let admin: TestUser
let member: TestUser
let viewer: TestUser
let calls: DocumentCalls

before(async () => {
  app = await testApp()
  orgs = organizationCalls(app)
  key = await app.apiKey(await app.tenant())
  owner = await orgs.person(key)
  orgId = (await orgs.create(owner)).id
  admin = await orgs.add(key, orgId, 'admin')
  member = await orgs.add(key, orgId, 'member')
  viewer = await orgs.add(key, orgId, 'viewer')
  calls = documentCalls(app, orgId)
})

const unique = () => `Words number ${crypto.randomUUID()}.`
const path = ({ id }: { id: string }) => `/documents/${id}`

/** A tenant with an organization of its own. */
async function elsewhere(limits: Record<string, number> = {}) {
  const tenant = await app.tenant({ limits })
  const user = await orgs.person(await app.apiKey(tenant))
  const { id } = await orgs.create(user)
  return { tenant, user, orgId: id, calls: documentCalls(app, id) }
}

describe('a document', () => {
  test('is answered before it is read, and then has its text, language and size', async () => {
    const text = '# Terms\n\nDelivery takes three days. The goods stay ours until they are paid, and that is the law.'
    const added = await calls.add(member, text, { title: 'Terms of delivery', tags: ['legal', ' legal '] })
    assert.deepEqual(
      [added.status, added.version, added.pages, added.indexedAt, added.tags],
      ['queued', 1, null, null, ['legal']],
    )
    await app.settled()
    const ready = await calls.get(viewer, added.id)
    assert.deepEqual(
      [ready.status, ready.language, ready.failure, ready.progress, ready.mimeType, ready.createdBy],
      ['ready', 'en', null, null, 'text/markdown', member.id],
    )
    const read = await calls.text(viewer, added.id)
    assert.match(read, /^Terms\n\nDelivery takes three days\./)
    assert.equal([...read].length, ready.characters)
    assert.ok(ready.revision > added.revision && ready.indexedAt !== null)
  })

  test('is uploaded as a file, whose type is seen from its bytes and which is named after it', async () => {
    const html = '<!doctype html><h1>Minutes</h1><p>We met at noon.</p>'
    const { status, body } = await calls.upload(
      member,
      { bytes: html, name: 'minutes of May.txt', type: 'text/plain' },
      { tags: 'a, b' },
    )
    assert.equal(status, 202)
    assert.deepEqual(
      [body.document.mimeType, body.document.title, body.document.tags],
      ['text/html', 'minutes of May', ['a', 'b']],
    )
    await app.settled()
    assert.match(await calls.text(member, body.document.id), /We met at noon/)
  })

  test('of a type that is not read, without bytes, or too large is refused and leaves nothing behind', async () => {
    const sent = async (bytes: Buffer | string, name: string) => (await calls.upload(member, { bytes, name })).body.code
    assert.equal(await sent(Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]), 'a.png'), 'UNSUPPORTED_MEDIA_TYPE')
    assert.equal(await sent('', 'a.txt'), 'VALIDATION_ERROR')
    const large = Buffer.alloc(25 * 1024 * 1024 + 1, 'a')
    assert.equal(await sent(large, 'a.txt'), 'BODY_TOO_LARGE')
    const other = await elsewhere()
    const lost = await other.calls.upload(other.user, { bytes: unique(), name: 'a.txt' }, { collectionId: orgId })
    assert.deepEqual([lost.status, lost.body.errors[0].path], [400, '/body/collectionId'])
    assert.equal((await other.calls.titles(other.user)).length, 0)
  })

  test('with 6 MiB of JSON is taken, and one with more refused', async () => {
    const body = { title: 'Long', text: `${unique()} ${'word '.repeat(1_200_000)}` }
    assert.equal((await calls.call(member, 'POST', '/documents', { body })).status, 202)
    const more = { title: 'Longer', text: 'word '.repeat(1_300_000) }
    assert.equal((await calls.call(member, 'POST', '/documents', { body: more })).body.code, 'BODY_TOO_LARGE')
    await app.settled()
  })

  test('with the same bytes as another of its collection is that one, unless that has failed', async () => {
    const text = unique()
    const first = await calls.add(member, text)
    const again = await calls.call(owner, 'POST', '/documents', { body: { title: 'Other title', text } })
    assert.deepEqual([again.status, again.body.duplicate, again.body.document.id], [200, true, first.id])
    const elsewhere = await calls.collection(admin)
    assert.notEqual((await calls.add(member, text, { collectionId: elsewhere.id })).id, first.id)
    const blank = ' '.repeat(20 + Math.floor(Math.random() * 1000))
    const failed = await calls.add(member, blank)
    await app.settled()
    assert.equal((await calls.get(member, failed.id)).failure.code, 'NO_TEXT')
    assert.notEqual((await calls.add(member, blank)).id, failed.id)
  })

  test('of 20 uploads of the same bytes at once is one', async () => {
    const file = { bytes: unique(), name: 'same.txt' }
    const replies = await Promise.all(Array.from({ length: 20 }, () => calls.upload(member, file)))
    assert.deepEqual(
      [
        replies.filter(({ status }) => status === 202).length,
        new Set(replies.map(({ body }) => body.document?.id)).size,
      ],
      [1, 1],
    )
  })

  test('sent as JSON is answered alike when the request is repeated, until it is deleted', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const text = unique()
    const send = () => calls.call(member, 'POST', '/documents', { body: { title: 'Once', text }, headers })
    const [first, again] = [await send(), await send()]
    assert.deepEqual([first.status, again.status, again.headers['idempotent-replayed']], [202, 202, 'true'])
    assert.deepEqual(again.body, first.body)
    const version = () =>
      calls.call(member, 'POST', `${path(first.body.document)}/versions`, { body: { text: 'Next.' }, headers })
    assert.deepEqual([(await version()).body.version.version, (await version()).body.version.version], [2, 2])
    assert.equal((await calls.call(member, 'DELETE', path(first.body.document))).status, 204)
    assert.deepEqual([(await send()).status, (await version()).status], [404, 404])
  })

  test('is added by members, never by viewers, and in a restricted collection by its writers', async () => {
    const closed = await calls.collection(admin, { access: 'restricted' })
    const add = async (user: TestUser, collectionId?: string) =>
      (await calls.call(user, 'POST', '/documents', { body: { title: 'T', text: unique(), collectionId } })).status
    assert.equal(await add(viewer), 403)
    assert.equal(await add(member, closed.id), 400, 'a collection that is not visible')
    await calls.setMember(admin, closed.id, member.id, 'read')
    await calls.setMember(admin, closed.id, viewer.id, 'write')
    assert.equal(await add(member, closed.id), 403)
    assert.equal(await add(viewer, closed.id), 403)
    await calls.setMember(admin, closed.id, member.id, 'write')
    assert.equal(await add(member, closed.id), 202)
  })

  test('of a restricted collection is not found by who is not listed', async () => {
    const closed = await calls.collection(admin, { access: 'restricted' })
    const document = await calls.add(admin, unique(), { collectionId: closed.id, title: 'Hidden' })
    for (const user of [owner, member]) {
      assert.ok(!(await calls.titles(user)).includes('Hidden'))
      for (const rest of ['', '/content', '/versions'])
        assert.equal((await calls.call(user, 'GET', `${path(document)}${rest}`)).status, 404, rest)
      assert.equal((await calls.call(user, 'DELETE', path(document))).status, 404)
      const moved = await calls.call(user, 'PATCH', path(document), { body: { title: 'Mine' } })
      assert.equal(moved.status, 404)
    }
  })

  test('of an open collection is changed by who added it and by admins', async () => {
    const other = await orgs.add(key, orgId, 'member')
    const document = await calls.add(member, unique())
    const rename = (user: TestUser) => calls.call(user, 'PATCH', path(document), { body: { title: `By ${user.id}` } })
    assert.deepEqual(
      [await rename(member), await rename(admin), await rename(other), await rename(viewer)].map(
        ({ status }) => status,
      ),
      [200, 200, 403, 403],
    )
    assert.equal((await calls.call(other, 'DELETE', path(document))).status, 403)
    assert.equal((await calls.uploadVersion(other, document.id, { bytes: 'x', name: 'x.txt' })).status, 403)
  })

  test('is moved by who may write in both collections', async () => {
    const closed = await calls.collection(admin, { access: 'restricted' })
    const document = await calls.add(member, unique())
    const move = () => calls.call(member, 'PATCH', path(document), { body: { collectionId: closed.id } })
    assert.equal((await move()).status, 400)
    await calls.setMember(admin, closed.id, member.id, 'read')
    assert.equal((await move()).status, 403)
    await calls.setMember(admin, closed.id, member.id, 'write')
    assert.equal((await move()).body.document.collectionId, closed.id)
    assert.equal((await calls.call(admin, 'GET', `/collections/${closed.id}`)).body.collection.documentCount, 1)
    assert.equal((await calls.call(viewer, 'GET', path(document))).status, 404)
  })

  test('refuses a change that is based on another revision', async () => {
    const document = await calls.ready(member, unique())
    const { headers } = await calls.call(member, 'GET', path(document))
    const ifMatch = { headers: { 'if-match': headers['etag'] } }
    const change = (title: string) => calls.call(member, 'PATCH', path(document), { body: { title }, ...ifMatch })
    assert.deepEqual([(await change('One')).status, (await change('Two')).status], [200, 412])
    assert.equal((await calls.call(member, 'DELETE', path(document), ifMatch)).status, 412)
  })

  test('is listed by collection, status, tag and letters of its title', async () => {
    const { user, calls } = await elsewhere()
    const other = await calls.collection(user)
    await calls.add(user, unique(), { title: 'Alpha 100%', tags: ['x'] })
    await calls.add(user, unique(), { title: 'Beta', collectionId: other.id })
    await calls.add(user, '   ', { title: 'Blank' })
    assert.deepEqual(await calls.titles(user, `&collectionId=${other.id}`), ['Beta'])
    assert.deepEqual(await calls.titles(user, '&tag=x'), ['Alpha 100%'])
    assert.deepEqual(await calls.titles(user, '&q=0%25'), ['Alpha 100%'])
    assert.deepEqual(await calls.titles(user, '&q=_'), [])
    await app.settled()
    assert.deepEqual(await calls.titles(user, '&status=failed'), ['Blank'])
    const { body } = await calls.call(user, 'GET', '/documents?limit=2&page=2')
    assert.deepEqual([body.documents.length, body.pagination.total], [1, 3])
  })

  test('stays when who added it is removed, without their id', async () => {
    const gone = await orgs.add(key, orgId, 'member')
    const document = await calls.ready(gone, unique())
    const removed = await app.call({ method: 'DELETE', url: `/admin/users/${gone.id}`, headers: app.admin })
    assert.ok(removed.status < 300)
    assert.equal((await calls.get(member, document.id)).createdBy, null)
  })
})

describe('the content of a document', () => {
  test('is the file as it was uploaded, which browsers save and do not run', async () => {
    const html = `<!doctype html><script>alert(1)</script><p>${unique()}</p>`
    const { body } = await calls.upload(member, { bytes: html, name: 'Sales “2026”.html' })
    const reply = await calls.call(viewer, 'GET', `${path(body.document)}/content`)
    assert.equal(reply.body, html)
    assert.match(reply.headers['content-disposition'] ?? '', /^attachment; filename="Sales _2026_\.html"; filename\*=/)
    assert.equal(reply.headers['x-content-type-options'], 'nosniff')
    assert.match(reply.headers['content-security-policy'] ?? '', /sandbox/)
    const { sha256 } = body.document
    const media = await app.call({ url: `/media/${sha256.slice(0, 32)}/file.html` })
    assert.equal(media.status, 404, 'originals are not below /media')
    await app.settled()
  })

  test('is sent in ranges, the text like the file', async () => {
    const document = await calls.ready(member, `${'äöü '.repeat(2000)}${unique()}`, { format: 'text' })
    const whole = Buffer.from(await calls.text(member, document.id))
    const url = `${path(document)}/content?format=text`
    const { status, bytes } = await calls.call(member, 'GET', url, { headers: { range: 'bytes=5001-9000' } })
    assert.equal(status, 206)
    assert.deepEqual(bytes, whole.subarray(5001, 9001))
  })

  test('has no text while the document is not ready, and is not found for an unknown version', async () => {
    const document = await calls.add(member, unique())
    const get = (query: string) => calls.call(member, 'GET', `${path(document)}/content?${query}`)
    assert.equal((await get('format=text')).status, 409)
    assert.equal((await get('version=2')).status, 404)
    assert.equal((await get('version=1')).status, 200)
    await app.settled()
  })
})

describe('versions of a document', () => {
  test('replace each other at once when they are ready, and not before', async () => {
    const document = await calls.ready(member, 'The first text.')
    const { status, body } = await calls.uploadVersion(member, document.id, { bytes: unique(), name: 'second.txt' })
    assert.deepEqual([status, body.version.version, body.version.status, body.document.version], [202, 2, 'queued', 1])
    assert.match(await calls.text(viewer, document.id), /The first text/)
    await app.settled()
    const ready = await calls.get(viewer, document.id)
    assert.deepEqual([ready.version, ready.filename], [2, 'second.txt'])
    assert.match(await calls.text(viewer, document.id), /Words number/)
    assert.match(await calls.text(viewer, document.id, '&version=1'), /The first text/)
  })

  test('that fail are told and leave the current one', async () => {
    const document = await calls.ready(member, unique())
    await calls.uploadVersion(member, document.id, { bytes: '  \n', name: 'blank.txt' })
    await app.settled()
    const after = await calls.get(member, document.id)
    assert.deepEqual([after.version, after.status], [1, 'ready'])
    const { body } = await calls.call(member, 'GET', `${path(document)}/versions`)
    assert.deepEqual(
      body.versions.map(({ version, status, isCurrent, failure }: Record<string, { code: string }>) => [
        version,
        status,
        isCurrent,
        failure?.code ?? null,
      ]),
      [
        [2, 'failed', false, 'NO_TEXT'],
        [1, 'ready', true, null],
      ],
    )
  })

  test('are restored as new ones', async () => {
    const document = await calls.ready(member, 'The first text.')
    await calls.call(member, 'POST', `${path(document)}/versions`, { body: { text: 'The second text.' } })
    await app.settled()
    const restore = (version: number | string) =>
      calls.call(member, 'POST', `${path(document)}/versions/${version}/restore`)
    assert.deepEqual(
      [(await restore(2)).status, (await restore(9)).status, (await restore('x')).status],
      [409, 404, 404],
    )
    assert.equal((await restore(1)).body.version.version, 3)
    await app.settled()
    assert.equal((await calls.get(member, document.id)).version, 3)
    assert.match(await calls.text(member, document.id), /The first text/)
  })

  test('that wait at once are 20 in the end, too', async () => {
    const { user, calls } = await elsewhere()
    const document = await calls.add(user, unique())
    for (let version = 2; version <= 24; version++)
      await calls.call(user, 'POST', `${path(document)}/versions`, { body: { text: unique() } })
    await app.settled()
    const { body } = await calls.call(user, 'GET', `${path(document)}/versions`)
    assert.equal(body.versions.length, 20)
    assert.equal((await calls.get(user, document.id)).version, 24)
  })

  test('are the last 20, and take their blobs along', async () => {
    const { user, calls } = await elsewhere()
    const document = await calls.ready(user, unique())
    for (let version = 2; version <= 22; version++) {
      await calls.call(user, 'POST', `${path(document)}/versions`, { body: { text: unique() } })
      await app.settled()
    }
    const { body } = await calls.call(user, 'GET', `${path(document)}/versions`)
    assert.deepEqual(
      body.versions.map(({ version }: { version: number }) => version),
      Array.from({ length: 20 }, (_, index) => 22 - index),
    )
    assert.equal(await (await testBlobs()).stat(document.sha256), null)
  })
})

describe('a deleted document', () => {
  test('leaves no word in any table, blob or stored answer', async () => {
    const { tenant, user, orgId, calls } = await elsewhere()
    const canary = `canary${crypto.randomUUID().replaceAll('-', '')}`
    const document = await calls.ready(user, `The word is ${canary}.`, { title: canary, tags: [canary] })
    await calls.call(user, 'POST', `${path(document)}/versions`, { body: { text: `Again ${canary}` } })
    await app.settled()
    assert.ok((await tablesWith(canary)).includes('document_chunks'))
    assert.equal((await calls.call(user, 'DELETE', path(document))).status, 204)
    assert.deepEqual(await tablesWith(canary), [])
    assert.equal(await (await testBlobs()).stat(document.sha256), null)
    assert.equal((await calls.call(user, 'GET', path(document))).status, 404)
    const [entry] = await many(
      app.platform,
      sql<{
        changes: object
      }>`select changes from audit_log where tenant_id = ${tenant.id} and action = 'document.delete'`,
    )
    assert.deepEqual(entry?.changes, {
      orgId,
      documents: 1,
      versions: 2,
      chunks: 2,
      blobs: 2,
    })
  })

  test('does not take the bytes that another tenant has stored, too', async () => {
    const [one, two] = [await elsewhere(), await elsewhere()]
    const text = unique()
    const first = await one.calls.ready(one.user, text)
    const second = await two.calls.ready(two.user, text)
    assert.equal((await one.calls.call(one.user, 'DELETE', path(first))).status, 204)
    assert.equal((await two.calls.call(two.user, 'GET', `${path(second)}/content`)).body, text)
    assert.equal((await two.calls.call(two.user, 'DELETE', path(second))).status, 204)
    assert.equal(await (await testBlobs()).stat(first.sha256), null)
  })

  test('goes with its organization, and its blob with it', async () => {
    const { user, orgId, calls } = await elsewhere()
    const document = await calls.ready(user, unique())
    assert.equal((await orgs.call(user, 'DELETE', `/orgs/${orgId}?confirm=Research`)).status, 204)
    await app.settled()
    assert.equal(await (await testBlobs()).stat(document.sha256), null)
  })
})

/** The tables that have a text anywhere. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await many(
    app.platform,
    sql<{ name: string }>`select table_schema || '.' || table_name as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema in ('public', 'jobs')`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await many(
      app.platform,
      sql`select 1 from ${sql.raw(name)} t where strpos(t::text, ${text}) > 0 limit 1`,
    )
    if (rows.length > 0) found.push(name.replace('public.', ''))
  }
  return found
}
