import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { type TestApp, type TestTenant, testApp, unique } from '../../../test/harness/app.ts'
import { effectsOver } from '../../../test/harness/inbound-effects.ts'
import { jsonPayload, mailBytes, snsMail } from '../../../test/harness/payloads.ts'
import { newId } from '../../kernel/ids.ts'
import { Unprocessable } from '../processing.ts'

let app: TestApp
let effects: ReturnType<typeof effectsOver>
let tenant: TestTenant

before(async () => {
  app = await testApp()
  effects = effectsOver(app)
  tenant = await app.tenant()
})

/** A change of one issue of Linear. */
function issue(id: string, data: Record<string, unknown> = {}, rest: Record<string, unknown> = {}) {
  const payload = jsonPayload('linear-issue')
  return { ...payload, ...rest, data: { ...payload.data, id, ...data } }
}

const second = (n: number) => new Date(Date.UTC(2026, 5, 30, 10, 0, n))
const stateOf = (type: string) => ({ name: type, type })

describe('what Amazon says of a topic', () => {
  test('is ignored and not dead where the topic was only tested or unsubscribed', async () => {
    const tried = { Type: 'Notification', Message: 'Successfully validated SNS topic for Amazon SES event publishing.' }
    const left = { Type: 'UnsubscribeConfirmation', Message: 'You have chosen to deactivate subscription arn:aws:sns.' }
    for (const payload of [tried, left])
      assert.equal((await effects.process(tenant, { scheme: 'sns', channel: 'email', payload })).kind, 'ignored')
  })
})

