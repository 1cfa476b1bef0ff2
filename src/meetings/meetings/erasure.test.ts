import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Reply, type TestApp, type TestUser, testApp, unique } from '../../../test/harness/app.ts'
import { auditOfTenant } from '../../../test/harness/audit-log.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { rowsWith } from '../../../test/harness/tables.ts'
import { erase, exportTenant, readTenantFile } from '../../../test/harness/tenant-files.ts'
import { newId } from '../../kernel/ids.ts'

let app: TestApp
let calls: ReturnType<typeof meetingCalls>

before(async () => {
  app = await testApp()
  calls = meetingCalls(app)
})

const day = 24 * 3600

/** A meeting with words that stand nowhere else: in its title, names, speech and settings. */
async function wordy(user: TestUser, overrides: Record<string, unknown> = {}) {
  const words = ['title', 'person', 'speaker', 'speech', 'import', 'segment'].map((what) => unique(what))
  const [title = '', person = '', speaker = '', speech = '', imported = '', segmentId = ''] = words
  const headers = { 'idempotency-key': unique('key') }
  const body = { title, participants: [person], transcript: [said(speech, { speaker, segmentId })], ...overrides }
  const { id } = (await calls.call(user, 'POST', '', { body, headers })).body
  await calls.call(user, 'PATCH', `/${id}`, { body: { title: `${title} again` } })
  await calls.call(user, 'POST', `/${id}/transcript/import`, {
    body: `WEBVTT\n\n00:01.000 --> 00:02.000\n<v ${speaker}>${imported}`,
    headers: { 'content-type': 'text/vtt', 'idempotency-key': unique('key') },
  })
  return { id, words, repeat: () => calls.call(user, 'POST', '', { body, headers }) }
}

describe('an erased meeting', () => {
  test('is nowhere in the database, and deleting it again finds nothing', async () => {
    const user = await calls.someone()
    const { id, words, repeat } = await wordy(user)
    for (const word of words) assert.notDeepEqual(await rowsWith(app.platform, word), [], word)
    const gone = await calls.remove(user, id)
    assert.deepEqual([gone.status, gone.bytes.length], [204, 0])
    assert.equal((await calls.remove(user, id)).status, 404)
    assert.deepEqual(await rowsWith(app.platform, ...words), [])
    assert.equal((await repeat()).status, 404)
  })

  test('is deleted when its days without activity are over, and others stay', async () => {
    const user = await calls.someone()
    const old = await wordy(user, { ttl_days: 2 })
    const used = await wordy(user, { ttl_days: 2 })
    const forever = await wordy(user, { ttl_days: null })
    app.clock.advance({ seconds: 2 * day - 1 })
    let asker = await calls.again(user)
    assert.equal((await calls.append(asker, used.id, [said('Still here.')])).status, 200)
    await app.app.housekeep('assistant.meetings.')
    assert.equal((await calls.get(asker, old.id)).status, 200)
    app.clock.advance({ seconds: 1 })
    await app.app.housekeep('assistant.meetings.')
    assert.equal((await calls.get(asker, old.id)).status, 404)
    assert.deepEqual(await rowsWith(app.platform, ...old.words), [])
    assert.equal((await calls.get(asker, used.id)).status, 200)
    app.clock.advance({ seconds: 2 * day })
    await app.app.housekeep('assistant.meetings.')
    asker = await calls.again(user)
    assert.equal((await calls.get(asker, used.id)).status, 404)
    assert.equal((await calls.get(asker, forever.id)).status, 200)
  })

  test('a shorter retention time applies at once', async () => {
    const user = await calls.someone()
    const { id } = await calls.create(user, { ttl_days: 300 })
    await calls.call(user, 'PATCH', `/${id}`, { body: { ttl_days: 1 } })
    app.clock.advance({ seconds: day })
    await app.app.housekeep('assistant.meetings.')
    assert.equal((await calls.get(await calls.again(user), id)).status, 404)
  })

  test('one run deletes any number of meetings, in batches', async () => {
    const user = await calls.someone()
    for (let n = 0; n < 45; n++) await calls.create(user, { ttl_days: 1 })
    app.clock.advance({ seconds: day })
    await app.app.housekeep('assistant.meetings.')
    const reply = await calls.call(await calls.again(user), 'GET', '')
    assert.equal(reply.body.pagination.total, 0)
  })

  test('removing a user deletes the user’s meetings and nobody else’s', async () => {
    const user = await calls.someone()
    const other = await app.user({ id: '', key: user.headers['x-api-key'] ?? '', tenantId: user.tenantId })
    const mine = await wordy(user)
    const theirs = await wordy(other)
    const reply = await app.call({ method: 'DELETE', url: `/admin/users/${user.id}`, headers: app.admin })
    assert.equal(reply.status, 204)
    assert.deepEqual(await rowsWith(app.platform, ...mine.words), [])
    assert.equal((await calls.get(other, theirs.id)).status, 200)
  })

  test('a tenant’s file contains the words of its meetings, and after its erasure they are nowhere', async () => {
    const tenant = await app.tenant()
    const user = await app.user(await app.apiKey(tenant))
    const { words } = await wordy(user)
    const { rows } = readTenantFile((await exportTenant(app, tenant.id)).bytes)
    const file = JSON.stringify(rows)
    for (const word of words) assert.ok(file.includes(word), word)
    const body = { status: 'SUSPENDED' }
    await app.call({ method: 'PATCH', url: `/admin/tenants/${tenant.id}`, headers: app.admin, body })
    assert.equal((await erase(app, tenant)).status, 200)
    assert.deepEqual(await rowsWith(app.platform, ...words), [])
  })

  test('the audit log says who deleted which meeting, and nothing about its contents', async () => {
    const user = await calls.someone()
    const { id } = await wordy(user)
    await calls.remove(user, id)
    const entries = (await auditOfTenant(app.platform, user.tenantId)).filter(({ targetId }) => targetId === id)
    assert.deepEqual(entries.map(({ action }) => action).toSorted(), [
      'meeting.create',
      'meeting.delete',
      'meeting.import',
      'meeting.update',
    ])
  })
})

