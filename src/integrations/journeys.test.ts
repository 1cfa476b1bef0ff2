import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, type TestUser, testApp } from '../../test/harness/app.ts'
import { auditOfTarget } from '../../test/harness/audit-log.ts'
import { askedEffects, foundWith } from '../../test/harness/integration-effects.ts'
import {
  integrationsBase as base,
  connectAccount,
  emulatorSettings,
  type IntegrationLab,
  integrationLab,
  loggedIn,
} from '../../test/harness/integrations.ts'
import { organizationCalls } from '../../test/harness/organizations.ts'
import { type ProviderName, providerNames } from '../providers/provider.ts'
import { featuresOf, providers } from '../providers/provider-table.ts'

let lab: IntegrationLab
let user: TestUser
let orgId: string
let nodes: TestApp[]
let turn = 0
before(async () => {
  lab = await integrationLab()
  const twin = () => testApp({ integrations: emulatorSettings(lab.emulators), clock: lab.app.clock })
  nodes = [lab.app, await twin(), await twin()]
  // Jobs are due by the clock of the database, too: ours must not be behind.
  lab.advance(600)
  const orgs = organizationCalls(lab.app)
  user = await orgs.person(await lab.app.apiKey(await lab.app.tenant()))
  orgId = (await orgs.create(user)).id
})
after(() => lab.close())

/** Each request reaches another node. */
const call: TestApp['call'] = (request) => {
  turn += 1
  return (nodes[turn % nodes.length] as TestApp).call(request)
}

const post = (id: string, verb: string) => call({ method: 'POST', url: `${base}/${id}/${verb}`, headers: user.headers })

const create = async (url: string, body: object) =>
  (await call({ method: 'POST', url, headers: user.headers, body })).body

/** What an action is about. */
async function subject(kind: 'meeting' | 'task', title: string): Promise<object> {
  if (kind === 'task')
    return { taskId: (await create(`/assistant/v1/orgs/${orgId}/tasks`, { title, description: 'All.' })).task.id }
  const { id } = await create('/assistant/v1/meetings', { title })
  const entries = [{ speaker: 'Ben Example', text: 'We ship on Friday, that is decided.', timestamp: '00:00:01' }]
  await create(`/assistant/v1/meetings/${id}/transcript`, { entries })
  return { meetingId: id }
}

/** Asks the provider of a connection for something, if it writes anything at all. Returns what became of it, each time it is asked. */
async function startAction(id: string, provider: ProviderName) {
  const effect = askedEffects.find((it) => it.provider === provider)
  if (effect === undefined) return null
  const title = `A journey to ${provider}`
  const about = await subject(effect.subject, title)
  const body = { action: effect.action, target: effect.target(lab.emulators), ...about }
  const { action } = await create(`${base}/${id}/actions`, body)
  return async () => {
    for (const node of nodes) await node.settled()
    const { status, cause } = (await call({ url: `${base}/actions/${action.id}`, headers: user.headers })).body.action
    return [status, cause, foundWith(lab.emulators, effect, title).length]
  }
}

/** Time passes, and the user logs in again. */
async function pass(seconds: number): Promise<void> {
  lab.advance(seconds)
  user = await loggedIn({ call }, user)
}

describe('a connection on three nodes from its beginning to its end', () => {
  for (const provider of providerNames)
    test(provider, async () => {
      const row = providers[provider]
      const features = featuresOf(row)
      // With tokens that end, where the provider has both.
      lab.emulators.setExpiringTokens(provider, true)
      let integration = await connectAccount(call, user, { provider, features })
      if (integration.status === 'choosing') {
        const [first] = integration.choices
        const chosen = await call({
          method: 'POST',
          url: `${base}/${integration.id}/account`,
          headers: user.headers,
          body: { accountId: first.id },
        })
        integration = chosen.body.integration
      }
      assert.equal(integration.status, 'active', JSON.stringify(integration))
      assert.deepEqual(
        integration.features.map(({ name, status }: { name: string; status: string }) => [name, status]),
        features.map((name) => [name, 'on']),
      )
      const tested = await post(integration.id, 'test')
      assert.deepEqual(tested.body.result, { ok: true, cause: null })

      const refreshed = await post(integration.id, 'refresh')
      assert.deepEqual(refreshed.body.result, { ok: true, cause: null }, JSON.stringify(refreshed.body))
      await pass(25 * 3600)
      assert.deepEqual((await post(integration.id, 'test')).body.result, { ok: true, cause: null }, 'after its end')

      lab.emulators.revokeOutside(provider)
      const readAction = await startAction(integration.id, provider)
      if (readAction !== null) assert.deepEqual(await readAction(), ['queued', 'REAUTH_REQUIRED', 0])
      const refused = await post(integration.id, 'test')
      assert.deepEqual(refused.body.result, { ok: false, cause: 'REAUTH_REQUIRED' })
      assert.equal(refused.body.integration.status, 'reauth_required')

      const again = await connectAccount(call, user, { provider, features, integrationId: integration.id })
      assert.deepEqual([again.id, again.status], [integration.id, 'active'])
      assert.equal((await post(integration.id, 'test')).body.result.ok, true)
      if (readAction !== null) assert.deepEqual(await readAction(), ['done', null, 1], 'what waited is sent')

      const gone = await call({ method: 'DELETE', url: `${base}/${integration.id}`, headers: user.headers })
      assert.equal(gone.status, 204)
      assert.equal((await post(integration.id, 'test')).status, 404)
      await lab.app.settled()
      const revoked = (await auditOfTarget(lab.app, integration.id)).find(
        ({ action }) => action === 'integration.revoke',
      )
      assert.equal(revoked?.changes?.['outcome'], row.revoke === null ? 'UNSUPPORTED' : 'REVOKED')
      if (row.revoke !== null) assert.deepEqual(lab.emulators.grants(provider), [])
    })
})
