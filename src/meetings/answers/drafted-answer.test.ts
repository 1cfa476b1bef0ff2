import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestTenant, type TestUser, testApp, unique } from '../../../test/harness/app.ts'
import { effectsOver } from '../../../test/harness/inbound-effects.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { jsonPayload } from '../../../test/harness/payloads.ts'
import { rowsWith } from '../../../test/harness/tables.ts'
import { erase, exportTenant, readTenantFile } from '../../../test/harness/tenant-files.ts'
import type { Effect } from '../../inbound/processing.ts'
import type { Channel, SchemeName } from '../../inbound/scheme.ts'
import { newId } from '../../kernel/ids.ts'
import { run, sql } from '../../storage/query.ts'

let app: TestApp
let calls: ReturnType<typeof meetingCalls>
let effects: ReturnType<typeof effectsOver>

before(async () => {
  app = await testApp()
  calls = meetingCalls(app)
  effects = effectsOver(app)
})

/** A tenant with a user, and the question of somebody in its chat. */
async function asker() {
  const tenant = await app.tenant()
  const user = await app.user(await app.apiKey(tenant))
  return { tenant, user }
}

type Payload = ReturnType<typeof jsonPayload>

type Asked = { text: string; userId?: string; connectionId?: string; ts?: string }

async function ask(tenant: TestTenant, { text, userId, connectionId, ts = '1.1' }: Asked): Promise<Effect> {
  const payload = jsonPayload('slack-message-im')
  payload.event = { ...payload.event, text, ts }
  const settings = userId === undefined ? {} : { userId }
  const sent = {
    scheme: 'slack',
    channel: 'chat',
    payload,
    settings,
    ...(connectionId ? { connectionId } : {}),
  } as const
  const outcome = await effects.process(tenant, sent)
  assert.ok(outcome.kind === 'processed')
  const [effect] = outcome.effects
  assert.ok(effect?.kind === 'answer')
  return effect
}

const meetingOf = (user: TestUser, title: string, texts: string[]) =>
  calls.create(user, { title, transcript: texts.map((text) => said(text)) })

const waiting = async (tenant: TestTenant) =>
  (await effects.rows('drafted_answers', tenant)).map((row) => row['waiting_for'])

describe('a question in a chat', () => {
  test("is answered only for the workspace in the connection's settings, whoever else has installed the app", async () => {
    const { tenant, user } = await asker()
    const chats = [
      ['slack', 'chat', jsonPayload('slack-message-im'), (payload) => payload.team_id],
      ['bot-framework', 'collab', jsonPayload('teams-message'), (payload) => payload.channelData.tenant.id],
    ] as const satisfies [SchemeName, Channel, Payload, (payload: Payload) => string][]
    for (const [scheme, channel, payload, workspaceOf] of chats) {
      const send = async (workspace: string) =>
        (await effects.process(tenant, { scheme, channel, payload, settings: { userId: user.id, workspace } })).kind
      assert.deepEqual([await send('another'), await send(workspaceOf(payload))], ['ignored', 'processed'], scheme)
    }
    assert.equal((await waiting(tenant)).length, 2)
  })

  test('is answered with quotes from the best-matching meetings, and the answer waits to be sent', async () => {
    const { tenant, user } = await asker()
    await meetingOf(user, 'Standup', ['The budget is a budget.', 'Nothing else.'])
    await meetingOf(user, 'Planning', ['We decided that the budget of the venue is 4000 euros.', 'Lunch was good.'])
    await meetingOf(user, 'Retro', ['I liked the music.'])
    const effect = await ask(tenant, { text: 'What is the budget of the venue?', userId: user.id })
    assert.deepEqual([effect.action, effect.status], ['drafted', 'PENDING'])
    assert.deepEqual(await waiting(tenant), ['answer'])
    await app.settled()
    assert.deepEqual(await waiting(tenant), ['sending'])
    const text = await effects.textOf(tenant, effect.targetId)
    assert.match(
      text,
      /^This is what was said about it:\n\nPlanning, \d{4}-\d\d-\d\d\nAda \(00:00:01\): “We decided that the budget of the venue is 4000 euros\.”\n\nStandup/,
    )
    assert.doesNotMatch(text, /music|Lunch/)

    // As versions before stored the time of an entry that has milliseconds.
    await run(
      app.platform,
      sql`update drafted_answer_quotes set spoken_at = '00:00:01.500' where answer_id = ${effect.targetId}`,
    )
    assert.equal(await effects.textOf(tenant, effect.targetId), text)
  })

  test('without a match in any meeting gets an answer that says so', async () => {
    const { tenant, user } = await asker()
    await meetingOf(user, 'Planning', ['We like it here.'])
    const { targetId } = await ask(tenant, { text: 'Who bought the zeppelin?', userId: user.id })
    await app.settled()
    assert.match(await effects.textOf(tenant, targetId), /found nothing/)
  })

  test('quotes no meeting of another user or tenant', async () => {
    const { tenant, user } = await asker()
    const colleague = await app.user({ id: '', key: user.headers['x-api-key'] ?? '', tenantId: tenant.id })
    const other = await asker()
    for (const [somebody, word] of [
      [colleague, 'colleague'],
      [other.user, 'stranger'],
    ] as const)
      await meetingOf(somebody, 'Private', [`The zeppelin belongs to a ${word}.`])
    const mine = await ask(tenant, { text: 'Whose is the zeppelin?', userId: user.id })
    const foreign = await ask(tenant, { text: 'Whose is the zeppelin?', userId: other.user.id, ts: '1.2' })
    await app.settled()
    assert.match(await effects.textOf(tenant, mine.targetId), /found nothing/)
    assert.equal(
      foreign.reason,
      'The connection belongs to no organization, and its settings do not name a user whose meetings may be quoted.',
    )
    assert.deepEqual(await effects.all(other.tenant), [])
  })

  test('waits until the connection names a user whose meetings may be quoted', async () => {
    const { tenant, user } = await asker()
    await meetingOf(user, 'Planning', ['The zeppelin is late.'])
    const connectionId = newId(app.clock.now())
    const text = 'When does the zeppelin come?'
    for (const userId of [undefined, 'no-id', newId(app.clock.now())]) {
      const effect = await ask(tenant, { text, connectionId, ...(userId ? { userId } : {}) })
      assert.deepEqual(
        [effect.status, effect.reason],
        [
          'PENDING',
          'The connection belongs to no organization, and its settings do not name a user whose meetings may be quoted.',
        ],
      )
      await app.settled()
      assert.deepEqual(await waiting(tenant), ['user'])
    }
    const named = await ask(tenant, { text, connectionId, userId: user.id })
    assert.equal(named.action, 'updated')
    await app.settled()
    assert.match(await effects.textOf(tenant, named.targetId), /The zeppelin is late\./)
    const again = await ask(tenant, { text, connectionId, userId: user.id })
    assert.deepEqual(
      [again.action, again.targetId, again.reason],
      ['unchanged', named.targetId, 'It is sent as soon as an account that may do so is connected.'],
    )
    assert.deepEqual(await waiting(tenant), ['sending'])
  })

  test('reads only the latest meetings, up to a limit', async () => {
    const { tenant, user } = await asker()
    await meetingOf(user, 'Ancient', ['The zeppelin was ancient.'])
    app.clock.advance({ seconds: 1 })
    for (let n = 0; n < 20; n++) await meetingOf(user, `Later ${n}`, ['Something else.'])
    const { targetId } = await ask(tenant, { text: 'How is the zeppelin?', userId: user.id })
    await app.settled()
    assert.match(await effects.textOf(tenant, targetId), /found nothing/)
  })
})

