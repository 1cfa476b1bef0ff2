import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newSigningSecret, signedHeaders } from './signature.rules.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const message = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  at: new Date(1_614_265_330_000),
  body: '{"test": 2432232314}',
}

describe('signatures', () => {
  test('the published vector of Standard Webhooks comes out', () => {
    assert.deepEqual(signedHeaders(message, [secret]), {
      'webhook-id': message.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  test('during a rotation there is a signature of each secret, the new one first', () => {
    const made = signedHeaders(message, [newSigningSecret(), secret])['webhook-signature']?.split(' ') ?? []
    assert.equal(made.length, 2)
    assert.equal(made[1], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
    assert.match(made[0] ?? '', /^v1,[A-Za-z0-9+/]{43}=$/)
    assert.notEqual(made[0], made[1])
  })

  test('a secret is new each time and holds 32 bytes', () => {
    const made = newSigningSecret()
    assert.notEqual(made, newSigningSecret())
    assert.match(made, /^whsec_/)
    assert.equal(Buffer.from(made.slice(6), 'base64').length, 32)
  })
})
