import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redactSecrets } from './redaction.ts'

test('nothing that could open something is written down, whatever it is called and however deep it lies', () => {
  const secrets = [
    'key',
    'apiKey',
    'licenseKey',
    'keyHash',
    'password',
    'newPassword',
    'passwordHash',
    'password_hash',
    'token',
    'refreshToken',
    'idToken',
    'authorization',
    'Authorization',
    'set-cookie',
    'x-api-key',
    'X-Admin-Key',
    'clientSecret',
  ]
  for (const name of secrets) {
    const written = JSON.stringify(
      redactSecrets({ [name]: 'opensesame', deep: [{ [name]: { from: 'opensesame' } }], list: [['x']] }),
    )
    assert.ok(!written.includes('opensesame'), name)
  }
  assert.ok(!JSON.stringify(redactSecrets({ bytes: Buffer.from('opensesame') })).includes('111'))
})

test('names, hints, limits and moments are written as they are', () => {
  const at = new Date('2026-03-01T00:00:00Z')
  const changes = {
    name: 'App',
    keyPrefix: 'atr_Ab3d',
    keyHint: 'ATR-...',
    monkey: 'Kong',
    limits: { from: { maxApiKeys: 5 }, to: { maxApiKeys: null } },
    expiresAt: at,
    products: ['vault-vpn'],
  }
  assert.deepEqual(redactSecrets(changes), changes)
})
