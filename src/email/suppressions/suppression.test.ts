import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp, unique } from '../../../test/harness/app.ts'
import { auditOfTenant } from '../../../test/harness/audit-log.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { eventBus } from '../../storage/events.ts'
import { transaction } from '../../storage/scope.ts'
import { asksToStop } from './suppression.rules.ts'
import { suppressionService } from './suppression.service.ts'

const address = () => `${unique('a')}@example.com`

describe('suppressions', () => {
  let app: TestApp
  let key: TestKey
  let orgs: ReturnType<typeof organizationCalls>
  let owner: TestUser
  let orgId: string
  let told: string[]

  before(async () => {
    app = await testApp()
    key = await app.apiKey(await app.tenant())
    orgs = organizationCalls(app)
    owner = await orgs.person(key)
    orgId = (await orgs.create(owner)).id
    told = []
  })

  const path = '/email/suppressions'
  const call = (user: TestUser, method: string, rest = '', body?: unknown) =>
    orgs.call(user, method, `${path}${rest}`, body === undefined ? {} : { body })
  const service = () => {
    const events = eventBus()
    events.on('mail.suppressed', async (_, { suppressionId }) => void told.push(suppressionId))
    return suppressionService({ clock: app.clock, events, audit: async () => undefined })
  }
  const scope = () => app.scopeOf(key.tenantId)
  const ofOrg = () => ({ ownerId: orgId, orgId })
  const bounce = (to: string, kind: 4 | 5) =>
    transaction(scope(), (tx) => service().recordBounce(tx, { owner: ofOrg(), address: to, class: kind }))

  test('an admin lists, adds and removes addresses of the organization, once each', async () => {
    const to = address()
    const added = await call(owner, 'POST', `?orgId=${orgId}`, { address: ` ${to.toUpperCase()}` })
    assert.equal(added.status, 201)
    const { suppression } = added.body
    assert.deepEqual([suppression.address, suppression.reason, suppression.until], [to, 'manual', null])
    const again = await call(owner, 'POST', `?orgId=${orgId}`, { address: to })
    assert.deepEqual([again.status, again.body], [200, added.body])
    const found = await call(owner, 'GET', `?orgId=${orgId}&address=${to}`)
    assert.deepEqual(found.body.suppressions, [suppression])
    assert.deepEqual((await call(owner, 'GET', `/${suppression.id}?orgId=${orgId}`)).body, { suppression })
    assert.equal((await service().find(scope(), to))?.reason, 'manual')
    assert.equal((await call(owner, 'DELETE', `/${suppression.id}?orgId=${orgId}`)).status, 204)
    assert.equal((await call(owner, 'DELETE', `/${suppression.id}?orgId=${orgId}`)).status, 404)
    assert.equal(await service().find(scope(), to), null)
    const log = JSON.stringify(await auditOfTenant(app.platform, key.tenantId))
    assert.ok(log.includes('email_suppression.create') && log.includes('email_suppression.delete'))
    assert.ok(!log.includes(to), 'the log holds no address')
  })

  test('members, strangers and administrators of the tenant each see only what is theirs', async () => {
    const { suppression } = (await call(owner, 'POST', `?orgId=${orgId}`, { address: address() })).body
    const member = await orgs.add(key, orgId, 'member')
    const stranger = await orgs.person(key)
    assert.equal((await call(member, 'GET', `?orgId=${orgId}`)).status, 403)
    assert.equal((await call(stranger, 'GET', `?orgId=${orgId}`)).status, 404)
    assert.equal((await call(owner, 'GET')).status, 403)
    const otherOrg = (await orgs.create(stranger)).id
    assert.equal((await call(stranger, 'DELETE', `/${suppression.id}?orgId=${otherOrg}`)).status, 404)
    assert.equal(
      (await call(owner, 'POST', `?orgId=${orgId}`, { address: 'nobody' })).body.errors[0].path,
      '/body/address',
    )
  })

  test('a permanent bounce holds an address back at once, and is told once, however often it comes', async () => {
    const to = address()
    told.length = 0
    await Promise.all(Array.from({ length: 8 }, () => bounce(to, 5)))
    assert.equal((await service().find(scope(), to))?.reason, 'bounce')
    assert.equal(told.length, 1)
  })

  test('five failures in 14 days hold an address back for 14 days; four, or five in a longer time, do not', async () => {
    const [rests, stays] = [address(), address()]
    for (let n = 0; n < 4; n++) await bounce(rests, 4)
    assert.equal(await service().find(scope(), rests), null)
    await bounce(rests, 4)
    assert.equal((await service().find(scope(), rests))?.reason, 'delivery_failures')
    for (let n = 0; n < 5; n++) {
      await bounce(stays, 4)
      app.clock.advance({ seconds: 4 * 24 * 3600 })
    }
    assert.equal(await service().find(scope(), stays), null)
    assert.equal(await service().find(scope(), rests), null)
    await service().dropOld(app.platform)
  })

  test('what an organization learned holds for the tenant when the organization is deleted', async () => {
    const person = await orgs.person(key)
    const { id, name } = await orgs.create(person)
    const to = address()
    assert.equal((await call(person, 'POST', `?orgId=${id}`, { address: to })).status, 201)
    assert.equal((await orgs.call(person, 'DELETE', `/orgs/${id}?confirm=${name}`)).status, 204)
    assert.equal((await service().find(scope(), to))?.reason, 'manual')
  })
})

test('"stop" and "unsubscribe" count as the whole first line alone', () => {
  const asks = ['stop', 'STOP', 'Stop.', '\n unsubscribe \nAna', 'Unsubscribe!']
  const asksNot = ['stop by at noon', 'please stop', 'When does it stop?', 'Hello\nstop', '', 'nonstop']
  assert.deepEqual(
    asks.filter((text) => !asksToStop(text)),
    [],
  )
  assert.deepEqual(asksNot.filter(asksToStop), [])
})