describe('an issue', () => {
  test('becomes a task, follows its changes, and is dismissed when it is deleted', async () => {
    const connectionId = newId(app.clock.now())
    const send = (payload: unknown) => effects.process(tenant, { connectionId, scheme: 'jira-hmac', payload })
    const created = await send(jsonPayload('jira-issue-created'))
    assert.deepEqual(created.kind === 'processed' && created.effects[0]?.action, 'created')
    const [task] = await effects.rows('tasks', tenant)
    assert.deepEqual(
      [
        task?.['title'],
        task?.['status'],
        task?.['assignee_name'],
        task?.['external_key'],
        task?.['source'],
        task?.['due'],
      ],
      ['Renew the certificate of the mail host', 'open', null, 'ATR-17', 'tracker', '2026-07-15'],
    )
    const updated = await send(jsonPayload('jira-issue-updated'))
    const effect = { kind: 'task', action: 'updated', targetId: task?.['id'], status: 'DONE' }
    assert.deepEqual(updated, { kind: 'processed', effects: [effect] })
    const [changed] = await effects.rows('tasks', tenant)
    assert.deepEqual([changed?.['status'], changed?.['assignee_name']], ['in_progress', 'Emma Richards'])
    await send(jsonPayload('jira-issue-deleted'))
    assert.deepEqual(await effects.statuses(tenant, connectionId), ['dismissed'])
  })

  test('that was deleted stays deleted when an older change arrives later', async () => {
    const connectionId = newId(app.clock.now())
    const send = (payload: unknown) => effects.process(tenant, { connectionId, scheme: 'jira-hmac', payload })
    await send(jsonPayload('jira-issue-deleted'))
    const late = await send(jsonPayload('jira-issue-updated'))
    assert.equal(late.kind === 'processed' && late.effects[0]?.action, 'unchanged')
    assert.deepEqual(await effects.statuses(tenant, connectionId), ['dismissed'])
  })

  test('is ignored where our own app changed it, but not for other changes', async () => {
    const connectionId = newId(app.clock.now())
    const settings = { ownActor: 'b5ea5f1f-8adc-4f52-b4bd-ab4e84cf51ba' }
    const ours = await effects.process(tenant, { connectionId, scheme: 'linear', payload: issue('echo'), settings })
    assert.deepEqual(ours, { kind: 'ignored', reason: 'The change was made by this service.' })
    assert.deepEqual(await effects.statuses(tenant, connectionId), [])
    const theirs = issue('echo', {}, { actor: { id: 'somebody' } })
    await effects.process(tenant, { connectionId, scheme: 'linear', payload: theirs, settings })
    assert.deepEqual(await effects.statuses(tenant, connectionId), ['in_progress'])
  })

  test('has the state of its newest change, whatever the order of arrival', async () => {
    const change = fc.record({
      at: fc.integer({ min: 0, max: 5 }),
      state: fc.constantFrom('triage', 'started', 'completed'),
    })
    const changes = fc.array(change, { minLength: 2, maxLength: 6 }).chain((told) =>
      // As they happened, and in the order in which they are processed.
      fc.tuple(
        fc.constant(told),
        fc.shuffledSubarray(
          told.map((_, n) => n),
          { minLength: told.length },
        ),
      ),
    )
    const run = fc.asyncProperty(changes, async ([told, order]) => {
      const connectionId = newId(app.clock.now())
      for (const n of order) {
        const { at, state } = told[n] as (typeof told)[number]
        const payload = issue('one', { title: `change ${n}`, updatedAt: second(at), state: stateOf(state) })
        await effects.process(tenant, { connectionId, scheme: 'linear', payload, receivedAt: second(100 + n) })
      }
      // Of two of one moment the one that came later.
      const newest = told.reduce((best, { at }, n) => (at >= (told[best]?.at ?? 0) ? n : best), 0)
      const [task] = (await effects.rows('tasks', tenant)).filter((row) => row['connection_id'] === connectionId)
      assert.equal(task?.['title'], `change ${newest}`)
    })
    await fc.assert(run, { numRuns: 15 })
  })

  test('of GitHub that was deleted stays deleted even if our clock is behind the clock of its last change', async () => {
    const connectionId = newId(app.clock.now())
    const now = app.clock.now()
    const ahead = new Date(now.getTime() + 20_000).toISOString()
    const payload = { ...jsonPayload('github-issues'), action: 'edited' }
    const last = { ...payload, issue: { ...payload.issue, updated_at: ahead } }
    const send = (body: unknown, ms: number) =>
      effects.process(tenant, {
        connectionId,
        scheme: 'github',
        payload: body,
        receivedAt: new Date(now.getTime() + ms),
      })
    await send(last, 0)
    await send({ ...last, action: 'deleted' }, 1000)
    assert.deepEqual(await effects.statuses(tenant, connectionId), ['dismissed'])
  })

  test('changed twenty times at once has the state of its newest change', async () => {
    const connectionId = newId(app.clock.now())
    const numbers = Array.from({ length: 20 }, (_, n) => (n * 7) % 20)
    const outcomes = await Promise.all(
      numbers.map((n) => {
        const payload = issue('raced', { title: `change ${n}`, updatedAt: second(n) })
        return effects.process(tenant, { connectionId, scheme: 'linear', payload })
      }),
    )
    const actions = outcomes.flatMap((outcome) =>
      outcome.kind === 'processed' ? outcome.effects.map(({ action }) => action) : [],
    )
    assert.equal(actions.filter((action) => action === 'created').length, 1)
    const tasks = (await effects.rows('tasks', tenant)).filter((row) => row['connection_id'] === connectionId)
    assert.deepEqual(
      tasks.map((row) => row['title']),
      ['change 19'],
    )
  })

  test('with a time far in the future does not block later changes', async () => {
    const connectionId = newId(app.clock.now())
    const ahead = issue('ahead', { title: 'from the future', updatedAt: '9000-01-01T00:00:00Z' })
    await effects.process(tenant, { connectionId, scheme: 'linear', payload: ahead, receivedAt: second(0) })
    const next = issue('ahead', { title: 'from today', updatedAt: second(60) })
    await effects.process(tenant, { connectionId, scheme: 'linear', payload: next, receivedAt: second(61) })
    const [task] = (await effects.rows('tasks', tenant)).filter((row) => row['connection_id'] === connectionId)
    assert.equal(task?.['title'], 'from today')
  })

  test('is separate for each connection and tenant, even with the same id', async () => {
    const [one, two] = [newId(app.clock.now()), newId(app.clock.now())]
    const stranger = await app.tenant()
    for (const [who, connectionId, title] of [
      [tenant, one, 'a'],
      [tenant, two, 'b'],
      [stranger, one, 'c'],
    ] as const)
      await effects.process(who, { connectionId, scheme: 'linear', payload: issue('same', { title }) })
    const titles = (await effects.rows('tasks', tenant))
      .filter((row) => row['external_id'] === 'same')
      .map((row) => row['title'])
    assert.deepEqual(titles.toSorted(), ['a', 'b'])
    assert.deepEqual(
      (await effects.rows('tasks', stranger)).map((row) => row['title']),
      ['c'],
    )
  })

  test('with a wrong form leaves nothing behind', async () => {
    const connectionId = newId(app.clock.now())
    const broken = effects.process(tenant, {
      connectionId,
      scheme: 'linear',
      payload: issue('x', { identifier: null }),
    })
    await assert.rejects(broken, Unprocessable)
    assert.deepEqual(await effects.statuses(tenant, connectionId), [])
  })
})

