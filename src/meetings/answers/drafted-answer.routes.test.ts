import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Reply, type TestApp, type TestUser, testApp, unique } from '../../../test/harness/app.ts'
import { effectsOver } from '../../../test/harness/inbound-effects.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { jsonPayload } from '../../../test/harness/payloads.ts'
import { erase } from '../../../test/harness/tenant-files.ts'
import { newId } from '../../kernel/ids.ts'

const base = '/assistant/v1/answers'
let app: TestApp
let effects: ReturnType<typeof effectsOver>

before(async () => {
  app = await testApp()
  effects = effectsOver(app)
})

async function chatTenant() {
  const tenant = await app.tenant()
  const user = await app.user(await app.apiKey(tenant))
  await app.promote(user)
  const ask = async (text: string, settings: Record<string, string> = { userId: user.id }, connectionId?: string) => {
    app.clock.advance({ seconds: 1 })
    const payload = jsonPayload('slack-message-im')
    payload.event = { ...payload.event, text, ts: unique('1.') }
    const sent = { scheme: 'slack', channel: 'chat', payload, settings } as const
    const outcome = await effects.process(tenant, { ...sent, ...(connectionId ? { connectionId } : {}) })
    assert.ok(outcome.kind === 'processed')
    return outcome.effects[0]?.targetId ?? ''
  }
  const read = (path = '', headers: Record<string, string> = user.headers): Promise<Reply> =>
    app.call({ url: `${base}${path}`, headers })
  return { tenant, user, ask, read }
}

const idsIn = ({ body }: Reply) => body.answers.map(({ id }: { id: string }) => id)

describe('a drafted answer', () => {
  test('is read with its text and the quotes that it is made of', async () => {
    const { tenant, user, ask, read } = await chatTenant()
    const transcript = [said('We decided that the budget of the venue is 4000 euros.')]
    const meeting = await meetingCalls(app).create(user, { title: 'Planning', transcript })
    const id = await ask('What is the budget of the venue?')
    const waiting = (await read(`/${id}`)).body.answer
    assert.deepEqual([waiting.waitingFor, waiting.text, waiting.quotes], ['answer', null, []])
    await app.settled()
    const { status, headers, body } = await read(`/${id}`)
    assert.deepEqual([status, headers['cache-control']], [200, 'no-store'])
    const { text, quotes, ...line } = body.answer
    assert.match(text, /^This is what was said about it:\n\nPlanning, .*4000 euros\.”$/s)
    assert.deepEqual(
      quotes.map(({ meetingAt: _, ...quote }: Record<string, unknown>) => quote),
      [
        {
          meetingId: meeting.id,
          meetingTitle: 'Planning',
          seq: 1,
          speaker: 'Ada',
          timestamp: '00:00:01',
          documentId: null,
          documentTitle: null,
          version: null,
          page: null,
          heading: [],
          quote: 'We decided that the budget of the venue is 4000 euros.',
        },
      ],
    )
    assert.deepEqual(
      [line.question, line.userId, line.status, line.waitingFor, line.reason],
      [
        'What is the budget of the venue?',
        user.id,
        'pending',
        'sending',
        'It is sent as soon as an account that may do so is connected.',
      ],
    )
    assert.deepEqual((await read()).body.answers, [line])
    const asAdministrator = await app.call({ url: `/admin/tenants/${tenant.id}/answers/${id}`, headers: app.admin })
    assert.deepEqual(asAdministrator.body, body)
  })

  test('is listed newest first, in pages, and by its state, connection, user and time', async () => {
    const { user, ask, read } = await chatTenant()
    const connectionId = newId(app.clock.now())
    const first = await ask('One?')
    const between = new Date(app.clock.now().getTime() + 500).toISOString()
    const second = await ask('Two?', {})
    const third = await ask('Three?', { userId: user.id }, connectionId)
    assert.deepEqual(idsIn(await read()), [third, second, first])
    const page = await read('?limit=2&page=2')
    assert.deepEqual([idsIn(page), page.body.pagination.total, page.body.pagination.totalPages], [[first], 3, 2])
    const filters: [query: string, ids: string[]][] = [
      ['waitingFor=user', [second]],
      ['waitingFor=answer', [third, first]],
      ['status=sent', []],
      [`connectionId=${connectionId}`, [third]],
      [`userId=${user.id}&to=${between}`, [first]],
      [`from=${between}`, [third, second]],
    ]
    for (const [query, ids] of filters) assert.deepEqual(idsIn(await read(`?${query}`)), ids, query)
    for (const query of ['waitingFor=me', 'connectionId=x', 'from=yesterday', 'state=sent', 'limit=0'])
      assert.equal((await read(`?${query}`)).status, 400, query)
  })

  test('is shown to nobody but administrators of its tenant, and to others like one that never existed', async () => {
    const { tenant, ask } = await chatTenant()
    const id = await ask('Whose is it?')
    const stranger = await chatTenant()
    const foreign = await stranger.read(`/${id}`)
    const unknown = await stranger.read(`/${newId(app.clock.now())}`)
    assert.deepEqual([foreign.status, { ...foreign.body, requestId: '' }], [404, { ...unknown.body, requestId: '' }])
    assert.deepEqual(idsIn(await stranger.read()), [])
    const elsewhere = `/admin/tenants/${stranger.tenant.id}/answers/${id}`
    assert.equal((await app.call({ url: elsewhere, headers: app.admin })).status, 404)
    const colleague: TestUser = await app.user(await app.apiKey(tenant))
    for (const path of ['', `/${id}`]) {
      const { status, body } = await app.call({ url: `${base}${path}`, headers: colleague.headers })
      assert.deepEqual([status, body.code], [403, 'INSUFFICIENT_ROLE'])
    }
  })

  test('keeps no quote of a deleted meeting, ends after 90 days, and goes with its tenant', async () => {
    const { tenant, user, ask, read } = await chatTenant()
    const calls = meetingCalls(app)
    const { id: meetingId } = await calls.create(user, { title: 'Gone', transcript: [said('The zeppelin is late.')] })
    const id = await ask('When does the zeppelin come?')
    await app.settled()
    assert.equal((await read(`/${id}`)).body.answer.quotes.length, 1)
    await calls.remove(user, meetingId)
    const { text, quotes } = (await read(`/${id}`)).body.answer
    assert.deepEqual(quotes, [])
    assert.match(text, /found nothing/)
    const url = `/admin/tenants/${tenant.id}/answers`
    app.clock.advance({ seconds: 91 * 24 * 3600 })
    await effects.clear()
    assert.deepEqual((await app.call({ url, headers: app.admin })).body.answers, [])
    await ask('And now?')
    const suspend = {
      method: 'PATCH',
      url: `/admin/tenants/${tenant.id}`,
      headers: app.admin,
      body: { status: 'SUSPENDED' },
    }
    await app.call(suspend)
    assert.equal((await erase(app, tenant)).status, 200)
    assert.equal((await app.call({ url, headers: app.admin })).status, 404)
  })

  test('shows its words to no administrator of the platform below OWNER', async () => {
    const { tenant, ask } = await chatTenant()
    const id = await ask('What is the secret of the venue?')
    await app.settled()
    const made = {
      method: 'POST',
      url: '/v1/platform/admin/keys',
      headers: app.admin,
      body: { name: 'Ana', role: 'VIEWER' },
    }
    const headers = { 'x-admin-key': (await app.call(made)).body.adminKey.key }
    const { answer } = (await app.call({ url: `/admin/tenants/${tenant.id}/answers/${id}`, headers })).body
    assert.deepEqual([answer.id, answer.question, answer.text, answer.quotes], [id, null, null, null])
  })
})
