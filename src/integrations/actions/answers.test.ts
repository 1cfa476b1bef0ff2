import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { TestKey, TestUser } from '../../../test/harness/app.ts'
import { effectsOver } from '../../../test/harness/inbound-effects.ts'
import {
  integrationsBase as base,
  connectAccount,
  type IntegrationLab,
  integrationLab,
} from '../../../test/harness/integrations.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { jsonPayload } from '../../../test/harness/payloads.ts'

type Said = { ts: string; thread_ts?: string; text: string; bot_id?: string }

const question = 'What is the budget of the venue?'
const answerText = /budget of the venue is 4000 euros/

suite('answers to questions from a chat', () => {
  let lab: IntegrationLab
  before(async () => {
    lab = await integrationLab()
    // Jobs are due by the clock of the database, too: ours must not be behind.
    lab.advance(600)
  })
  after(() => lab.close())

  /** A tenant with an organization, a meeting that all its members may read, and Ada, who is an ADMIN of the tenant. */
  async function customer() {
    const key: TestKey = await lab.app.apiKey(await lab.app.tenant())
    const orgs = organizationCalls(lab.app)
    const ada: TestUser = await orgs.verified(await lab.app.user(key, { email: 'ada@example.com' }))
    await lab.app.promote(ada)
    const orgId: string = (await orgs.create(ada)).id
    const call = (method: string, url: string, body?: object) =>
      lab.app.call({ method, url, headers: ada.headers, ...(body === undefined ? {} : { body }) })
    /** Slack sends what is said to a connection of the tenant. */
    async function hear(of: { orgId?: string }) {
      const secret = 'signing-secret-of-the-slack-app'
      const made = await call('POST', '/assistant/v1/webhooks/connections', {
        scheme: 'slack',
        name: 'Chat',
        secret,
        ...of,
      })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      lab.emulators.control('slack', 'setEventsUrl', {
        url: `https://atrium.example.com${made.body.connection.path}`,
        secret,
      })
    }
    const meeting = async (more: object) => {
      const transcript = [said('We decided that the budget of the venue is 4000 euros.')]
      await meetingCalls(lab.app).create(ada, { title: 'Planning', transcript, ...more })
      // Then what was said is found.
      lab.advance(60)
      await lab.app.settled()
    }
    const connect = (provider: string, more: object = {}) =>
      connectAccount(lab.app.call, ada, { provider, features: ['answer'], orgId, ...more })
    const otherOrg = async (): Promise<string> => (await orgs.create(ada)).id
    const actions = async () => (await call('GET', `${base}/actions?orgId=${orgId}`)).body.actions
    const answers = async () => (await call('GET', '/assistant/v1/answers')).body.answers
    return { key, ada, orgId, hear, meeting, connect, otherOrg, actions, answers }
  }

  async function ask(channel: string, user = 'U0ADA'): Promise<Said> {
    lab.advance(1)
    const message = lab.emulators.control('slack', 'mention', { channel, user, text: question }) as Said
    await settle()
    return message
  }

  async function settle(): Promise<void> {
    await lab.emulators.deliveries.settle()
    await lab.app.settled()
  }

  const replies = (channel: string, { ts }: Said) =>
    (lab.emulators.control('slack', 'messages', { channel }) as Said[]).filter((it) => it.thread_ts === ts)

  test('a question in a channel is answered in its thread, once, also where the answer of Slack is lost', async () => {
    const at = await customer()
    await at.hear({ orgId: at.orgId })
    await at.meeting({ orgId: at.orgId, visibility: 'org' })
    await at.connect('slack')
    const first = await ask('C0GENERAL')
    assert.equal(replies('C0GENERAL', first).length, 1)
    assert.match(replies('C0GENERAL', first)[0]?.text ?? '', answerText)
    const [sent] = await at.answers()
    assert.deepEqual([sent.status, sent.waitingFor], ['sent', null])

    lab.emulators.faults.add({ provider: 'slack', method: 'POST', path: 'chat.postMessage', lost: 'after' })
    const second = await ask('C0GENERAL')
    assert.equal((await at.actions())[0].status, 'uncertain')
    for (let i = 0; i < 3; i++) {
      lab.advance(40)
      await lab.app.settled()
    }
    const [action] = await at.actions()
    assert.deepEqual([action.status, action.action, action.subject.type], ['done', 'send_answer', 'answer'])
    assert.equal(replies('C0GENERAL', second).length, 1, 'no double')
    assert.equal((await at.answers())[0].status, 'sent')
  })

  test('what was asked before an account was connected is answered then, and not where nobody allowed it', async () => {
    const at = await customer()
    await at.hear({ orgId: at.orgId })
    await at.meeting({ orgId: at.orgId, visibility: 'org' })
    const asked = await ask('C0SECOND')
    // Another organization's account of the same workspace is not meant.
    await at.connect('slack', { orgId: await at.otherOrg() })
    await (await customer()).connect('slack')
    await lab.app.settled()
    assert.equal(replies('C0SECOND', asked).length, 0)
    const { id } = await at.connect('slack')
    await lab.app.settled()
    assert.equal(replies('C0SECOND', asked).length, 1)

    const turn = async (status: 'on' | 'off') => {
      const change = { method: 'PATCH', url: `${base}/${id}`, body: { features: [{ name: 'answer', status }] } }
      assert.equal((await lab.app.call({ ...change, headers: at.ada.headers })).status, 200)
      await settle()
    }
    await turn('off')
    const later = await ask('C0SECOND')
    assert.equal(replies('C0SECOND', later).length, 0, 'nobody may answer')
    await turn('on')
    assert.equal(replies('C0SECOND', later).length, 1)
  })

  test('what is theirs is said to people alone, whose address is confirmed here and at Slack', async () => {
    const at = await customer()
    await at.hear({})
    await at.meeting({})
    await at.connect('slack')
    await lab.app.user(at.key, { email: 'ben@example.com' })
    const [own, foreign, open] = [await ask('D0ADA'), await ask('D0BEN', 'U0BEN'), await ask('C0GENERAL')]
    assert.match(replies('D0ADA', own)[0]?.text ?? '', answerText)
    assert.equal(replies('D0BEN', foreign).length, 0, 'his address is not confirmed here')
    assert.equal(replies('C0GENERAL', open).length, 0, 'others would read it')
    const waiting = (await at.answers()).map(({ waitingFor }: { waitingFor: string }) => waitingFor)
    assert.deepEqual(waiting, ['user', 'user', null])
  })

  test('questions in a channel or a group chat of Teams are answered there; nobody can answer in the chat of an app', async () => {
    const at = await customer()
    await at.meeting({ orgId: at.orgId, visibility: 'org' })
    await at.connect('microsoft')
    const effects = effectsOver(lab.app)
    const team = '02bd9fd6-8f93-4758-87c3-1fb73740a315'
    const asked = async (conversation: object, more: object = {}) => {
      const payload = { ...jsonPayload('teams-message'), ...more }
      payload.conversation = { ...payload.conversation, ...conversation }
      payload.channelData = { ...payload.channelData, team: { aadGroupId: team } }
      payload.text = `<at>Atrium</at> ${question}`
      const { orgId } = at
      lab.advance(1)
      await effects.process({ id: at.key.tenantId }, { scheme: 'bot-framework', channel: 'collab', payload, orgId })
      await lab.app.settled()
    }
    await asked({}, { id: '1782813600124' })
    await asked({ conversationType: 'groupChat', id: '19:of-three@thread.v2' }, { id: '1782813600125' })
    await asked({ conversationType: 'personal', id: 'a:1x' }, { id: '1782813600126' })
    type Message = { replyToId: string | null; channelIdentity: { channelId: string }; body: { content: string } }
    const messages = lab.emulators.control('microsoft', 'messages') as Message[]
    assert.deepEqual(
      messages.map((it) => [it.channelIdentity.channelId, it.replyToId, answerText.test(it.body.content)]),
      [
        ['19:c4bd98b2ad3a4e8f9b3ff5a3cd0b4b6e@thread.tacv2', '1782813600123', true],
        ['19:of-three@thread.v2', null, true],
      ],
    )
    const statuses = (await at.answers()).map(({ status }: { status: string }) => status)
    assert.deepEqual(statuses, ['pending', 'sent', 'sent'])
  })
})
