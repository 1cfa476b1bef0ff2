import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { botCalls, linkTo, pageHosts } from '../../../test/harness/bots.ts'
import { usageCalls } from '../../../test/harness/usage.ts'
import { overrideLimit } from '../../../test/harness/usage-limits.ts'
import { transaction } from '../../storage/scope.ts'
import type { Bot } from '../bot.rules.ts'
import { blankBot } from '../bots/new-bot.rules.ts'
import { botMinutes } from './bot-minutes.ts'

let app: TestApp
let bots: ReturnType<typeof botCalls>

before(async () => {
  app = await testApp({ meetingHosts: pageHosts })
  bots = botCalls(app)
})

/** A tenant with so many minutes, and a bot in its meeting. */
async function inMeeting(minutes: number) {
  const { tenant, user } = await bots.tenantWithUser()
  await overrideLimit(app, tenant.id, 'botMinutes', { hard: minutes })
  const runner = await bots.runner(user)
  const room = crypto.randomUUID()
  const { id } = await bots.deploy(user, { meetingUrl: linkTo(room) })
  const held = await runner.claim()
  await runner.status(held, 'in_meeting')
  await runner.report(held, { type: 'notice', delivered: true })
  await runner.report(held, { type: 'participants', people: 2, bots: 0 })
  /** Somebody talks, and the runner is alive. Returns the commands that were waiting. */
  let said = 0
  const stay = async (seconds: number) => {
    const commands = []
    for (let passed = 0; passed < seconds; passed += 10) {
      await bots.pass(Math.min(10, seconds - passed) * 1000)
      await runner.say(held, [{ n: ++said, text: 'Still here.', atMs: said * 10_000 }])
      commands.push(...((await runner.beat(held)).body.commands ?? []))
    }
    return commands as { id: string; kind: string; text?: string; reason?: string }[]
  }
  const used = async () => {
    const path = '/assistant/v1/usage?scope=tenant&meter=botMinutes'
    return (await app.call({ url: path, headers: user.headers })).body.totals.botMinutes ?? 0
  }
  const get = () => bots.get(user, id)
  return { user, runner, held, stay, used, get }
}

test('minutes are taken 15 at a time, and the begun ones are counted in the end', async () => {
  const { runner, held, stay, used, get } = await inMeeting(100)
  assert.equal(await used(), 15)
  await stay(14 * 60 + 40)
  assert.equal(await used(), 30, 'more are taken half a minute before the first are used')
  await stay(60)
  await runner.status(held, 'ended', { reason: 'MEETING_ENDED' })
  const { seconds } = await get()
  assert.equal(seconds, 15 * 60 + 40)
  assert.equal(await used(), 16)
})

test('the seconds of a bot are those between admission and leaving', async () => {
  const { runner, held, stay, used, get } = await inMeeting(100)
  await stay(59)
  await bots.pass(2000)
  await runner.status(held, 'ended', { reason: 'REMOVED' })
  await bots.pass(60_000)
  assert.deepEqual([(await get()).seconds, await used()], [61, 2])
})

test('a bot whose minutes are used up says so, stays a minute more, and no other one comes', async () => {
  const { user, runner, held, stay, used, get } = await inMeeting(2)
  assert.equal(await used(), 2, 'the last ones are taken even if they are fewer than 15')
  const told = (await stay(90)).filter(({ kind }) => kind === 'message')
  assert.deepEqual(
    told.map(({ text }) => text),
    ['The bot minutes of this account are used up. I will leave in one minute.'],
  )
  await runner.report(held, { type: 'command_done', commandId: told[0]?.id })
  assert.equal((await get()).status, 'in_meeting')
  const commands = await stay(70)
  assert.deepEqual(commands.filter(({ kind }) => kind === 'leave').map(({ reason }) => reason)[0], 'QUOTA')
  await runner.report(held, { type: 'left' })
  const { status, reason } = await get()
  assert.deepEqual([status, reason], ['ended', 'QUOTA'])
  const refused = await bots.call(user, 'POST', '', { meetingUrl: linkTo(crypto.randomUUID()) })
  assert.deepEqual([refused.status, refused.body.code], [429, 'USAGE_EXCEEDED'])
  assert.deepEqual(
    [refused.body.usage.used, await used()],
    [3, 3],
    'what it stayed longer is counted, and nothing else',
  )
})

test('a bot whose meeting is moved while it is on its way comes with the minutes that it has', async () => {
  const { tenant, user } = await bots.tenantWithUser()
  await overrideLimit(app, tenant.id, 'botMinutes', { hard: 15 })
  const runner = await bots.runner(user)
  const inMinutes = (minutes: number) => new Date(app.clock.now().getTime() + minutes * 60_000).toISOString()
  const { id, meetingId } = await bots.deploy(user, { meetingUrl: linkTo(crypto.randomUUID()), joinAt: inMinutes(30) })
  await bots.pass(30 * 60_000)
  await runner.claim()
  const scheduledAt = inMinutes(60)
  const url = `/assistant/v1/meetings/${meetingId}`
  const { status } = await app.call({ method: 'PATCH', url, headers: user.headers, body: { scheduledAt } })
  assert.equal(status, 200)
  await bots.pass(2000)
  assert.equal((await bots.get(user, id)).status, 'scheduled')
  await bots.pass(3_600_000)
  await runner.status(await runner.claim(), 'ended', { reason: 'MEETING_ENDED' })
  const asked = { meter: 'botMinutes', orgId: null, userId: user.id } as const
  assert.equal(await transaction(app.scopeOf(tenant.id), (tx) => app.app.metering.left(tx, asked)), 15)
})

