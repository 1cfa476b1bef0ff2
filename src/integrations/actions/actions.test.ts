import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { TestKey, TestUser } from '../../../test/harness/app.ts'
import {
  integrationsBase as base,
  connectAccount,
  type IntegrationLab,
  integrationLab,
  loggedIn,
} from '../../../test/harness/integrations.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import type { ProviderName } from '../../providers/provider.ts'

type Case = {
  provider: ProviderName
  feature: string
  action: string
  target: Record<string, string>
  /** The request that writes. */
  writes: { method: string; path: string; body?: string }
  /** How many there are at the provider. */
  count(lab: IntegrationLab): number
}

const rows = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value : (Object.values((value ?? {}) as object).find(Array.isArray) ?? [])

const cases: Case[] = [
  {
    provider: 'slack',
    feature: 'post',
    action: 'post_summary',
    target: { channelId: 'C0GENERAL' },
    writes: { method: 'POST', path: 'chat.postMessage' },
    count: ({ emulators }) => rows(emulators.control('slack', 'messages', { channel: 'C0GENERAL' })).length,
  },
  {
    provider: 'github',
    feature: 'tasks',
    action: 'create_issue',
    target: { repository: 'example/website' },
    writes: { method: 'POST', path: '/issues' },
    count: ({ emulators }) => rows(emulators.control('github', 'issues', { repository: 'example/website' })).length,
  },
  {
    provider: 'linear',
    feature: 'tasks',
    action: 'create_issue',
    target: { teamId: '4f2c9d53-7e0c-4b5b-9a7e-3c1b6f0e8d11' },
    writes: { method: 'POST', path: '/graphql', body: 'issueCreate' },
    count: ({ emulators }) => rows(emulators.control('linear', 'issues')).length,
  },
  {
    provider: 'atlassian',
    feature: 'tasks',
    action: 'create_issue',
    target: { projectId: '10000' },
    writes: { method: 'POST', path: '/rest/api/3/issue' },
    count: ({ emulators }) => rows(emulators.control('atlassian', 'issues')).length,
  },
  {
    provider: 'google',
    feature: 'export',
    action: 'export_meeting',
    target: {},
    writes: { method: 'POST', path: '/upload/drive/v3/files' },
    count: ({ emulators }) => rows(emulators.control('google', 'files')).length,
  },
  {
    provider: 'hubspot',
    feature: 'crm',
    action: 'log_meeting',
    target: {},
    writes: { method: 'POST', path: '/crm/v3/objects/meetings', body: 'hs_timestamp' },
    count: ({ emulators }) => rows(emulators.control('hubspot', 'meetings')).length,
  },
]

