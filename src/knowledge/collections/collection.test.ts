import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp } from '../../../test/harness/app.ts'
import { auditOfTenant } from '../../../test/harness/audit-log.ts'
import { type DocumentCalls, documentCalls } from '../../../test/harness/documents.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'

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

const path = ({ id }: { id: string }) => `/collections/${id}`
const names = async (user: TestUser, query = '') =>
  (await calls.call(user, 'GET', `/collections?limit=100${query}`)).body.collections.map(
    ({ name }: { name: string }) => name,
  )

describe('collections', () => {
  test('begin with "General", which is open and takes the documents that name no other', async () => {
    const org = await orgs.create(owner)
    const { body } = await documentCalls(app, org.id).call(owner, 'GET', '/collections')
    assert.deepEqual(
      body.collections.map(({ name, access, documentCount }: Record<string, unknown>) => [name, access, documentCount]),
      [['General', 'open', 0]],
    )
    const document = await documentCalls(app, org.id).add(owner, 'Words.')
    assert.equal(document.collectionId, body.collections[0].id)
  })

  test('give their maker the right to write, and tell in their history who changed what', async () => {
    const made = await calls.collection(admin)
    assert.deepEqual(made.members, [{ userId: admin.id, access: 'write' }])
    await calls.call(owner, 'PATCH', path(made), { body: { name: 'Old contracts', access: 'open' } })
    await calls.setMember(admin, made.id, viewer.id, 'read')
    await calls.call(admin, 'DELETE', `${path(made)}/members/${viewer.id}`)
    const { body } = await calls.call(viewer, 'GET', `${path(made)}/history`)
    const entries = body.history.map(({ action, fields, actor, userId }: Record<string, never>) => [
      action,
      fields,
      (actor as unknown as { userId: string }).userId,
      userId,
    ])
    assert.deepEqual(entries, [
      ['memberRemoved', ['access'], admin.id, viewer.id],
      ['memberSet', ['access'], admin.id, viewer.id],
      ['updated', ['name'], owner.id, null],
      ['created', [], admin.id, null],
    ])
  })

  test('are not found by who is not listed, whatever the role, once they are restricted', async () => {
    const made = await calls.collection(admin, { access: 'restricted', name: 'Secret plans' })
    for (const user of [owner, member, viewer]) {
      assert.equal((await calls.call(user, 'GET', path(made))).status, 404)
      assert.ok(!(await names(user)).includes('Secret plans'))
      assert.equal((await calls.call(user, 'PATCH', path(made), { body: { name: 'Mine' } })).status, 404)
      assert.equal((await calls.call(user, 'DELETE', path(made))).status, 404)
    }
    assert.ok((await names(admin)).includes('Secret plans'))
  })

  test('let an owner add themselves, which history and audit log say, and nobody else', async () => {
    const made = await calls.collection(admin, { access: 'restricted', name: 'Sealed' })
    assert.ok((await names(owner, '&scope=all')).includes('Sealed'))
    assert.equal((await calls.call(admin, 'GET', '/collections?scope=all')).status, 403)
    assert.equal((await calls.setMember(owner, made.id, viewer.id, 'read')).status, 404)
    assert.equal((await calls.setMember(member, made.id, member.id, 'read')).status, 404)
    assert.equal((await calls.setMember(owner, made.id, owner.id, 'read')).status, 200)
    assert.equal((await calls.call(owner, 'GET', path(made))).status, 200)
    const { body } = await calls.call(admin, 'GET', `${path(made)}/history`)
    assert.deepEqual([body.history[0].action, body.history[0].actor.userId], ['memberSet', owner.id])
    const audited = await auditOfTenant(app.platform, key.tenantId)
    assert.ok(audited.some(({ action, targetId }) => action === 'collection.member.set' && targetId === made.id))
  })

  test('are managed by admins while open, and by their writers while restricted', async () => {
    const made = await calls.collection(owner)
    const rename = (user: TestUser) => calls.call(user, 'PATCH', path(made), { body: { name: `By ${user.id}` } })
    assert.equal((await rename(member)).status, 403)
    assert.equal((await rename(admin)).status, 200)
    await calls.setMember(owner, made.id, member.id, 'write')
    await calls.setMember(owner, made.id, viewer.id, 'write')
    await calls.setMember(owner, made.id, admin.id, 'read')
    await calls.call(owner, 'PATCH', path(made), { body: { access: 'restricted' } })
    assert.equal((await rename(member)).status, 200)
    assert.equal((await rename(admin)).status, 403, 'a listed reader')
    assert.equal((await rename(viewer)).status, 403, 'a viewer of the organization')
  })

  test('keep who restricts them in', async () => {
    const made = await calls.collection(owner)
    const { body } = await calls.call(admin, 'PATCH', path(made), { body: { access: 'restricted' } })
    assert.ok(body.collection.members.some(({ userId }: { userId: string }) => userId === admin.id))
    assert.equal((await calls.call(admin, 'GET', path(made))).status, 200)
  })

  test('lose members who leave the organization, and do not get them back', async () => {
    const leaver = await orgs.add(key, orgId, 'member')
    const made = await calls.collection(admin, { access: 'restricted' })
    await calls.setMember(admin, made.id, leaver.id, 'write')
    await orgs.call(leaver, 'DELETE', `/orgs/${orgId}/members/me`)
    await app.call({
      method: 'POST',
      url: `/admin/tenants/${key.tenantId}/orgs/${orgId}/members`,
      headers: app.admin,
      body: { userId: leaver.id, role: 'owner' },
    })
    assert.equal((await calls.call(leaver, 'GET', path(made))).status, 404)
    const { body } = await calls.call(admin, 'GET', path(made))
    assert.deepEqual(body.collection.members, [{ userId: admin.id, access: 'write' }])
  })

  test('refuse a change that is based on another revision', async () => {
    const made = await calls.collection(admin)
    const first = await calls.call(admin, 'GET', path(made))
    const headers = { 'if-match': first.headers['etag'] }
    assert.equal((await calls.call(admin, 'PATCH', path(made), { body: { name: 'One' }, headers })).status, 200)
    assert.equal((await calls.call(admin, 'PATCH', path(made), { body: { name: 'Two' }, headers })).status, 412)
    assert.equal((await calls.call(admin, 'DELETE', path(made), { headers })).status, 412)
    assert.equal((await calls.setMember(admin, made.id, viewer.id, 'read')).status, 200)
  })

  test('with documents are deleted only if the request says so', async () => {
    const made = await calls.collection(admin)
    const document = await calls.add(admin, 'Words.', { collectionId: made.id })
    assert.equal((await calls.call(admin, 'DELETE', path(made))).status, 409)
    assert.equal((await calls.call(admin, 'GET', path(made))).body.collection.documentCount, 1)
    assert.equal((await calls.call(admin, 'DELETE', `${path(made)}?documents=erase`)).status, 204)
    assert.equal((await calls.call(admin, 'GET', `/documents/${document.id}`)).status, 404)
  })

  test('answer a repeated creation until they are deleted', async () => {
    const headers = { 'idempotency-key': `once-${orgId}` }
    const create = () => calls.call(admin, 'POST', '/collections', { body: { name: 'Twice' }, headers })
    const [first, second] = [await create(), await create()]
    assert.equal(first.body.collection.id, second.body.collection.id)
    await calls.call(admin, 'DELETE', path(first.body.collection))
    assert.equal((await create()).status, 404)
  })

  test('are at most 200 in an organization, however many are made at once', async () => {
    const { id } = await orgs.create(owner)
    const many = documentCalls(app, id)
    for (let made = 1; made < 197; made++) await many.collection(owner)
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => many.call(owner, 'POST', '/collections', { body: { name: 'One more' } })),
    )
    assert.equal(replies.filter(({ status }) => status === 201).length, 3)
    assert.ok(replies.every(({ status, body }) => status === 201 || body.code === 'QUOTA_EXCEEDED'))
  })
})