test('of ten bots that are sent at once for the last minutes, one comes', async () => {
  const { tenant, user } = await bots.tenantWithUser()
  await bots.runner(user)
  await overrideLimit(app, tenant.id, 'botMinutes', { hard: 15 })
  const sent = Array.from({ length: 10 }, () =>
    bots.call(user, 'POST', '', { meetingUrl: linkTo(crypto.randomUUID()) }),
  )
  const answers = (await Promise.all(sent)).map(({ status }) => status).toSorted((a, b) => a - b)
  assert.deepEqual(answers, [202, ...Array(9).fill(429)])
})

test('the answer to who sends a bot tells the limits of its minutes, of its meeting and of its words', async () => {
  const { tenant, user } = await bots.tenantWithUser()
  await bots.runner(user)
  await overrideLimit(app, tenant.id, 'botMinutes', { hard: 40 })
  await overrideLimit(app, tenant.id, 'meetings', { hard: 9 })
  await overrideLimit(app, tenant.id, 'transcriptWords', { hard: 70 })
  const told = async (body: Record<string, unknown>) => {
    const { headers } = await bots.call(user, 'POST', '', body)
    const policies = String(headers['ratelimit-policy']).split(', ').slice(1)
    const left = String(headers['ratelimit']).split(', ').slice(1)
    return [policies, left].map((items) => items.map((item) => item.replace(/;[wt]=\d+/, '')))
  }
  const meetingUrl = linkTo(crypto.randomUUID())
  assert.deepEqual(await told({ meetingUrl }), [
    ['"meetings";q=9', '"botMinutes";q=40', '"transcriptWords";q=70'],
    ['"meetings";r=8', '"botMinutes";r=25', '"transcriptWords";r=70'],
  ])
  assert.deepEqual(await told({ meetingUrl }), [[], []], 'nothing is used by a request for the same bot')
  const joinAt = new Date(app.clock.now().getTime() + 120_000).toISOString()
  const [, left] = await told({ meetingUrl: linkTo(crypto.randomUUID()), joinAt })
  const expected = ['"meetings";r=7', '"botMinutes";r=25', '"transcriptWords";r=70']
  assert.deepEqual(left, expected, 'a planned bot takes its minutes when it goes')
})

test('a limit of the user refuses a bot, at once and for later', async () => {
  const { user } = await bots.tenantWithUser()
  await bots.runner(user)
  await usageCalls(app).as(user, 'PUT', '/limits', { scope: 'user', id: user.id, meter: 'botMinutes', limit: 0 })
  const joinAt = new Date(app.clock.now().getTime() + 120_000).toISOString()
  for (const body of [{}, { joinAt }]) {
    const refused = await bots.call(user, 'POST', '', { meetingUrl: linkTo(crypto.randomUUID()), ...body })
    assert.deepEqual([refused.status, refused.body.usage?.scope], [429, 'user'])
  }
})

test('minutes that are taken or given back a second time are counted once, whatever the bot looks like then', async () => {
  const { tenant, user } = await bots.tenantWithUser()
  await app.promote(user)
  const minutes = botMinutes({ clock: app.clock, metering: app.app.metering })
  const scope = app.scopeOf(tenant.id)
  const part: Partial<Bot> = {
    ...blankBot(app.clock.now()),
    id: crypto.randomUUID(),
    orgId: null,
    requestedBy: user.id,
  }
  const bot = part as Bot
  const used = async () =>
    (await app.call({ url: '/assistant/v1/usage?scope=tenant&meter=botMinutes', headers: user.headers })).body.totals
      .botMinutes
  const fiveTimes = <T>(work: (tx: typeof scope) => Promise<T>) =>
    Promise.all(Array.from({ length: 5 }, () => transaction(scope, work)))
  const [taken] = await fiveTimes((tx) => minutes.reserve(tx, bot))
  assert.ok(taken)
  assert.equal(await used(), 15)
  await fiveTimes((tx) => minutes.settle(tx, { ...taken.bot, seconds: 200 }))
  assert.equal(await used(), 4)
  const long = { ...taken.bot, id: crypto.randomUUID(), watch: {}, seconds: 60 }
  await fiveTimes((tx) => minutes.settle(tx, long))
  assert.equal(await used(), 5, 'also minutes that were never reserved')
})

test('a runner that reports everything five times, late and at once, uses its minutes once', async () => {
  const { runner, held, stay, used } = await inMeeting(100)
  await stay(60)
  const ended = { seq: 5_000_000, type: 'status', status: 'ended', reason: 'MEETING_ENDED' }
  const report = () => runner.post('events', { botId: held.bot.id, lease: held.lease, events: [ended] })
  const statuses = (await Promise.all(Array.from({ length: 5 }, report))).map(({ status }) => status)
  assert.ok(statuses.includes(204), statuses.join())
  await runner.status(held, 'in_meeting')
  await report()
  assert.equal(await used(), 1)
})
