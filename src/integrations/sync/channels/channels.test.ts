import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestUser } from '../../../../test/harness/app.ts'
import {
  integrationsBase as base,
  connectAccount,
  type IntegrationLab,
  integrationLab,
  loggedIn,
} from '../../../../test/harness/integrations.ts'

type Shown = { id: string; url: string; endsAt: number }

let lab: IntegrationLab
before(async () => {
  lab = await integrationLab({}, { isListening: true })
})
after(() => lab.close())

const hour = 3_600
const later = (hours: number) => new Date(lab.app.clock.now().getTime() + hours * hour * 1000).toISOString()

/** What the provider would tell, by the tests' own clock. */
function channels(provider: 'google' | 'microsoft'): Shown[] {
  if (provider === 'google') {
    const found = lab.emulators.control('google', 'channels', {}) as {
      id: string
      address: string
      expiresAt: number
    }[]
    return found.map(({ id, address, expiresAt }) => ({ id, url: address, endsAt: expiresAt }))
  }
  type Subscription = { id: string; notificationUrl: string; expirationDateTime: string }
  const found = lab.emulators.control('microsoft', 'subscriptions', {}) as Subscription[]
  return found.map((it) => ({ id: it.id, url: it.notificationUrl, endsAt: Date.parse(it.expirationDateTime) }))
}

async function titles(user: TestUser): Promise<string[]> {
  const { body } = await lab.app.call({ url: '/assistant/v1/meetings?limit=100', headers: user.headers })
  return body.meetings.map(({ title }: { title: string }) => title)
}

async function poll(): Promise<void> {
  await lab.app.app.housekeep('integrations.calendars.poll')
  await lab.app.settled()
}

for (const provider of ['google', 'microsoft'] as const)
  test(`${provider}: a channel tells of changes at once, is renewed at half of its life, and is withdrawn in the end`, async () => {
    let user = await lab.app.user(await lab.app.apiKey(await lab.app.tenant()))
    const { id } = await connectAccount(lab.app.call, user, { provider, features: ['calendar'] })
    await lab.app.settled()
    const [first, ...others] = channels(provider)
    assert.ok(first !== undefined && others.length === 0)

    const title = `told by ${provider}`
    lab.emulators.journal.clear()
    lab.emulators.control(provider, 'createEvent', { id: title, title, start: later(24), end: later(25) })
    for (const change of ['moved', 'moved again'])
      lab.emulators.control(provider, 'editEvent', { id: title, title, start: later(25), end: later(26), note: change })
    await lab.emulators.deliveries.settle()
    await lab.app.settled()
    lab.advance(5)
    await lab.app.settled()
    const path = provider === 'google' ? '/events' : '/calendarView'
    assert.equal(lab.emulators.journal.entries({ method: 'GET', path }).length, 1, 'three messages, one reading')
    assert.deepEqual(
      (await titles(user)).filter((it) => it === title),
      [title],
    )

    const forged = provider === 'google' ? { 'x-goog-channel-token': 'guess', 'x-goog-channel-id': 'a' } : {}
    const body =
      provider === 'google' ? '' : JSON.stringify({ value: [{ subscriptionId: first.id, clientState: 'guess' }] })
    const headers = { 'content-type': 'application/json', ...forged }
    assert.equal((await fetch(first.url, { method: 'POST', headers, body })).status, 401)

    const life = (first.endsAt - lab.app.clock.now().getTime()) / 1000
    lab.advance(life / 2 - 2 * hour)
    await poll()
    assert.deepEqual(channels(provider), [first], 'not before half of its life')
    lab.advance(3 * hour)
    await poll()
    const [renewed, ...more] = channels(provider)
    assert.deepEqual(more, [], 'one at a time')
    assert.ok(renewed !== undefined && renewed.endsAt > first.endsAt)
    assert.equal(renewed.url, first.url, 'the same inbound webhook')

    user = await loggedIn(lab.app, user)
    await lab.app.call({ method: 'DELETE', url: `${base}/${id}`, headers: user.headers })
    await lab.app.settled()
    assert.deepEqual(channels(provider), [])
    assert.equal((await fetch(first.url, { method: 'POST', headers, body })).status, 401)
  })
