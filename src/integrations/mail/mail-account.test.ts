import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testSecrets } from '../../../test/harness/app.ts'
import {
  connectAccount,
  emulatorSettings,
  type IntegrationLab,
  integrationLab,
} from '../../../test/harness/integrations.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { metricsRegistry } from '../../kernel/metrics.ts'
import { providerHttp } from '../../providers/provider-http.ts'
import { tokenClient } from '../../providers/token-client.ts'
import { grantSecrets } from '../sealed-grants.ts'
import { type Tokens, tokenService } from '../tokens/token.service.ts'
import { type MailAccounts, mailAccounts } from './mail-account.service.ts'

let lab: IntegrationLab
let accounts: MailAccounts
let tokens: Tokens
const ended: string[] = []
before(async () => {
  lab = await integrationLab()
  const { clock } = lab.app
  const metrics = metricsRegistry()
  tokens = tokenService({
    clock,
    metrics,
    secrets: grantSecrets(testSecrets),
    apps: { find: async (_, provider) => ({ ...lab.emulators.apps[provider], settings: {}, kind: 'platform' }) },
    client: tokenClient(providerHttp({ endpoints: emulatorSettings(lab.emulators).endpoints, metrics })),
    endGrant: async (_, { id }) => void ended.push(id),
  })
  accounts = mailAccounts({ clock, tokens })
})
after(() => lab.close())

for (const provider of ['google', 'microsoft'] as const)
  test(`${provider}: an organization's account logs in to its mail server with a fresh token of its own`, async () => {
    const user = await organizationCalls(lab.app).person(await lab.app.apiKey(await lab.app.tenant()))
    const scope = lab.app.scopeOf(user.tenantId)
    const { id: orgId } = await organizationCalls(lab.app).create(user)
    const connect = (features: string[]) => connectAccount(lab.app.call, user, { provider, features, orgId })
    await connect(['calendar'])
    assert.equal(await accounts.find(scope, orgId), null, 'connected for something else')
    const { id } = await connect(['mail'])
    assert.equal((await accounts.find(scope, orgId))?.id, id)
    const open = async (refusedToken?: string) => {
      const login = await accounts.open(scope, id, refusedToken)
      if (login.kind === 'failed') assert.fail(login.cause)
      return login
    }
    const login = await open()
    assert.match(login.address, /@/)
    assert.equal((await open()).accessToken, login.accessToken, 'kept until its end')
    const another = await open(login.accessToken)
    assert.notEqual(another.accessToken, login.accessToken, 'the mail server has refused it')
    lab.advance(3600)
    assert.notEqual((await open()).accessToken, another.accessToken, 'it has ended')
    // A token of Microsoft is for one of its services: that for Graph is another.
    const stored = await tokens.get(scope, id)
    assert.equal(stored.token === (await open()).accessToken, provider === 'google')

    const foreign = await accounts.open(lab.app.scopeOf((await lab.app.tenant()).id), id)
    assert.deepEqual(foreign, { kind: 'failed', cause: 'NOT_CONNECTED', retryAt: null })
    lab.advance(3600)
    lab.emulators.faults.add({ provider, path: '/token', status: 503 })
    assert.deepEqual(await accounts.open(scope, id), { kind: 'failed', cause: 'PROVIDER_UNAVAILABLE', retryAt: null })
    lab.emulators.revokeOutside(provider)
    assert.deepEqual(await accounts.open(scope, id), { kind: 'failed', cause: 'REAUTH_REQUIRED', retryAt: null })
    assert.deepEqual(ended.splice(0), [id])
  })
