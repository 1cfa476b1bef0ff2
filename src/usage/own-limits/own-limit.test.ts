import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { auditOfTenant } from '../../../test/harness/audit-log.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { usageCalls } from '../../../test/harness/usage.ts'

let app: TestApp
let calls: ReturnType<typeof usageCalls>
let orgs: ReturnType<typeof organizationCalls>
before(async () => {
  app = await testApp()
  calls = usageCalls(app)
  orgs = organizationCalls(app)
})

describe('limits that a tenant sets itself', () => {
  test('hold for the next use of an organization, a user, or each user who has none of their own', async () => {
    const { id, key, admin } = await calls.tenant()
    const [ann, ben] = [await app.user(key), await app.user(key)]
    const org = await orgs.create(admin)
    const set = (body: object) => calls.as(admin, 'PUT', '/limits', { meter: 'meetings', ...body })
    const { status, body } = await set({ scope: 'org', id: org.id, limit: 5 })
    assert.equal(status, 200)
    assert.deepEqual(body.limit, {
      scope: 'org',
      id: org.id,
      meter: 'meetings',
      limit: 5,
      updatedAt: app.clock.now().toISOString(),
    })
    await set({ scope: 'eachUser', limit: 1 })
    await set({ scope: 'user', id: ann.id, limit: 3 })
    assert.equal(await calls.use(id, { meetings: 3 }, { userId: ann.id, orgId: org.id }), null)
    assert.equal(await calls.use(id, { meetings: 1 }, { userId: ann.id }), 'USAGE_EXCEEDED')
    assert.equal(await calls.use(id, { meetings: 1 }, { userId: ben.id, orgId: org.id }), null)
    assert.equal(await calls.use(id, { meetings: 1 }, { userId: ben.id }), 'USAGE_EXCEEDED')
    assert.equal(await calls.use(id, { meetings: 2 }, { orgId: org.id }), 'USAGE_EXCEEDED')
    assert.equal(await calls.use(id, { meetings: 1 }, { orgId: org.id }), null)
    const list = await calls.as(admin, 'GET', '/limits')
    assert.deepEqual(
      list.body.limits.map(({ scope, limit }: { scope: string; limit: number }) => [scope, limit]),
      [
        ['eachUser', 1],
        ['org', 5],
        ['user', 3],
      ],
    )
    assert.equal((await calls.as(admin, 'DELETE', `/limits?scope=user&id=${ann.id}&meter=meetings`)).status, 204)
    assert.equal((await calls.as(admin, 'DELETE', `/limits?scope=user&id=${ann.id}&meter=meetings`)).status, 404)
    assert.equal((await calls.as(admin, 'DELETE', '/limits?scope=eachUser&meter=meetings')).status, 204)
    assert.equal(await calls.use(id, { meetings: 10 }, { userId: ann.id }), null)
  })

  test('are listed in pages', async () => {
    const { admin } = await calls.tenant()
    for (const meter of ['asks', 'botMinutes', 'meetings'])
      await calls.as(admin, 'PUT', '/limits', { scope: 'eachUser', meter, limit: 1 })
    const { body } = await calls.as(admin, 'GET', '/limits?page=2&limit=2')
    assert.deepEqual(
      body.limits.map(({ meter }: { meter: string }) => meter),
      ['meetings'],
    )
    assert.deepEqual(body.pagination, { page: 2, limit: 2, total: 3, totalPages: 2 })
  })

  test('cannot raise the limit of the tenant', async () => {
    const { id, admin } = await calls.tenant()
    await calls.asPlatform('PUT', `/tenants/${id}/quotas/meetings`, { hard: 2, reason: 'a test' })
    const body = { scope: 'user', id: admin.id, meter: 'meetings', limit: 100 }
    assert.equal((await calls.as(admin, 'PUT', '/limits', body)).status, 200)
    assert.equal(await calls.use(id, { meetings: 3 }, { userId: admin.id }), 'USAGE_EXCEEDED')
  })

  test('end with the user or the organization', async () => {
    const { key, admin } = await calls.tenant()
    const user = await app.user(key)
    const org = await orgs.create(admin)
    for (const [scope, id] of [
      ['user', user.id],
      ['org', org.id],
      ['user', admin.id],
    ])
      await calls.as(admin, 'PUT', '/limits', { scope, id, meter: 'asks', limit: 5 })
    assert.equal((await calls.asPlatform('DELETE', `/users/${user.id}`)).status, 204)
    assert.equal((await orgs.call(admin, 'DELETE', `/orgs/${org.id}?confirm=Research`)).status, 204)
    const { limits } = (await calls.as(admin, 'GET', '/limits')).body
    assert.deepEqual(
      limits.map(({ id }: { id: string }) => id),
      [admin.id],
    )
  })

  test('of a user who is being removed are gone or refused, and never stay', async () => {
    const { key, admin } = await calls.tenant()
    const users = await Promise.all(Array.from({ length: 6 }, () => app.user(key)))
    await Promise.all(
      users.flatMap(({ id }) => [
        calls.as(admin, 'PUT', '/limits', { scope: 'user', id, meter: 'asks', limit: 5 }),
        calls.asPlatform('DELETE', `/users/${id}`),
      ]),
    )
    assert.deepEqual((await calls.as(admin, 'GET', '/limits')).body.limits, [])
  })

  test('are audited with what was before, once for each change', async () => {
    const { id, admin } = await calls.tenant()
    for (const limit of [4, 4, 6]) {
      await calls.as(admin, 'PUT', '/limits', { scope: 'eachUser', meter: 'asks', limit })
      app.clock.advance({ seconds: 1 })
    }
    await calls.as(admin, 'DELETE', '/limits?scope=eachUser&meter=asks')
    const entries = (await auditOfTenant(app.platform, id)).filter(({ action }) => action.startsWith('usage.limit'))
    assert.deepEqual(
      entries.map(({ action, actorType, changes }) => [action, actorType, changes]),
      [
        ['usage.limit.update', 'USER', { meter: 'asks', limit: { from: null, to: 4 } }],
        ['usage.limit.update', 'USER', { meter: 'asks', limit: { from: 4, to: 6 } }],
        ['usage.limit.delete', 'USER', { meter: 'asks', limit: { from: 6, to: null } }],
      ],
    )
  })

  test('are refused with the path of what is wrong, and of another tenant’s people as of unknown ones', async () => {
    const { admin } = await calls.tenant()
    const other = await calls.tenant()
    const absent = '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'
    for (const [body, path] of [
      [{ scope: 'org', id: absent }, '/body/id'],
      [{ scope: 'user', id: absent }, '/body/id'],
      [{ scope: 'user', id: other.admin.id }, '/body/id'],
      [{ scope: 'user' }, '/body/id'],
      [{ scope: 'eachUser', id: admin.id }, '/body/id'],
      [{ scope: 'eachUser', meter: 'mails' }, '/body/meter'],
      [{ scope: 'eachUser', limit: -1 }, '/body/limit'],
      [{ scope: 'team' }, '/body/scope'],
    ] as const) {
      const reply = await calls.as(admin, 'PUT', '/limits', { meter: 'asks', limit: 1, ...body })
      assert.deepEqual([reply.status, reply.body.errors?.[0]?.path], [400, path], JSON.stringify(body))
    }
    assert.equal((await calls.as(admin, 'DELETE', '/limits?scope=user&meter=asks')).body.errors[0].path, '/query/id')
    const user = await app.user(other.key)
    assert.equal((await calls.as(user, 'GET', '/limits')).body.code, 'INSUFFICIENT_ROLE')
  })
})
