import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { causeOf, changed, signingProviders } from '../../../test/harness/signing-providers.ts'
import { hmacHex } from './signature.ts'

describe('mail from Mailgun', () => {
  const { clock, sampleOf, verify, connectionOf } = signingProviders()
  const [secret = ''] = connectionOf('mailgun').secrets
  const timestamp = String(Math.floor(clock.now().getTime() / 1000))
  const token = '7'.repeat(50)
  const judge = async (fields: [string, string][]) => {
    const raw = { ...sampleOf('mailgun'), contentType: 'application/x-www-form-urlencoded' }
    return causeOf(await verify('mailgun', changed(raw, { body: new URLSearchParams(fields).toString() })))
  }
  const signature = hmacHex(secret, [timestamp, token])
  const fieldsOf = (by: Record<string, string> = {}): [string, string][] =>
    Object.entries({ timestamp, token, signature, ...by })

  test('is verified as a form of either kind', async () => assert.equal(await judge(fieldsOf()), 'verified'))

  test('accepts one token for one signature: no digit can move between the token and the time', async () => {
    for (const moved of [-1, 1, 2]) {
      const text = timestamp + token
      const by = { timestamp: text.slice(0, 10 + moved), token: text.slice(10 + moved) }
      assert.equal(await judge(fieldsOf(by)), 'SIGNATURE_MALFORMED')
    }
  })

  test('is refused with a signed field twice, or without one', async () => {
    for (const name of ['timestamp', 'token', 'signature']) {
      const again = fieldsOf().filter(([field]) => field === name)
      assert.equal(await judge([...fieldsOf(), ...again]), 'SIGNATURE_MALFORMED')
      assert.match(await judge(fieldsOf().filter(([field]) => field !== name)), /^(SIGNATURE|TIMESTAMP)_MISSING$/)
    }
  })
})
