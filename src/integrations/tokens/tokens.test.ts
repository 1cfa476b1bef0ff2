import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type TestApp, type TestUser, testApp } from '../../../test/harness/app.ts'
import {
  integrationsBase as base,
  connectAccount,
  emulatorSettings,
  type IntegrationLab,
  integrationLab,
  loggedIn,
} from '../../../test/harness/integrations.ts'
import { providerNames } from '../../providers/provider.ts'
import { featuresOf, providers } from '../../providers/provider-table.ts'

suite('tokens of integrations', () => {
  let lab: IntegrationLab
  let nodes: TestApp[]
  let user: TestUser
  before(async () => {
    lab = await integrationLab()
    const twin = () => testApp({ integrations: emulatorSettings(lab.emulators), clock: lab.app.clock })
    nodes = [lab.app, await twin(), await twin()]
    user = await lab.app.user(await lab.app.apiKey(await lab.app.tenant()))
    for (const provider of providerNames) lab.emulators.setExpiringTokens(provider, true)
  })
  after(() => lab.close())

  const check = (node: TestApp, id: string, verb = 'test') =>
    node.call({ method: 'POST', url: `${base}/${id}/${verb}`, headers: user.headers })
  const connect = (provider: (typeof providerNames)[number]) =>
    connectAccount(lab.app.call, user, { provider, features: featuresOf(providers[provider]) })
  const tokenRequests = () => lab.emulators.journal.entries({ method: 'POST', path: 'token' }).length
  const pass = async (seconds: number) => {
    lab.advance(seconds)
    user = await loggedIn(lab.app, user)
  }

  test('fifty callers on three nodes at an expired token make one token request', async () => {
    for (const provider of ['zoom', 'google', 'linear'] as const) {
      const { id } = await connect(provider)
      await pass(26 * 3600)
      lab.emulators.journal.clear()
      const asked = await Promise.all(Array.from({ length: 50 }, (_, i) => check(nodes[i % 3] as TestApp, id)))
      assert.deepEqual(
        asked.filter(({ body }) => body.result?.ok !== true).map(({ body }) => body),
        [],
      )
      assert.equal(tokenRequests(), 1, provider)
    }
  })

  test('an unreachable provider, its errors and a wrong secret of ours end no grant', async () => {
    const { id } = await connect('hubspot')
    await pass(3600)
    for (const fault of [
      { status: 503, answer: {} },
      { lost: 'before' as const },
      { status: 400, answer: { error: 'invalid_client' } },
    ]) {
      lab.emulators.faults.add({ provider: 'hubspot', path: '/oauth/2026-03/token', ...fault })
      const { status, body } = await check(lab.app, id)
      assert.equal(status, 200)
      assert.equal(body.result.ok, false, JSON.stringify(body.result))
      assert.equal(body.integration.status, 'active')
    }
    assert.equal((await check(lab.app, id)).body.result.ok, true)
  })

  test('Atlassian: access_denied is our wrong secret, and unauthorized_client a dead grant', async () => {
    let integration = await connect('atlassian')
    if (integration.status === 'choosing')
      integration = (
        await lab.app.call({
          method: 'POST',
          url: `${base}/${integration.id}/account`,
          headers: user.headers,
          body: { accountId: integration.choices[0].id },
        })
      ).body.integration
    const refresh = async (status: number, error: string) => {
      lab.emulators.faults.add({ provider: 'atlassian', path: '/oauth/token', status, answer: { error } })
      return (await check(lab.app, integration.id, 'refresh')).body
    }
    const denied = await refresh(401, 'access_denied')
    assert.deepEqual([denied.result.cause, denied.integration.status], ['APP_REFUSED', 'active'])
    const dead = await refresh(403, 'unauthorized_client')
    assert.deepEqual([dead.result.cause, dead.integration.status], ['REAUTH_REQUIRED', 'reauth_required'])
    lab.emulators.journal.clear()
    assert.equal((await check(lab.app, integration.id)).body.result.cause, 'REAUTH_REQUIRED')
    assert.deepEqual(lab.emulators.journal.entries(), [], 'a dead grant is not asked with')
  })

  test('a refresh whose answer is lost heals where the provider has a grace window, and is over elsewhere', async () => {
    for (const provider of ['linear', 'zoom'] as const) {
      const { id } = await connect(provider)
      await pass(26 * 3600)
      lab.emulators.journal.clear()
      lab.emulators.faults.add({ provider, method: 'POST', path: '/oauth/token', lost: 'after' })
      assert.equal((await check(lab.app, id)).body.result.ok, false)
      const { result, integration } = (await check(lab.app, id)).body
      const isHealed = providers[provider].token.hasGrace
      assert.deepEqual([result.ok, integration.status], [isHealed, isHealed ? 'active' : 'reauth_required'], provider)
      assert.ok(tokenRequests() <= 2, 'no loop')
      await check(lab.app, id)
      assert.ok(tokenRequests() <= 2, 'no loop')
    }
  })

  test('a connection is lost to nobody when its app gets another client id', async () => {
    const { id } = await connect('notion')
    const key = await lab.app.call({
      method: 'PUT',
      url: '/admin/integrations/apps/notion',
      headers: lab.app.admin,
      body: { clientId: 'another', clientSecret: 'another-secret-of-notion' },
    })
    assert.equal(key.status, 200, JSON.stringify(key.body))
    assert.ok(!JSON.stringify(key.body).includes('another-secret'))
    const read = await lab.app.call({ url: `${base}/${id}`, headers: user.headers })
    assert.deepEqual([read.body.integration.status, read.body.integration.cause], ['reauth_required', 'APP_CHANGED'])
    const url = '/admin/integrations/apps/notion'
    assert.equal((await lab.app.call({ method: 'DELETE', url, headers: lab.app.admin })).status, 204)
    assert.equal((await lab.app.call({ method: 'DELETE', url, headers: lab.app.admin })).status, 404)
  })

  test('grants go back when their user, organization or tenant goes', async () => {
    const tenant = await lab.app.tenant()
    const key = await lab.app.apiKey(tenant)
    const other = await lab.app.user(key)
    await connectAccount(lab.app.call, other, { provider: 'slack', features: ['post'] })
    const before = lab.emulators.grants('slack').length
    await lab.app.call({ method: 'DELETE', url: `/admin/users/${other.id}`, headers: lab.app.admin })
    await lab.app.settled()
    assert.equal(lab.emulators.grants('slack').length, before - 1)
    const last = await lab.app.user(key)
    await connectAccount(lab.app.call, last, { provider: 'zoom', features: ['transcripts'] })
    const zooms = lab.emulators.grants('zoom').length
    await lab.app.call({
      method: 'PATCH',
      url: `/admin/tenants/${tenant.id}`,
      headers: lab.app.admin,
      body: { status: 'SUSPENDED' },
    })
    const erased = await lab.app.call({
      method: 'POST',
      url: `/admin/tenants/${tenant.id}/erase`,
      headers: lab.app.admin,
      body: { confirm: tenant.slug },
    })
    assert.equal(erased.status, 200, JSON.stringify(erased.body))
    await lab.app.settled()
    assert.equal(lab.emulators.grants('zoom').length, zooms - 1)
  })
})
