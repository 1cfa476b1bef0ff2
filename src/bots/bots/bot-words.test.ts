import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestUser, testApp } from '../../../test/harness/app.ts'
import { botCalls, linkTo, pageHosts } from '../../../test/harness/bots.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { overrideLimit } from '../../../test/harness/usage-limits.ts'
import { windowAt } from '../../usage/meters/meter.rules.ts'
import { saveOwnLimit } from '../../usage/own-limits/own-limit.store.ts'

let app: TestApp
let bots: ReturnType<typeof botCalls>
let meetings: ReturnType<typeof meetingCalls>

before(async () => {
  app = await testApp({ meetingHosts: pageHosts })
  bots = botCalls(app)
  meetings = meetingCalls(app)
})

const link = () => linkTo(crypto.randomUUID())

/** A user whose tenant may use so many words. */
async function withWords(hard: number) {
  const { tenant, user } = await bots.tenantWithUser()
  await app.promote(user)
  await overrideLimit(app, tenant.id, 'transcriptWords', { hard })
  const used = async (meter: string) => {
    const { body } = await app.call({ url: '/assistant/v1/usage?scope=tenant', headers: user.headers })
    return body.totals[meter] ?? 0
  }
  return { tenant, user, used }
}

/** A meeting that has used up all words, four of them. */
async function usedUp() {
  const at = await withWords(4)
  const running = await meetings.create(at.user, {})
  await meetings.append(at.user, running.id, [said('one two three four')])
  return { ...at, running }
}

const deployed = (user: TestUser, body: Record<string, unknown>) => bots.call(user, 'POST', '', body)

async function admitted(user: TestUser, runner: Awaited<ReturnType<typeof bots.runner>>) {
  const held = await runner.claim()
  await runner.status(held, 'in_meeting')
  await runner.report(held, { type: 'notice', delivered: true })
  await runner.report(held, { type: 'participants', people: 2, bots: 0 })
  const meeting = async () => {
    const { meetingId } = await bots.get(user, held.bot.id)
    return meetings.get(user, meetingId)
  }
  return { held, meeting }
}

