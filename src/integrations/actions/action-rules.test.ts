import assert from 'node:assert/strict'
import { after, before as beforeAll, suite, test } from 'node:test'
import type { TestUser } from '../../../test/harness/app.ts'
import {
  integrationsBase as base,
  connectAccount,
  type IntegrationLab,
  integrationLab,
} from '../../../test/harness/integrations.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'

const rows = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value : (Object.values((value ?? {}) as object).find(Array.isArray) ?? [])

const notionTarget = ({ emulators }: IntegrationLab) => ({
  pageId: String(rows(emulators.control('notion', 'pages'))[0]?.['id']),
})

suite('rules of organizations', () => {
  let lab: IntegrationLab
  let user: TestUser
  let orgId: string
  beforeAll(async () => {
    lab = await integrationLab()
    const orgs = organizationCalls(lab.app)
    // Jobs are due by the clock of the database, too: ours must not be behind.
    lab.advance(600)
    user = await orgs.person(await lab.app.apiKey(await lab.app.tenant()))
    orgId = (await orgs.create(user)).id
  })
  after(() => lab.close())

  const post = (path: string, body?: object) =>
    lab.app.call({ method: 'POST', url: path, headers: user.headers, ...(body === undefined ? {} : { body }) })
  const posted = () => rows(lab.emulators.control('slack', 'messages', { channel: 'C0GENERAL' })).length

  async function makeMeeting(): Promise<{ meetingId: string }> {
    const { body } = await post('/assistant/v1/meetings', { title: 'Weekly planning' })
    const entries = [{ speaker: 'Ben Example', text: 'We ship on Friday, that is decided.', timestamp: '00:00:01' }]
    await post(`/assistant/v1/meetings/${body.id}/transcript`, { entries })
    return { meetingId: body.id }
  }

  test('a rule of an organization writes by itself, and nothing else does', async () => {
    const slack = await connectAccount(lab.app.call, user, { provider: 'slack', features: ['post'], orgId })
    const change = (settings: object) =>
      lab.app.call({
        method: 'PATCH',
        url: `${base}/${slack.id}`,
        headers: user.headers,
        body: { features: [{ name: 'post', settings }] },
      })
    const before = posted()
    const complete = async () => {
      const { meetingId } = await makeMeeting()
      const shared = await lab.app.call({
        method: 'PATCH',
        url: `/assistant/v1/meetings/${meetingId}`,
        headers: user.headers,
        body: { orgId, visibility: 'org' },
      })
      assert.equal(shared.status, 200, JSON.stringify(shared.body))
      const ended = await post(`/assistant/v1/meetings/${meetingId}/end`)
      assert.equal(ended.status, 200, JSON.stringify(ended.body))
      await lab.app.settled()
    }
    await complete()
    assert.equal(posted(), before)
    assert.equal((await change({ when: 'sometimes' })).status, 400)
    assert.equal((await change({ channel: 'C1' })).status, 400)
    assert.equal((await change({ when: 'completed', target: { channelId: '../x' } })).status, 400)
    assert.equal((await change({ when: 'completed', target: { channelId: 'C0GENERAL' } })).status, 200)
    await complete()
    assert.equal(posted(), before + 1)
  })

  test('the page of an ended meeting follows its title and its words, where a rule has written it', async () => {
    const notion = await connectAccount(lab.app.call, user, { provider: 'notion', features: ['export'], orgId })
    const pageId = String(rows(lab.emulators.control('notion', 'pages'))[0]?.['id'])
    const call = (method: string, url: string, body: object | Buffer, headers = {}) =>
      lab.app.call({ method, url, headers: { ...user.headers, ...headers }, body })
    const rule = (when: string) =>
      call('PATCH', `${base}/${notion.id}`, { features: [{ name: 'export', settings: { when, target: { pageId } } }] })
    assert.equal((await rule('completed')).status, 200)
    const { meetingId } = await makeMeeting()
    const meeting = `/assistant/v1/meetings/${meetingId}`
    await call('PATCH', meeting, { orgId, visibility: 'org' })
    await post(`${meeting}/end`)
    await lab.app.settled()
    const page = () => JSON.stringify(rows(lab.emulators.control('notion', 'pages')).at(-1))
    const count = rows(lab.emulators.control('notion', 'pages')).length
    assert.match(page(), /Weekly planning/)

    await call('PATCH', meeting, { title: 'Launch of the zeppelin' })
    await lab.app.settled()
    assert.match(page(), /Launch of the zeppelin/)
    const vtt = 'WEBVTT\n\n00:00:05.000 --> 00:00:09.000\n<v Ada>We decided to paint the zeppelin in bright orange.\n'
    const added = await call('POST', `${meeting}/transcript/import`, Buffer.from(vtt), { 'content-type': 'text/vtt' })
    assert.equal(added.status, 200, JSON.stringify(added.body))
    await lab.app.settled()
    assert.match(page(), /bright orange/)
    assert.equal(rows(lab.emulators.control('notion', 'pages')).length, count, 'in place')

    await rule('manual')
    await call('PATCH', meeting, { title: 'Something else' })
    await lab.app.settled()
    assert.match(page(), /Launch of the zeppelin/)
  })

  for (const { provider, list, target, writes } of [
    { provider: 'notion', list: 'pages', target: notionTarget, writes: { method: 'POST', path: '/v1/pages' } },
    { provider: 'google', list: 'files', target: () => ({}), writes: { method: 'POST', path: '/drive/v3/files' } },
  ] as const)
    test(`what was exported to ${provider} is there once and with the new title, also if the meeting was renamed before its answer was lost`, async () => {
      const integration = await connectAccount(lab.app.call, user, { provider, features: ['export'], orgId })
      const patch = (url: string, body: object) => lab.app.call({ method: 'PATCH', url, headers: user.headers, body })
      const settings = { when: 'completed', target: target(lab) }
      await patch(`${base}/${integration.id}`, { features: [{ name: 'export', settings }] })
      const all = () => rows(lab.emulators.control(provider, list))
      const before = all().length
      const { meetingId } = await makeMeeting()
      const meeting = `/assistant/v1/meetings/${meetingId}`
      await patch(meeting, { orgId, visibility: 'org', title: 'Plans of spring' })
      lab.emulators.faults.add({ provider, ...writes, lost: 'after' })
      await post(`${meeting}/end`)
      await lab.app.settled()
      assert.equal(all().length, before + 1)
      await patch(meeting, { title: 'Plans of autumn' })
      for (let i = 0; i < 4; i++) {
        await lab.app.settled()
        lab.advance(30)
      }
      assert.equal(all().length, before + 1, 'no double')
      const shown = JSON.stringify(all().at(-1))
      assert.match(shown, /Plans of autumn/)
      assert.doesNotMatch(shown, /Plans of spring/)
      await patch(`${base}/${integration.id}`, { features: [{ name: 'export', settings: { when: 'manual' } }] })
    })
})
