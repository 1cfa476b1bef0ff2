import assert from 'node:assert/strict'
import { before, type TestContext, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { botCalls, linkTo, pageHosts } from '../../../test/harness/bots.ts'
import { freshDatabase } from '../../../test/harness/database.ts'

let app: TestApp
let bots: ReturnType<typeof botCalls>

before(async () => {
  app = await testApp({ meetingHosts: pageHosts })
  bots = botCalls(app)
})

test('the bots of 5 runners are told to leave by one call, and are out with the next word of their runners', async () => {
  const { user } = await bots.tenantWithUser()
  const runners = []
  for (let one = 0; one < 5; one++) runners.push(await bots.runner(user, { slots: 4 }))
  for (let one = 0; one < 20; one++) await bots.deploy(user, { meetingUrl: linkTo(`all-${one}-${user.id}`) })
  const groups = []
  for (const runner of runners) {
    const held = []
    for (let slot = 0; slot < 4; slot++) {
      const one = await runner.claim()
      await runner.status(one, 'in_meeting')
      held.push(one)
    }
    groups.push({ runner, held })
  }
  const stopped = await bots.call(user, 'POST', '/stop-all', { reason: 'works council' })
  assert.deepEqual([stopped.status, stopped.body], [200, { stopped: 20 }])
  for (const { runner, held } of groups) {
    const { commands, lost } = (await runner.beat(...held)).body
    const told = [...lost, ...commands.map(({ botId }: { botId: string }) => botId)]
    assert.equal(new Set(told).size, 4)
    for (const one of held) await runner.report(one, { type: 'left' })
  }
  const live = (await bots.call(user, 'GET', '?status=in_meeting&limit=100')).body
  assert.equal(live.bots.length, 0)
  await bots.pass(3600_000)
  for (const { runner } of groups) assert.equal((await runner.claim()).bot ?? null, null, 'none comes again')
})

/** Two tenants of an installation of their own: bots of all tests would be stopped. */
async function installation(t: TestContext) {
  const database = await freshDatabase()
  t.after(() => database.close())
  const own = await testApp({ database, meetingHosts: pageHosts })
  const calls = botCalls(own)
  const users = [(await calls.tenantWithUser()).user, (await calls.tenantWithUser()).user] as const
  for (const user of users) await calls.runner(user)
  return { own, calls, users }
}

test('an owner of the platform stops the bots of all tenants, once', async (t) => {
  const { own, calls, users } = await installation(t)
  const deployed = await Promise.all(users.map((user) => calls.deploy(user, { meetingUrl: linkTo(`of-${user.id}`) })))
  const stop = { method: 'POST', url: '/admin/bot/stop-all', headers: own.admin, body: { reason: 'an outage' } }
  const stopped = await own.call(stop)
  assert.deepEqual([stopped.status, stopped.body], [200, { stopped: 2 }])
  for (const [at, user] of users.entries()) {
    const { status, reason } = await calls.get(user, deployed[at].id)
    assert.deepEqual([status, reason], ['ended', 'KILLED'])
  }
  assert.deepEqual((await own.call(stop)).body, { stopped: 0 })
})

test('an owner of the platform pauses the bots of all tenants, and each tenant can end its own pause', async (t) => {
  const { own, calls, users } = await installation(t)
  const pause = (isPaused: boolean) =>
    own.call({ method: 'PUT', url: '/admin/bot/pause', headers: own.admin, body: { isPaused, reason: 'an outage' } })
  const arePaused = () =>
    Promise.all(users.map(async (user) => (await calls.call(user, 'GET', '/pause')).body.isPaused as boolean))
  assert.equal((await pause(true)).status, 204)
  assert.deepEqual(await arePaused(), [true, true])
  const [first] = users
  const sent = await calls.call(first, 'POST', '', { meetingUrl: linkTo(`of-${first.id}`) })
  assert.deepEqual([sent.status, sent.body.code], [409, 'STATE_CONFLICT'])
  await calls.call(first, 'PUT', '/pause', { isPaused: false })
  assert.deepEqual(await arePaused(), [false, true])
  await pause(false)
  assert.deepEqual(await arePaused(), [false, false])
})

test('bots that were planned do not go to their meetings during a pause', async () => {
  const { user } = await bots.tenantWithUser()
  const runner = await bots.runner(user)
  const joinAt = new Date(app.clock.now().getTime() + 120_000).toISOString()
  const [late, missed] = [
    await bots.deploy(user, { meetingUrl: linkTo(`late-${user.id}`), joinAt }),
    await bots.deploy(user, { meetingUrl: linkTo(`missed-${user.id}`), joinAt }),
  ]
  await bots.call(user, 'PUT', '/pause', { isPaused: true, reason: 'works council' })
  await bots.pass(180_000)
  assert.equal((await runner.claim()).bot ?? null, null)
  await bots.call(user, 'POST', `/${missed.id}/leave`)
  await bots.call(user, 'PUT', '/pause', { isPaused: false })
  await bots.pass(2000)
  assert.equal((await runner.claim()).bot.id, late.id)
})
