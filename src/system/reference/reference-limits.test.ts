import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../../test/harness/app.ts'

test('a caller who was refused for too many requests can still read the documentation', async () => {
  const app = await testApp({ rateLimits: { requestsMax: 1, authFailuresMax: 1, windowSeconds: 900 } })
  assert.equal((await app.call({ url: '/products' })).status, 200)
  assert.equal((await app.call({ url: '/products' })).status, 429)
  for (const url of ['/docs', '/docs/errors', '/docs/start.js', '/docs/scalar.js', '/openapi.json', '/docs'])
    assert.equal((await app.call({ url })).status, 200, url)
})
