import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TestUser } from '../../test/harness/app.ts'
import { auditOfTarget } from '../../test/harness/audit-log.ts'
import {
  integrationsBase as base,
  connectAccount,
  type IntegrationLab,
  integrationLab,
  loggedIn,
} from '../../test/harness/integrations.ts'
import { providerNames } from '../providers/provider.ts'
import { featuresOf, providers } from '../providers/provider-table.ts'

let lab: IntegrationLab
let user: TestUser
before(async () => {
  lab = await integrationLab()
  user = await lab.app.user(await lab.app.apiKey(await lab.app.tenant()))
})
after(() => lab.close())

const post = (id: string, verb: string) =>
  lab.app.call({ method: 'POST', url: `${base}/${id}/${verb}`, headers: user.headers })

/** Time passes, and the user logs in again. */
async function pass(seconds: number): Promise<void> {
  lab.advance(seconds)
  user = await loggedIn(lab.app, user)
}

describe('a connection from its beginning to its end', () => {
  for (const provider of providerNames)
    test(provider, async () => {
      const row = providers[provider]
      const features = featuresOf(row)
      // With tokens that end, where the provider has both.
      lab.emulators.setExpiringTokens(provider, true)
      let integration = await connectAccount(lab.app.call, user, { provider, features })
      if (integration.status === 'choosing') {
        const [first] = integration.choices
        const chosen = await lab.app.call({
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

      const again = await connectAccount(lab.app.call, user, { provider, features, integrationId: integration.id })
      assert.deepEqual([again.id, again.status], [integration.id, 'active'])
      assert.equal((await post(integration.id, 'test')).body.result.ok, true)

      const gone = await lab.app.call({ method: 'DELETE', url: `${base}/${integration.id}`, headers: user.headers })
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
