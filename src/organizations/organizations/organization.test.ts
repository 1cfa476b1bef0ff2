import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp } from '../../../test/harness/app.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { exportTenant, readTenantFile } from '../../../test/harness/tenant-files.ts'
import { newId } from '../../kernel/ids.ts'
import { many, run, sql } from '../../storage/query.ts'

describe('an organization', () => {
  let app: TestApp
  let calls: ReturnType<typeof organizationCalls>
  let key: TestKey
  let owner: TestUser

  before(async () => {
    app = await testApp()
    calls = organizationCalls(app)
    key = await app.apiKey(await app.tenant())
    owner = await calls.person(key)
  })

  test('belongs to its creator, in UTC unless another time zone is given', async () => {
    const org = await calls.create(owner)
    assert.deepEqual(
      [org.name, org.timeZone, org.role, org.memberCount, org.tenantId],
      ['Research', 'UTC', 'owner', 1, key.tenantId],
    )
    const read = await calls.get(owner, org.id)
    assert.deepEqual(read.body, { org })
    assert.equal(read.headers['etag'], `"${org.id}-1"`)
    const elsewhere = await calls.create(owner, { name: '  Ops  ', timeZone: 'Europe/Berlin' })
    assert.deepEqual([elsewhere.name, elsewhere.timeZone], ['Ops', 'Europe/Berlin'])
  })

  test('is listed to its members alone, newest first', async () => {
    const member = await calls.person(key)
    const mine = await calls.create(member, { name: 'First' })
    app.clock.advance({ seconds: 1 })
    const next = await calls.create(member, { name: 'Second' })
    const { body } = await calls.call(member, 'GET', '/orgs?limit=1')
    assert.deepEqual(body.orgs, [next])
    assert.deepEqual(body.pagination, { page: 1, limit: 1, total: 2, totalPages: 2 })
    const theirs = await calls.call(owner, 'GET', '/orgs')
    assert.ok(!theirs.body.orgs.some(({ id }: { id: string }) => [mine.id, next.id].includes(id)))
  })

  test('looks to everybody else exactly as one that does not exist', async () => {
    const org = await calls.create(owner)
    const stranger = await calls.person(key)
    const foreigner = await calls.person(await app.apiKey(await app.tenant()))
    const unknown = newId(app.clock.now())
    for (const user of [stranger, foreigner])
      for (const [method, path, body] of [
        ['GET', ''],
        ['PATCH', '', { name: 'Mine' }],
        ['DELETE', '?confirm=Research'],
        ['GET', '/members'],
        ['DELETE', '/members/me'],
        ['PATCH', `/members/${owner.id}`, { role: 'viewer' }],
        ['DELETE', `/members/${owner.id}`],
        ['POST', '/members', { userId: user.id, role: 'owner' }],
        ['POST', '/transfer', { userId: user.id }],
        ['GET', '/invitations'],
        ['POST', '/invitations', { email: user.email, role: 'owner' }],
      ] as const) {
        const ask = async (id: string) => {
          const reply = await calls.call(user, method, `/orgs/${id}${path}`, { body })
          return [reply.status, { ...reply.body, requestId: '', instance: '' }]
        }
        const foreign = await ask(org.id)
        assert.equal(foreign[0], 404, `${method} ${path}`)
        assert.deepEqual(foreign, await ask(unknown), `${method} ${path}`)
        assert.deepEqual(foreign, await ask('no-id'), `${method} ${path}`)
      }
    assert.equal((await calls.get(owner, org.id)).body.org.memberCount, 1)
  })

  test('is changed by admins and owners, on the revision that they have read', async () => {
    const org = await calls.create(owner)
    const admin = await calls.add(key, org.id, 'admin')
    const member = await calls.add(key, org.id, 'member')
    const refused = await calls.call(member, 'PATCH', `/orgs/${org.id}`, { body: { name: 'Mine' } })
    assert.deepEqual([refused.status, refused.body.code], [403, 'INSUFFICIENT_ROLE'])
    const headers = { 'if-match': `"${org.id}-1"` }
    const changed = await calls.call(admin, 'PATCH', `/orgs/${org.id}`, { body: { name: 'Studies' }, headers })
    assert.deepEqual([changed.status, changed.body.org.name, changed.body.org.revision], [200, 'Studies', 2])
    const late = await calls.call(owner, 'PATCH', `/orgs/${org.id}`, { body: { name: 'Lost' }, headers })
    assert.equal(late.status, 412)
    assert.equal((await calls.get(owner, org.id)).body.org.name, 'Studies')
  })

  test('takes no time zone that is not in the database of time zones', async () => {
    for (const timeZone of ['Mars/Olympus', '+01:00', '', 'Europe/Berlin; drop table']) {
      const { status, body } = await calls.call(owner, 'POST', '/orgs', { body: { name: 'Ops', timeZone } })
      assert.deepEqual([status, body.errors[0].path], [400, '/body/timeZone'], timeZone)
    }
  })

  test('is deleted by an owner who repeats its name, and by nobody else', async () => {
    const org = await calls.create(owner)
    const admin = await calls.add(key, org.id, 'admin')
    const path = `/orgs/${org.id}`
    assert.equal((await calls.call(admin, 'DELETE', `${path}?confirm=Research`)).body.code, 'INSUFFICIENT_ROLE')
    const wrong = await calls.call(owner, 'DELETE', `${path}?confirm=research`)
    assert.deepEqual([wrong.status, wrong.body.errors[0].path], [400, '/query/confirm'])
    assert.equal((await calls.call(owner, 'DELETE', `${path}?confirm=Research`)).status, 204)
    for (const user of [owner, admin]) assert.equal((await calls.get(user, org.id)).status, 404)
  })

  test('is deleted, listed and given an owner by administrators who are no members', async () => {
    const org = await calls.create(owner, { name: 'Orphans' })
    const boss = await calls.person(key)
    await app.promote(boss)
    const listed = (await calls.call(boss, 'GET', '/orgs?scope=tenant')).body.orgs
    assert.equal(listed.find(({ id }: { id: string }) => id === org.id).role, null)
    assert.equal((await calls.call(owner, 'GET', '/orgs?scope=tenant')).body.code, 'INSUFFICIENT_ROLE')
    assert.equal((await calls.get(boss, org.id)).status, 404, 'its content stays with its members')
    const heir = await calls.person(key)
    const added = await calls.call(boss, 'POST', `/orgs/${org.id}/members`, {
      body: { userId: heir.id, role: 'owner' },
    })
    assert.deepEqual([added.status, added.body.member.role], [201, 'owner'])
    const refused = await calls.call(heir, 'POST', `/orgs/${org.id}/members`, {
      body: { userId: boss.id, role: 'member' },
    })
    assert.equal(refused.body.code, 'INSUFFICIENT_ROLE', 'an owner invites')
    assert.equal((await calls.call(boss, 'DELETE', `/orgs/${org.id}?confirm=Orphans`)).status, 204)
    const url = `/admin/tenants/${key.tenantId}/orgs`
    const left = (await app.call({ url, headers: app.admin })).body.orgs
    assert.ok(!left.some(({ id }: { id: string }) => id === org.id))
  })

  test('is not created beyond the limit of the tenant, however many try at once', async () => {
    const limited = await app.apiKey(await app.tenant({ limits: { maxOrgs: 3 } }))
    const user = await calls.person(limited)
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => calls.call(user, 'POST', '/orgs', { body: { name: 'Many' } })),
    )
    assert.equal(replies.filter(({ status }) => status === 201).length, 3)
    assert.equal(replies.filter(({ body }) => body.code === 'QUOTA_EXCEEDED').length, 7)
  })

  test('is exported by its owners alone, with what is open to all members and nothing else', async () => {
    const owner = await calls.person(key)
    const { id } = await calls.create(owner)
    const member = await calls.add(key, id, 'member')
    const { create } = meetingCalls(app)
    const transcript = [said('Open to all.')]
    const open = await create(member, { orgId: id, transcript })
    for (const visibility of ['private', 'members']) await create(member, { orgId: id, visibility, transcript })
    await create(member, { orgId: (await calls.create(member)).id, transcript })
    const path = `/orgs/${id}/export`
    assert.equal((await calls.call(member, 'GET', path)).body.code, 'INSUFFICIENT_ROLE')
    const { status, bytes } = await calls.call(owner, 'GET', path)
    assert.equal(status, 200)
    const { head, rows, end } = readTenantFile(bytes)
    assert.deepEqual(
      [head.format, head.organization],
      ['atrium-organization', { id, tenantId: key.tenantId, name: 'Research' }],
    )
    const { organizations, organizationMembers, meetings, transcriptEntries } = end.counts
    assert.deepEqual([organizations, organizationMembers, meetings, transcriptEntries], [1, 2, 1, 1])
    assert.equal(rows.find(({ table }) => table === 'meetings')?.row.id, open.id)
  })

  test('is exported once at a time, and its owner exports one at a time', async () => {
    const [owner, stranger] = [await calls.person(key), await calls.person(key)]
    const [own, second, foreign] = [await calls.create(owner), await calls.create(owner), await calls.create(stranger)]
    const { id: meetingId } = await meetingCalls(app).create(owner, { orgId: own.id })
    await run(
      app.platform,
      sql`insert into transcript_entries (tenant_id, meeting_id, seq, speaker, text, offset_seconds, words, changed_seq)
        select ${key.tenantId}, ${meetingId}, n, 'Ada', 'Yes.', n, 1, n from generate_series(1, 12000) n`,
    )
    const download = (user: TestUser, { id }: { id: string }) => calls.call(user, 'GET', `/orgs/${id}/export`)
    let isOver = false
    const running = download(owner, own).finally(() => {
      isOver = true
    })
    const audited = sql`select 1 from audit_log where action = 'org.export' and target_id = ${own.id}`
    while ((await many(app.platform, audited)).length === 0) assert.ok(!isOver)
    const [again, other] = await Promise.all([download(owner, own), download(owner, second)])
    for (const { status, body } of [again, other]) assert.deepEqual([status, body.code], [429, 'RATE_LIMITED'])
    const ofTenant = exportTenant(app, key.tenantId)
    assert.equal(readTenantFile((await running).bytes).end.counts.transcriptEntries, 12_000)
    assert.equal((await ofTenant).status, 200)
    const later = await Promise.all([download(owner, own), download(stranger, foreign)])
    assert.deepEqual([later[0].status, later[1].status], [200, 200])
  })
})