describe('a quote in an answer', () => {
  /** An answered question with a word that stands nowhere but in one of two meetings. */
  async function answered() {
    const { tenant, user } = await asker()
    const [word, kept] = [unique('word'), unique('kept')]
    const erased = await meetingOf(user, 'Erased', [`The zeppelin is ${word}.`])
    await meetingOf(user, 'Kept', [`The zeppelin is ${kept}.`])
    const { targetId } = await ask(tenant, { text: 'How is the zeppelin?', userId: user.id })
    await app.settled()
    assert.match(await effects.textOf(tenant, targetId), new RegExp(word))
    return { tenant, user, erased, word, kept, targetId }
  }

  test('is deleted with its meeting, and other quotes stay', async () => {
    const { tenant, user, erased, word, kept, targetId } = await answered()
    assert.equal((await calls.remove(user, erased.id)).status, 204)
    assert.deepEqual(await rowsWith(app.platform, word), [])
    assert.match(await effects.textOf(tenant, targetId), new RegExp(kept))
  })

  test('is deleted with its user, and so is the question', async () => {
    const { tenant, user, word, kept } = await answered()
    assert.equal((await app.call({ method: 'DELETE', url: `/admin/users/${user.id}`, headers: app.admin })).status, 204)
    for (const gone of [word, kept]) assert.deepEqual(await rowsWith(app.platform, gone), [])
    assert.deepEqual(await effects.rows('drafted_answers', tenant), [])
  })

  test('is not stored if its meeting is erased during the search', async () => {
    const { tenant, user } = await asker()
    const word = unique('word')
    const { id } = await meetingOf(user, 'Erased', [`The zeppelin is ${word}.`])
    await ask(tenant, { text: 'How is the zeppelin?', userId: user.id })
    await Promise.all([app.settled(), calls.remove(user, id)])
    assert.deepEqual(await rowsWith(app.platform, word), [])
    assert.deepEqual(await waiting(tenant), ['sending'])
  })

  test('is in the tenant’s file, with questions, tasks and mails, and is deleted with the tenant', async () => {
    const { tenant, word } = await answered()
    const words = ['title', 'mail'].map((what) => unique(what))
    const [title = '', mail = ''] = words
    const linear = jsonPayload('linear-issue')
    linear.data.title = title
    await effects.process(tenant, { payload: linear })
    const postmark = { ...jsonPayload('postmark-inbound'), TextBody: mail }
    await effects.process(tenant, { scheme: 'postmark', channel: 'email', payload: postmark })
    const file = JSON.stringify(readTenantFile((await exportTenant(app, tenant.id)).bytes).rows)
    for (const text of [word, ...words, 'How is the zeppelin?']) assert.ok(file.includes(text), text)
    const body = { status: 'SUSPENDED' }
    await app.call({ method: 'PATCH', url: `/admin/tenants/${tenant.id}`, headers: app.admin, body })
    assert.equal((await erase(app, tenant)).status, 200)
    assert.deepEqual(await rowsWith(app.platform, word, ...words), [])
    assert.deepEqual(await effects.all(tenant), [])
  })
})