describe('who may see a meeting', () => {
  /** Every request that names a meeting. */
  const requests: [method: string, path: string, body?: unknown, type?: string][] = [
    ['GET', ''],
    ['PATCH', '', { title: 'x' }],
    ['DELETE', ''],
    ['PUT', '/settings', { personality: 'coach' }],
    ['POST', '/start'],
    ['POST', '/end'],
    ['POST', '/cancel'],
    ['GET', '/transcript'],
    ['GET', '/transcript?format=vtt'],
    ['POST', '/transcript', { entries: [said('x')] }],
    ['POST', '/transcript/import', 'WEBVTT\n\n00:01.000 --> 00:02.000\nHi', 'text/vtt'],
  ]

  const answerTo = async (user: TestUser, id: string, [method, path, body, type]: (typeof requests)[number]) => {
    const headers = { 'x-request-id': 'the-same-for-all-of-them', ...(type ? { 'content-type': type } : {}) }
    const reply: Reply = await calls.call(user, method, `/${id}${path}`, { body, headers })
    const headersThatTell = Object.entries(reply.headers).filter(([name]) => !/ratelimit|^date$/.test(name))
    return { status: reply.status, headers: headersThatTell, bytes: reply.bytes.toString('latin1') }
  }

  test('for another user, for another tenant, and after its deletion it looks exactly like one that never existed', async () => {
    const owner = await calls.someone()
    const colleague = await app.user({ id: '', key: owner.headers['x-api-key'] ?? '', tenantId: owner.tenantId })
    const stranger = await calls.someone()
    const { id } = await calls.create(owner, { transcript: [said('Private.')] })
    const deleted = await calls.create(owner)
    await calls.remove(owner, deleted.id)
    for (const request of requests) {
      const never = await answerTo(owner, newId(app.clock.now()), request)
      assert.equal(never.status, 404, `${request[0]} ${request[1]}`)
      for (const [user, what] of [
        [colleague, id],
        [stranger, id],
        [owner, deleted.id],
        [owner, 'not-an-id'],
        [owner, `${id}0`],
        [owner, id.toUpperCase().replace(/^0/, 'G')],
      ] as const)
        assert.deepEqual(await answerTo(user, what, request), never, `${request[0]} ${request[1]} ${what}`)
    }
    const { body } = await calls.get(owner, id)
    assert.deepEqual([body.title, body.status, body.entryCount], ['Weekly planning', 'active', 1])
    for (const user of [colleague, stranger]) assert.equal((await calls.call(user, 'GET', '')).body.pagination.total, 0)
  })

  test('entries that arrive during a deletion are either added before it or refused', async () => {
    const user = await calls.someone()
    const word = unique('word')
    const { id } = await calls.create(user)
    const replies = await Promise.all([
      ...Array.from({ length: 5 }, () => calls.append(user, id, [said(word)], { 'idempotency-key': unique('k') })),
      calls.remove(user, id),
      ...Array.from({ length: 5 }, () => calls.append(user, id, [said(word)], { 'idempotency-key': unique('k') })),
    ])
    assert.equal(replies[5]?.status, 204)
    for (const { status } of replies.toSpliced(5, 1)) assert.ok([200, 404].includes(status))
    assert.deepEqual(await rowsWith(app.platform, word), [])
  })
})
