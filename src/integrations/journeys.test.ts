import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, type TestUser, testApp } from '../../test/harness/app.ts'
import { auditOfTarget } from '../../test/harness/audit-log.ts'
import {
  integrationsBase as base,
  connectAccount,
  emulatorSettings,
  type IntegrationLab,
  integrationLab,
  loggedIn,
} from '../../test/harness/integrations.ts'
import { providerNames } from '../providers/provider.ts'
import { featuresOf, providers } from '../providers/provider-table.ts'

let lab: IntegrationLab
let user: TestUser
let nodes: TestApp[]
let turn = 0
before(async () => {
  lab = await integrationLab()
  const twin = () => testApp({ integrations: emulatorSettings(lab.emulators), clock: lab.app.clock })
  nodes = [lab.app, await twin(), await twin()]
  user = await lab.app.user(await lab.app.apiKey(await lab.app.tenant()))
})
after(() => lab.close())

/** Each request reaches another node. */
const call: TestApp['call'] = (request) => {
  turn += 1
  return (nodes[turn % nodes.length] as TestApp).call(request)
}

const post = (id: string, verb: string) => call({ method: 'POST', url: `${base}/${id}/${verb}`, headers: user.headers })

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
      const refused = await post(integration.id, 'test')
      assert.deepEqual(refused.body.result, { ok: false, cause: 'REAUTH_REQUIRED' })
      assert.equal(refused.body.integration.status, 'reauth_required')

      const again = await connectAccount(call, user, { provider, features, integrationId: integration.id })
      assert.deepEqual([again.id, again.status], [integration.id, 'active'])
      assert.equal((await post(integration.id, 'test')).body.result.ok, true)

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
