import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { type TestApp, type TestUser, testApp } from '../../../test/harness/app.ts'

const url = '/assistant/v1/integrations/providers'

suite('providers of integrations', () => {
  let app: TestApp
  let user: TestUser
  before(async () => {
    app = await testApp({
      integrations: {
        apps: new Map([['github', { clientId: 'atrium', clientSecret: 'not-a-real-secret', settings: {} }]]),
        endpoints: new Map(),
        publicUrl: 'https://atrium.example.com/',
      },
    })
    user = await app.user(await app.apiKey(await app.tenant()))
  })

  test('the nine are listed with the address to register, whatever host is asked', async () => {
    const { status, body } = await app.call({ url, headers: { ...user.headers, host: 'attacker.example.net' } })
    assert.equal(status, 200)
    assert.equal(body.providers.length, 9)
    const github = body.providers.find(({ provider }: { provider: string }) => provider === 'github')
    assert.deepEqual(github, {
      provider: 'github',
      name: 'GitHub',
      configured: true,
      redirectUri: 'https://atrium.example.com/assistant/v1/integrations/github/callback',
      features: [{ name: 'tasks', scopes: ['repo', 'admin:repo_hook'] }],
    })
    const configured = body.providers.filter((provider: { configured: boolean }) => provider.configured)
    assert.equal(configured.length, 1)
  })

  test('nothing is configured where providers cannot redirect to', async () => {
    const plain = await testApp({
      integrations: { apps: new Map(), endpoints: new Map(), publicUrl: 'http://atrium.example.com' },
    })
    const other = await plain.user(await plain.apiKey(await plain.tenant()))
    const { body } = await plain.call({ url, headers: other.headers })
    for (const provider of body.providers) assert.deepEqual([provider.configured, provider.redirectUri], [false, null])
  })
})
