import assert from 'node:assert/strict'
import test from 'node:test'
import { publicAddress, redirectUri } from '../providers/public-address.ts'
import { readIntegrationSettings } from './integration-settings.ts'

const app = { clientId: 'id', clientSecret: 'a-secret-of-the-app' }

test('apps are read from the file, and a fault names the provider and no value', () => {
  const { apps } = readIntegrationSettings(JSON.stringify({ github: app }), new Map())
  assert.deepEqual(apps.get('github'), { ...app, settings: {} })
  const faults: [text: string, says: RegExp][] = [
    ['{"github": {"clientId": "id", "clientSecret": "a-secret-of-the-app"', /must be a JSON object/],
    [JSON.stringify({ gitlab: app }), /gitlab is not a provider/],
    [JSON.stringify({ github: { clientId: 'id' } }), /github must have clientId and clientSecret/],
    [JSON.stringify({ github: { ...app, scope: 'repo' } }), /github has unknown members/],
    [JSON.stringify({ github: { ...app, settings: { team: 'T1' } } }), /github has none/],
    [JSON.stringify({ microsoft: { ...app, settings: { directory: '../evil' } } }), /directory/],
  ]
  for (const [text, says] of faults)
    assert.throws(
      () => readIntegrationSettings(text, new Map()),
      ({ message }: Error) => says.test(message) && !message.includes(app.clientSecret),
      text,
    )
})

test('providers are asked elsewhere over https, or over plain HTTP on this machine', () => {
  const read = (name: string, address: string) => readIntegrationSettings(null, new Map([[name, address]]))
  assert.equal(read('github', 'http://127.0.0.1:4010/').endpoints.get('github'), 'http://127.0.0.1:4010')
  assert.equal(read('github', 'https://ghe.example.com/proxy').endpoints.get('github'), 'https://ghe.example.com/proxy')
  assert.throws(() => read('github', 'http://ghe.example.com'), /plain HTTP/)
  assert.throws(() => read('gitlab', 'https://gitlab.example.com'), /not a provider/)
  assert.throws(() => read('github', 'https://user@ghe.example.com'), /plain one/)
})

test('providers redirect to https, or to this machine', () => {
  assert.equal(publicAddress('https://atrium.example.com/'), 'https://atrium.example.com')
  assert.equal(publicAddress('http://localhost:8080'), 'http://localhost:8080')
  assert.equal(publicAddress('http://atrium.example.com'), null)
  assert.equal(
    redirectUri('https://example.com/atrium', 'slack'),
    'https://example.com/atrium/assistant/v1/integrations/slack/callback',
  )
})