suite('actions', () => {
  let lab: IntegrationLab
  let key: TestKey
  let user: TestUser
  let orgId: string
  before(async () => {
    lab = await integrationLab()
    key = await lab.app.apiKey(await lab.app.tenant())
    const orgs = organizationCalls(lab.app)
    // Jobs are due by the clock of the database, too: ours must not be behind.
    lab.advance(600)
    user = await orgs.person(key)
    orgId = (await orgs.create(user)).id
  })
  after(() => lab.close())

  const post = (path: string, body?: object) =>
    lab.app.call({ method: 'POST', url: path, headers: user.headers, ...(body === undefined ? {} : { body }) })

  async function subject(action: string): Promise<Record<string, string>> {
    if (action === 'create_issue') {
      const { body } = await post(`/assistant/v1/orgs/${orgId}/tasks`, {
        title: 'Order the parts',
        description: 'All.',
      })
      return { taskId: body.task.id }
    }
    const { body } = await post('/assistant/v1/meetings', { title: 'Weekly planning' })
    const entries = [{ speaker: 'Ben Example', text: 'We ship on Friday, that is decided.', timestamp: '00:00:01' }]
    await post(`/assistant/v1/meetings/${body.id}/transcript`, { entries })
    return { meetingId: body.id }
  }

  const connected = async ({ provider, feature }: Pick<Case, 'provider' | 'feature'>): Promise<string> => {
    const integration = await connectAccount(lab.app.call, user, { provider, features: [feature] })
    if (integration.status !== 'choosing') return integration.id
    const chosen = await post(`${base}/${integration.id}/account`, { accountId: integration.choices[0].id })
    return chosen.body.integration.id
  }

  const read = async (id: string) => {
    const { body } = await lab.app.call({ url: `${base}/actions/${id}`, headers: user.headers })
    return body.action
  }

  /** Until the action ends, at most for the time that retries take. */
  async function settle(id: string) {
    for (let i = 0; i < 12; i++) {
      await lab.app.settled()
      const action = await read(id)
      if (['done', 'failed', 'cancelled'].includes(action.status)) return action
      lab.advance(40)
    }
    return read(id)
  }

  /** What waits for a dead grant is sent once the account is connected again. */
  async function waitsForItsGrant(
    { provider, feature }: Pick<Case, 'provider' | 'feature'>,
    { id, ask }: { id: string; ask(): Promise<{ body: { action: { id: string } } }> },
  ): Promise<void> {
    lab.emulators.revokeOutside(provider)
    const late = (await ask()).body.action
    await lab.app.settled()
    assert.equal((await read(late.id)).cause, 'REAUTH_REQUIRED')
    await connectAccount(lab.app.call, user, { provider, features: [feature], integrationId: id })
    assert.equal((await settle(late.id)).status, 'done')
  }

  for (const it of cases)
    test(`${it.action} at ${it.provider} happens once, also where the answer is lost`, async () => {
      const id = await connected(it)
      const [first, lost, early] = [await subject(it.action), await subject(it.action), await subject(it.action)]
      const before = it.count(lab)
      const ask = (about: object) => post(`${base}/${id}/actions`, { action: it.action, target: it.target, ...about })
      const asked = await ask(first)
      assert.equal(asked.status, 202, JSON.stringify(asked.body))
      const again = await ask(first)
      assert.equal(again.body.action.id, asked.body.action.id, 'the same is one action')
      const done = await settle(asked.body.action.id)
      assert.deepEqual([done.status, done.cause], ['done', null])
      assert.ok(done.externalId)
      assert.equal(it.count(lab), before + 1)

      lab.emulators.faults.add({ provider: it.provider, ...it.writes, lost: 'after' })
      const uncertain = (await ask(lost)).body.action
      await lab.app.settled()
      assert.equal((await read(uncertain.id)).status, 'uncertain')
      assert.equal((await settle(uncertain.id)).status, 'done')
      assert.equal(it.count(lab), before + 2, 'no double')

      lab.emulators.faults.add({ provider: it.provider, ...it.writes, lost: 'before' })
      const unsent = (await ask(early)).body.action
      assert.equal((await settle(unsent.id)).status, 'done')
      assert.equal(it.count(lab), before + 3, 'nothing is lost')
      await waitsForItsGrant(it, { id, ask: async () => ask(await subject(it.action)) })
      assert.equal(it.count(lab), before + 4)
      user = await loggedIn(lab.app, user)
    })

  test('a channel of Teams that we may not read: a person decides after a lost answer', async () => {
    const id = await connected({ provider: 'microsoft', feature: 'post' })
    const target = { teamId: '02bd9fd6-8f93-4758-87c3-1fb73740a315', channelId: '19:general@thread.tacv2' }
    const ask = async () =>
      post(`${base}/${id}/actions`, { action: 'post_summary', target, ...(await subject('post_summary')) })
    const done = await settle((await ask()).body.action.id)
    assert.equal(done.status, 'done', JSON.stringify(done))
    lab.emulators.faults.add({ provider: 'microsoft', method: 'POST', path: '/messages', lost: 'after' })
    const failed = await settle((await ask()).body.action.id)
    assert.deepEqual([failed.status, failed.cause], ['failed', 'UNKNOWN_OUTCOME'])
    assert.equal(rows(lab.emulators.control('microsoft', 'messages')).length, 2)
    await waitsForItsGrant({ provider: 'microsoft', feature: 'post' }, { id, ask })
  })

  test('a page of Notion is written once, and written anew in place', async () => {
    const id = await connected({ provider: 'notion', feature: 'export' })
    const pages = rows(lab.emulators.control('notion', 'pages'))
    const pageId = String(pages[0]?.['id'])
    const about = await subject('export_meeting')
    const ask = () => post(`${base}/${id}/actions`, { action: 'export_meeting', target: { pageId }, ...about })
    lab.emulators.faults.add({ provider: 'notion', method: 'POST', path: '/v1/pages', lost: 'after' })
    const exported = await settle((await ask()).body.action.id)
    assert.equal(exported.status, 'done', JSON.stringify(exported))
    const rewritten = await settle((await ask()).body.action.id)
    assert.deepEqual(
      [rewritten.action, rewritten.status, rewritten.externalId],
      ['update_export', 'done', exported.externalId],
    )
    assert.equal(rows(lab.emulators.control('notion', 'pages')).length, pages.length + 1)
    const another = await subject('export_meeting')
    const askAnother = () => post(`${base}/${id}/actions`, { action: 'export_meeting', target: { pageId }, ...another })
    await waitsForItsGrant({ provider: 'notion', feature: 'export' }, { id, ask: askAnother })
  })

  test('429 holds up that account, and what waits for a dead grant goes on after it was connected again', async () => {
    const id = await connected({ provider: 'slack', feature: 'post' })
    const target = { channelId: 'C0GENERAL' }
    const ask = async () =>
      post(`${base}/${id}/actions`, { action: 'post_summary', target, ...(await subject('post_summary')) })
    const held = (await ask()).body.action
    lab.emulators.faults.add({
      provider: 'slack',
      path: 'chat.postMessage',
      status: 429,
      headers: { 'retry-after': '120' },
    })
    await lab.app.settled()
    const waiting = await read(held.id)
    assert.equal(waiting.status, 'queued', JSON.stringify(waiting))
    assert.equal(Date.parse(waiting.nextTryAt) - lab.app.clock.now().getTime(), 120_000)
    assert.equal((await settle(held.id)).status, 'done')
    const late = (await ask()).body.action
    lab.emulators.revokeOutside('slack')
    await lab.app.settled()
    assert.equal((await read(late.id)).cause, 'REAUTH_REQUIRED')
    assert.equal((await ask()).body.code, 'REAUTH_REQUIRED', 'a person is told at once')
    await connectAccount(lab.app.call, user, { provider: 'slack', features: ['post'], integrationId: id })
    assert.equal((await settle(late.id)).status, 'done')
  })

  test('what waits for a dead grant fails after seven days, and a person can have it sent after that', async () => {
    const id = await connected({ provider: 'slack', feature: 'post' })
    const before = cases[0]?.count(lab) ?? 0
    lab.emulators.revokeOutside('slack')
    const about = await subject('post_summary')
    const body = { action: 'post_summary', target: { channelId: 'C0GENERAL' }, ...about }
    const { action } = (await post(`${base}/${id}/actions`, body)).body
    const after = async (seconds: number) => {
      lab.advance(seconds)
      user = await loggedIn(lab.app, user)
      await lab.app.settled()
      const { status, cause } = await read(action.id)
      return [status, cause]
    }
    const day = 86_400
    assert.deepEqual(await after(0), ['queued', 'REAUTH_REQUIRED'])
    assert.deepEqual(await after(7 * day - 60), ['queued', 'REAUTH_REQUIRED'])
    assert.deepEqual(await after(120), ['failed', 'REAUTH_REQUIRED'])
    await connectAccount(lab.app.call, user, { provider: 'slack', features: ['post'], integrationId: id })
    assert.deepEqual(await after(0), ['failed', 'REAUTH_REQUIRED'])
    assert.equal(cases[0]?.count(lab), before)
    assert.equal((await post(`${base}/actions/${action.id}/retry`)).status, 200)
    assert.equal((await settle(action.id)).status, 'done')
    assert.equal(cases[0]?.count(lab), before + 1)
  })

  test('a failed action is tried again by a person, and one that waits is cancelled: then nothing is written', async () => {
    const id = await connected({ provider: 'slack', feature: 'post' })
    const before = cases[0]?.count(lab) ?? 0
    const ask = async () => {
      const about = await subject('post_summary')
      return (
        await post(`${base}/${id}/actions`, { action: 'post_summary', target: { channelId: 'C0GENERAL' }, ...about })
      ).body.action
    }
    const change = (action: { id: string }, verb: string) => post(`${base}/actions/${action.id}/${verb}`)
    const refused = { provider: 'slack', path: 'chat.postMessage', status: 200 } as const
    lab.emulators.faults.add({ ...refused, answer: { ok: false, error: 'channel_not_found' } })
    const failed = await settle((await ask()).id)
    assert.equal(failed.status, 'failed', JSON.stringify(failed))
    assert.equal((await change(failed, 'cancel')).status, 409)
    assert.equal((await change(failed, 'retry')).status, 200)
    assert.equal((await change(failed, 'retry')).status, 409, 'once')
    assert.equal((await settle(failed.id)).status, 'done')
    assert.equal(cases[0]?.count(lab), before + 1)

    lab.emulators.faults.add({ ...refused, status: 429, headers: { 'retry-after': '60' } })
    const waiting = await ask()
    await lab.app.settled()
    const other = await lab.app.user(key)
    const foreign = await lab.app.call({
      method: 'POST',
      url: `${base}/actions/${waiting.id}/cancel`,
      headers: other.headers,
    })
    assert.equal(foreign.status, 404)
    assert.equal((await change(waiting, 'cancel')).status, 200)
    lab.advance(3600)
    user = await loggedIn(lab.app, user)
    assert.equal((await settle(waiting.id)).status, 'cancelled')
    assert.equal(cases[0]?.count(lab), before + 1)
    assert.equal((await change(waiting, 'retry')).status, 409)
  })

  test('a search for a marker waits 30 s, so that a request that arrives late is not doubled', async () => {
    const id = await connected({ provider: 'notion', feature: 'export' })
    const pages = rows(lab.emulators.control('notion', 'pages'))
    const target = { pageId: String(pages[0]?.['id']) }
    const about = await subject('export_meeting')
    lab.emulators.faults.add({ provider: 'notion', method: 'POST', path: '/v1/pages', lost: 'after' })
    const { action } = (await post(`${base}/${id}/actions`, { action: 'export_meeting', target, ...about })).body
    await lab.app.settled()
    const searches = () => lab.emulators.journal.entries({ method: 'POST', path: '/v1/search' }).length
    lab.emulators.journal.clear()
    lab.advance(25)
    await lab.app.settled()
    assert.deepEqual([searches(), (await read(action.id)).status], [0, 'uncertain'])
    lab.advance(10)
    await lab.app.settled()
    assert.deepEqual([searches(), (await read(action.id)).status], [1, 'done'])
    assert.equal(rows(lab.emulators.control('notion', 'pages')).length, pages.length + 1)
  })

  test('an issue that somebody changes before we look for it is found all the same', async () => {
    const id = await connected({ provider: 'atlassian', feature: 'tasks' })
    const issues = () => rows(lab.emulators.control('atlassian', 'issues'))
    const before = issues().length
    lab.emulators.faults.add({ provider: 'atlassian', method: 'POST', path: '/rest/api/3/issue', lost: 'after' })
    const body = { action: 'create_issue', target: { projectId: '10000' }, ...(await subject('create_issue')) }
    const { action } = (await post(`${base}/${id}/actions`, body)).body
    await lab.app.settled()
    lab.advance(30)
    lab.emulators.control('atlassian', 'editIssue', { key: issues().at(-1)?.['key'], transition: '31' })
    assert.equal((await settle(action.id)).status, 'done')
    assert.equal(issues().length, before + 1)
  })

  test('an issue is found among the very many that others have made meanwhile', async () => {
    const id = await connected({ provider: 'github', feature: 'tasks' })
    const repository = 'example/website'
    const body = { action: 'create_issue', target: { repository }, ...(await subject('create_issue')) }
    lab.emulators.faults.add({ provider: 'github', method: 'POST', path: '/issues', lost: 'after' })
    const { action } = (await post(`${base}/${id}/actions`, body)).body
    await lab.app.settled()
    for (let i = 0; i < 101; i++) lab.emulators.control('github', 'createIssue', { repository, title: `Other ${i}` })
    assert.equal((await settle(action.id)).status, 'done')
    const ours = rows(lab.emulators.control('github', 'issues', { repository }))
    assert.equal(ours.filter((it) => JSON.stringify(it).includes(action.id)).length, 1)
  })

  test('an export that is asked for again while one is written is written once more, with the new words', async () => {
    const id = await connected({ provider: 'notion', feature: 'export' })
    const target = { pageId: String(rows(lab.emulators.control('notion', 'pages'))[0]?.['id']) }
    const about = await subject('export_meeting')
    const ask = async () =>
      (await post(`${base}/${id}/actions`, { action: 'export_meeting', target, ...about })).body.action
    await settle((await ask()).id)
    const first = await ask()
    lab.emulators.journal.clear()
    const hasBegun = () => lab.emulators.journal.entries({ method: 'PATCH', path: '/v1/pages/' }).length > 0
    // It is asked for again while the first rewriting has read the words, and not yet written them.
    lab.emulators.faults.add({ provider: 'notion', method: 'PATCH', path: '/children', delayMs: 400 })
    const writing = lab.app.settled()
    while (!hasBegun()) await new Promise((resolve) => setImmediate(resolve))
    assert.equal((await read(first.id)).status, 'sending')
    const entries = [
      { speaker: 'Ben Example', text: 'We decided to order forty lamps by Monday.', timestamp: '00:00:30' },
    ]
    await post(`/assistant/v1/meetings/${about['meetingId']}/transcript`, { entries })
    const again = await ask()
    await writing
    assert.equal((await settle(again.id)).status, 'done')
    const page = rows(lab.emulators.control('notion', 'pages')).at(-1)
    assert.match(JSON.stringify(page), /forty lamps/)
  })
})