describe('one delivery', () => {
  const deliveries = {
    issue: { scheme: 'linear', payload: issue('ten') },
    mention: { scheme: 'slack', payload: jsonPayload('slack-app-mention'), channel: 'chat' },
    mail: { scheme: 'sns', body: snsMail({ mail: mailBytes() }), contentType: 'text/plain', channel: 'email' },
  } as const

  for (const [what, delivery] of Object.entries(deliveries))
    test(`of ${what} processed ten times at once and replayed has one effect`, async () => {
      const alone = await app.tenant()
      const now = app.clock.now()
      const sent = { ...delivery, id: newId(now), connectionId: newId(now), receivedAt: now }
      const outcomes = await Promise.all(Array.from({ length: 10 }, () => effects.process(alone, sent)))
      const seen = outcomes.flatMap((outcome) => (outcome.kind === 'processed' ? outcome.effects : []))
      assert.equal(seen.filter(({ action }) => action !== 'unchanged').length, 1)
      assert.equal(new Set(seen.map(({ targetId }) => targetId)).size, 1)
      const kept = await effects.all(alone)
      app.clock.advance({ seconds: 5 })
      await effects.process(alone, { ...sent, attempt: 1 })
      assert.deepEqual(await effects.all(alone), kept)
      assert.equal(kept.length, 1)
    })

  test('of an issue can be processed in concurrent copies without a failure', {
    skip: process.env['ATRIUM_TEST_DATABASE'] !== 'postgres' && 'PGlite has one connection for everything',
  }, async () => {
    const alone = await app.tenant()
    for (let round = 0; round < 80; round++) {
      const now = app.clock.now()
      const payload = jsonPayload('jira-issue-created')
      const sent = { scheme: 'jira-hmac', payload, id: newId(now), connectionId: newId(now), receivedAt: now } as const
      await Promise.all(Array.from({ length: 10 }, () => effects.process(alone, sent)))
    }
    assert.equal((await effects.all(alone)).length, 80)
  })

  test('of a comment, a notification or a lifecycle event is ignored with its reason', async () => {
    const alone = await app.tenant()
    for (const [scheme, payload] of [
      ['jira-hmac', jsonPayload('jira-comment-created')],
      ['graph', jsonPayload('graph-notification')],
      ['bot-framework', jsonPayload('teams-conversation-update')],
      ['slack', jsonPayload('slack-bot-message')],
      ['slack', jsonPayload('slack-message-changed')],
    ] as const) {
      const outcome = await effects.process(alone, { scheme, payload })
      assert.ok(outcome.kind === 'ignored' && outcome.reason.length > 10, scheme)
    }
    assert.deepEqual(await effects.all(alone), [])
  })
})

describe('a mail', () => {
  const mail = (messageId?: string) => ({
    scheme: 'sns' as const,
    channel: 'email' as const,
    body: snsMail({ mail: mailBytes(messageId) }),
    contentType: 'text/plain',
  })

  test('is stored once for its message id, also when two deliveries contain it', async () => {
    const alone = await app.tenant()
    const connectionId = newId(app.clock.now())
    const first = await effects.process(alone, { ...mail(), connectionId })
    assert.ok(first.kind === 'processed')
    const again = await effects.process(alone, { ...mail(), connectionId })
    const effect = { ...first.effects[0], action: 'unchanged' }
    assert.deepEqual(again, { kind: 'processed', effects: [effect] })
    const [row, ...others] = await effects.rows('mail_messages', alone)
    assert.deepEqual(others, [])
    assert.deepEqual(
      [row?.['subject'], row?.['from_address'], row?.['to_addresses'], row?.['status']],
      ['Minutes – Tuesday', 'jane@example.com', ['assistant@in.acme.test'], 'received'],
    )
    assert.deepEqual(row?.['raw'], mailBytes())
  })

  test('without a message id, or with a very long one, is stored, too', async () => {
    const alone = await app.tenant()
    const connectionId = newId(app.clock.now())
    for (const messageId of ['', `<${'ü'.repeat(900)}@x>`, `<${'ü'.repeat(900)}@y>`])
      for (let n = 0; n < 2; n++) await effects.process(alone, { ...mail(messageId), connectionId })
    assert.equal((await effects.rows('mail_messages', alone)).length, 3)
  })

  test('that is in a bucket is pending, with the reason', async () => {
    const sent = { scheme: 'sns', channel: 'email', body: snsMail(), contentType: 'text/plain' } as const
    const outcome = await effects.process(tenant, sent)
    assert.ok(outcome.kind === 'processed')
    assert.equal(outcome.effects[0]?.status, 'PENDING')
    assert.match(outcome.effects[0]?.reason ?? '', /bucket/)
  })

  test('and a drafted answer are deleted after 90 days, and younger ones stay', async () => {
    const alone = await app.tenant()
    const mention = jsonPayload('slack-app-mention')
    await effects.process(alone, mail(`<${unique('old')}@x>`))
    await effects.process(alone, { scheme: 'slack', channel: 'chat', payload: mention })
    app.clock.advance({ seconds: 45 * 86_400 })
    await effects.process(alone, mail(`<${unique('new')}@x>`))
    app.clock.advance({ seconds: 45 * 86_400 - 60 })
    await effects.clear()
    assert.equal((await effects.all(alone)).length, 3)
    app.clock.advance({ seconds: 61 })
    await effects.clear()
    assert.deepEqual(
      (await effects.all(alone)).map(({ table }) => table),
      ['mail_messages'],
    )
  })
})
