import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import { causeOf, changed, keyPairs, signingProviders } from '../../../test/harness/signing-providers.ts'
import { signToken } from './json-web-token.ts'

describe('the token of a Jira app', () => {
  const { clock, sampleOf, verify, connectionOf } = signingProviders({ keys: keyPairs() })
  const [secret = ''] = connectionOf('jira-jwt').secrets
  const iat = Math.floor(clock.now().getTime() / 1000)
  const claims = { iss: 'jira', iat, exp: iat + 180 }
  const signed = (by: object = {}, header: object = {}) =>
    signToken({ claims: { ...claims, ...by }, header, key: secret })
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

  const judged: [string, string, string][] = [
    ['holds', 'verified', signed()],
    ['holds 50 s after its end', 'verified', signed({ exp: iat - 50 })],
    ['ends', 'TOKEN_EXPIRED', signed({ exp: iat - 61 })],
    ['holds from its time on', 'TIMESTAMP_STALE', signed({ iat: iat + 61 })],
    ['has an end', 'TIMESTAMP_MISSING', signed({ exp: undefined })],
    ['says when it was made', 'TIMESTAMP_MISSING', signed({ iat: undefined })],
    ['says that as a number', 'TIMESTAMP_MISSING', signed({ iat: String(iat) })],
    ['names no other algorithm than HS256', 'SIGNATURE_MALFORMED', signed({}, { alg: 'HS512' })],
    ['names no none', 'SIGNATURE_MALFORMED', signed({}, { alg: 'none' })],
    ['names none in other letters', 'SIGNATURE_MALFORMED', signed({}, { alg: 'hs256' })],
    ['is not signed by a key pair', 'SIGNATURE_MALFORMED', signToken({ claims, key: privateKey })],
    ['is signed with the secret', 'SIGNATURE_MISMATCH', signToken({ claims, key: `${secret}x` })],
    ['has all of its signature', 'SIGNATURE_MISMATCH', signed().slice(0, -3)],
    ['has three parts', 'SIGNATURE_MALFORMED', `${signed()}.x`],
  ]
  for (const [name, cause, token] of judged) {
    test(`${name} (${cause})`, async () => {
      const raw = changed(sampleOf('jira-jwt'), { headers: { authorization: `Bearer ${token}` } })
      assert.equal(causeOf(await verify('jira-jwt', raw)), cause)
    })
  }
})