describe('a bot, once the words of its tenant are used up', () => {
  test('is not sent to a meeting without words, and leaves nothing behind', async () => {
    const { user, used, running } = await usedUp()
    await bots.runner(user)
    const refused = await deployed(user, { meetingUrl: link() })
    assert.deepEqual([refused.status, refused.body.code], [429, 'USAGE_EXCEEDED'])
    assert.deepEqual([refused.body.usage.meter, refused.body.usage.limit], ['transcriptWords', 4])
    const scheduled = await meetings.create(user, { joinUrl: link() })
    assert.equal((await deployed(user, { meetingId: scheduled.id })).status, 429)
    assert.equal((await bots.call(user, 'GET', '')).body.pagination.total, 0)
    assert.equal((await meetings.call(user, 'GET', '')).body.pagination.total, 2)
    assert.deepEqual([await used('botMinutes'), await used('meetings')], [0, 2])
    assert.equal((await meetings.get(user, running.id)).body.status, 'active')
  })

  test('goes to a meeting that has words, which goes on to its end', async () => {
    const { user, used, running } = await usedUp()
    const { body } = await deployed(user, { meetingId: running.id, provider: 'push' })
    assert.equal(body.bot.status, 'in_meeting')
    const sent = await app.call({
      ...{ method: 'POST', url: body.ingest.url, headers: { authorization: `Bearer ${body.ingest.token}` } },
      body: { entries: [{ segmentId: '1', speaker: 'Ada', text: 'and so on', atMs: 1000 }] },
    })
    assert.equal(sent.status, 204)
    assert.equal((await meetings.get(user, running.id)).body.transcript.length, 2)
    assert.equal(await used('transcriptWords'), 7)
  })

  test('that takes back all words of a running meeting does not make it one that has not begun', async () => {
    const { user, used } = await withWords(4)
    const runner = await bots.runner(user)
    await bots.deploy(user, { meetingUrl: link() })
    const { held, meeting } = await admitted(user, runner)
    await runner.say(held, [{ n: 1, text: 'one two three four' }])
    await runner.report(held, { type: 'chat', from: 'Ben', text: '!forget' })
    const { id, status, wordCount } = (await meeting()).body
    assert.deepEqual([status, wordCount], ['active', 0])
    assert.equal((await meetings.append(user, id, [said('and so on')])).status, 200)
    assert.equal(await used('transcriptWords'), 7)
  })

  test('is planned for the next month, but not for this one', async () => {
    const { user } = await usedUp()
    await bots.runner(user)
    const { end } = windowAt(app.clock.now(), 'month')
    const at = (ms: number) => ({ meetingUrl: link(), joinAt: new Date(end.getTime() + ms).toISOString() })
    assert.equal((await deployed(user, at(60_000))).status, 202)
    const isFarFromEnd = end.getTime() - app.clock.now().getTime() > 300_000
    if (isFarFromEnd) assert.equal((await deployed(user, at(-1000))).body.code, 'USAGE_EXCEEDED')
  })

  test('ends with the limit as its reason where it was planned before', async () => {
    const { user } = await withWords(4)
    await bots.runner(user)
    const joinAt = new Date(app.clock.now().getTime() + 120_000).toISOString()
    const { id } = await bots.deploy(user, { meetingUrl: link(), joinAt })
    const other = await meetings.create(user, {})
    await meetings.append(user, other.id, [said('one two three four')])
    await bots.pass(70_000)
    const { status, reason, detail } = await bots.get(user, id)
    assert.deepEqual([status, reason], ['ended', 'QUOTA'])
    assert.match(detail, /used 4 of 4 \(transcriptWords/)
  })

  test('leaves when it is admitted, and does not begin its meeting', async () => {
    const { user, used } = await withWords(4)
    const runner = await bots.runner(user)
    const { id } = await bots.deploy(user, { meetingUrl: link() })
    const other = await meetings.create(user, {})
    await meetings.append(user, other.id, [said('one two three four')])
    const { held, meeting } = await admitted(user, runner)
    assert.equal((await meeting()).body.status, 'scheduled')
    await bots.pass(2000)
    const { status, reason, detail } = await bots.get(user, id)
    assert.deepEqual([status, reason], ['leaving', 'QUOTA'])
    assert.match(detail, /transcriptWords/)
    const { commands } = (await runner.beat(held)).body
    assert.deepEqual(
      commands.map(({ kind, reason }: Record<string, string>) => [kind, reason]),
      [['leave', 'QUOTA']],
    )
    await runner.say(held, [{ n: 1, text: 'A last word.' }])
    assert.deepEqual((await meeting()).body.transcript, [])
    await runner.report(held, { type: 'left' })
    assert.deepEqual([await used('transcriptWords'), await used('botMinutes')], [4, 1])
  })

  test('leaves at the first words of a meeting, of which it keeps none, and stays in one that has any', async () => {
    const { tenant, user, used } = await withWords(1000)
    const runner = await bots.runner(user)
    await bots.deploy(user, { meetingUrl: link() })
    const first = await admitted(user, runner)
    await bots.deploy(user, { meetingUrl: link() })
    const second = await admitted(user, runner)
    await runner.say(first.held, [{ n: 1, text: 'Good morning.' }])
    await saveOwnLimit(app.scopeOf(tenant.id), {
      ...{ scope: 'user', id: user.id, meter: 'transcriptWords', limit: 2, updatedAt: app.clock.now() },
    })
    await runner.say(first.held, [{ n: 2, text: 'And on we go.' }])
    await runner.say(second.held, [{ n: 1, text: 'Too late.' }])
    assert.equal((await first.meeting()).body.transcript.length, 2)
    assert.deepEqual((await second.meeting()).body.transcript, [])
    const states = await Promise.all([first, second].map(({ held }) => bots.get(user, held.bot.id)))
    assert.deepEqual(
      states.map(({ status, reason }) => [status, reason]),
      [
        ['in_meeting', null],
        ['leaving', 'QUOTA'],
      ],
    )
    assert.match(states[1].detail, /^The user has used 6 of 2 \(transcriptWords/)
    assert.equal(await used('transcriptWords'), 6)
  })
})
