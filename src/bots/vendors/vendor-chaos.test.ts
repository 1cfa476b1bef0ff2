import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestUser } from '../../../test/harness/app.ts'
import { vendorChaos } from '../../../test/harness/vendor-chaos.ts'
import { type VendorTest, vendorTest } from '../../../test/harness/vendors.ts'
import { vendors as names } from '../vendor.rules.ts'

let at: VendorTest
let user: TestUser

before(async () => {
  at = await vendorTest()
  user = (await at.admin()).user
  for (const name of names) await at.setUp(user, name)
})
after(() => at.close())

// The long version is `npm run trials -- bot-vendors`.
for (const name of names)
  test(`the transcript is that of ${name}, once, and its copy is gone, whatever becomes of its webhooks`, async () => {
    const { broken } = await vendorChaos(at, user, name, 7)
    assert.equal(broken, '')
  })

test('stop-all takes the bots of all vendors out, and lets none come again', async () => {
  const sent = []
  for (const name of names) sent.push(await at.admitted(user, name))
  const stopped = await at.bots.call(user, 'POST', '/stop-all', { reason: 'works council' })
  assert.equal(stopped.body.stopped, names.length)
  // Two seconds until the service checks, one until the vendor is out.
  await at.pass(2)
  await at.pass(1)
  for (const { theirs, rooms } of sent) assert.ok(rooms.isOver(theirs), theirs.link)
  const had = names.map((name) => at.vendors.rooms(name).bots.length)
  for (let round = 0; round < 4; round++) await at.pass(60)
  assert.deepEqual(
    names.map((name) => at.vendors.rooms(name).bots.length),
    had,
  )
  for (const { bot, theirs } of sent) {
    const { status, reason } = await at.bots.get(user, bot.id)
    assert.deepEqual([status, reason, theirs.isErased], ['ended', 'KILLED', true])
  }
})

for (const act of ['suspended', 'deleted'] as const)
  test(`bots of a tenant that is ${act} are told to leave at their vendors, and none comes again`, async () => {
    const { tenant, user: admin } = await at.admin()
    const url = `/admin/tenants/${tenant.id}`
    const sent = []
    for (const name of names) {
      await at.setUp(admin, name)
      sent.push(await at.admitted(admin, name))
    }
    const asked =
      act === 'suspended'
        ? { method: 'PATCH', url, body: { status: 'SUSPENDED' } }
        : { method: 'DELETE', url: `${url}?confirm=${tenant.slug}` }
    const { status } = await at.app.call({ ...asked, headers: at.app.admin })
    assert.ok(status < 300, String(status))
    await at.settle()
    await at.pass(2)
    await at.pass(1)
    for (const { theirs, rooms } of sent) assert.ok(rooms.isOver(theirs), theirs.link)
    const had = names.map((name) => at.vendors.rooms(name).bots.length)
    for (let round = 0; round < 4; round++) await at.pass(60)
    assert.deepEqual(
      names.map((name) => at.vendors.rooms(name).bots.length),
      had,
    )
  })
