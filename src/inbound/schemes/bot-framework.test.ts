import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import {
  appId,
  causeOf,
  changed,
  changedJson,
  keyPairs,
  signingProviders,
} from '../../../test/harness/signing-providers.ts'
import { signToken } from './json-web-token.ts'

const keys = keyPairs()

describe('activities of the Bot Framework', () => {
  const { clock, fetched, sampleOf, verify, read, account } = signingProviders({ keys })
  const seconds = Math.floor(clock.now().getTime() / 1000)
  const serviceurl = 'https://smba.trafficmanager.net/emea/'
  const claims = { iss: 'https://api.botframework.com', aud: appId, nbf: seconds, exp: seconds + 3600, serviceurl }
  const key = keys.rsa.privateKey

  const judge = async (token: string, raw = sampleOf('bot-framework')) =>
    causeOf(await verify('bot-framework', changed(raw, { headers: { authorization: `Bearer ${token}` } })))
  const signed = (by: Record<string, unknown> = {}, header: object = { kid: 'key-1' }) =>
    signToken({ claims: { ...claims, ...by }, header, key })

  test('are valid four minutes after the token has expired and before it becomes valid', async () => {
    assert.equal(await judge(signed()), 'verified')
    assert.equal(await judge(signed({ exp: seconds - 240 })), 'verified')
    assert.equal(await judge(signed({ nbf: seconds + 240 })), 'verified')
  })

  const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = keys.rsa.publicKey.export({ format: 'pem', type: 'spki' }).toString()
  const der = keys.rsa.publicKey.export({ format: 'der', type: 'spki' }).toString('latin1')
  const unsigned = `${Buffer.from('{"alg":"none","kid":"key-1"}').toString('base64url')}.${signed().split('.')[1]}.`
  const refusals: [string, string, string][] = [
    ['of another application', 'AUDIENCE_MISMATCH', signed({ aud: 'another' })],
    ['of several applications', 'AUDIENCE_MISMATCH', signed({ aud: [appId, 'another'] })],
    ['of another issuer', 'ISSUER_MISMATCH', signed({ iss: 'https://sts.windows.net/common/' })],
    ['that ended six minutes ago', 'TOKEN_EXPIRED', signed({ exp: seconds - 360 })],
    ['that begins in six minutes', 'TIMESTAMP_STALE', signed({ nbf: seconds + 360 })],
    ['that never ends', 'TIMESTAMP_MISSING', signed({ exp: undefined })],
    ['that ends at a word', 'TIMESTAMP_MISSING', signed({ exp: 'never' })],
    ['for another service address', 'SERVICE_URL_MISMATCH', signed({ serviceurl: 'https://evil.test/' })],
    ['for no service address', 'SERVICE_URL_MISMATCH', signed({ serviceurl: undefined })],
    [
      'signed by another key',
      'SIGNATURE_MISMATCH',
      signToken({ claims, header: { kid: 'key-1' }, key: foreign.privateKey }),
    ],
    ['of an unknown key', 'KEY_UNKNOWN', signed({}, { kid: 'key-2' })],
    ['that names no key', 'KEY_UNKNOWN', signed({}, {})],
    [
      'with the public key as a secret for HS256',
      'SIGNATURE_MALFORMED',
      signToken({ claims, header: { kid: 'key-1' }, key: pem }),
    ],
    [
      'with the public key in DER as that',
      'SIGNATURE_MALFORMED',
      signToken({ claims, header: { kid: 'key-1' }, key: der }),
    ],
    ['said to be RS384', 'SIGNATURE_MISMATCH', signed({}, { kid: 'key-1', alg: 'RS384' })],
    ['with an algorithm of the prototype', 'SIGNATURE_MALFORMED', signed({}, { kid: 'key-1', alg: 'constructor' })],
    ['with a critical extension', 'SIGNATURE_MALFORMED', signed({}, { kid: 'key-1', crit: ['b64'], b64: false })],
    ['without a signature', 'SIGNATURE_MALFORMED', unsigned],
    ['with another spelling of its signature', 'SIGNATURE_MALFORMED', respelled(signed())],
    ['of 100 KB', 'SIGNATURE_MALFORMED', signed({ more: 'x'.repeat(100_000) })],
  ]
  for (const [name, cause, token] of refusals) {
    test(`are refused with a token ${name} (${cause})`, async () => assert.equal(await judge(token), cause))
  }

  test('are refused where the key is not endorsed for their channel, or they have none', async () => {
    const raw = sampleOf('bot-framework')
    for (const channelId of ['slack', 'msteams ', undefined, ['msteams'], 7]) {
      const other = changedJson(raw, (activity) => ({ ...activity, channelId }))
      assert.equal(await judge(signed(), other), 'ENDORSEMENT_MISSING', String(channelId))
    }
  })

  test('are refused where the body has another serviceUrl, or is not a JSON object', async () => {
    const raw = sampleOf('bot-framework')
    const elsewhere = changedJson(raw, (activity) => ({ ...activity, serviceUrl: 'https://evil.test/' }))
    assert.equal(await judge(signed(), elsewhere), 'SERVICE_URL_MISMATCH')
    assert.equal(
      await judge(
        signed({ serviceurl: undefined }),
        changedJson(raw, ({ serviceUrl: _, ...rest }) => rest),
      ),
      'SERVICE_URL_MISMATCH',
    )
    assert.equal(await judge(signed(), changed(raw, { body: '[]' })), 'UNREADABLE')
  })

  test('are refused where the connection has no appId', async () => {
    const settings = {}
    const judged = await verify('bot-framework', sampleOf('bot-framework'), { secrets: [], settings })
    assert.equal(causeOf(judged), 'AUDIENCE_MISMATCH')
  })

  test('have an application and a directory before they are verified', async () => {
    const raw = sampleOf('bot-framework')
    assert.equal(await account('bot-framework', raw), `${appId}/5f2a7f0e-5f51-4a5e-8c8a-3c7d9a1b2c3d`)
    const elsewhere = changedJson(raw, ({ channelData: _, ...rest }) => rest)
    assert.equal(await account('bot-framework', elsewhere), appId)
    assert.equal(await account('bot-framework', changed(raw, { headers: { authorization: undefined } })), null)
  })

  test('cause no request for keys where the token is invalid anyway', async () => {
    const other = signingProviders({ keys })
    for (const [, cause, token] of refusals.filter(([, cause]) => /AUDIENCE|ISSUER|MALFORMED/.test(cause))) {
      const raw = changed(sampleOf('bot-framework'), { headers: { authorization: `Bearer ${token}` } })
      assert.equal(causeOf(await other.verify('bot-framework', raw)), cause)
    }
    assert.deepEqual(other.fetched, [])
    assert.equal(fetched.length, 2, 'and one set of keys served all of this')
  })

  test('an edit, a reaction and a removal are separate deliveries, and their repeats are duplicates', async () => {
    const raw = sampleOf('bot-framework')
    const as = async (by: object) => {
      const facts = await read(
        'bot-framework',
        changedJson(raw, (activity) => ({ ...activity, ...by })),
      )
      return facts.kind === 'event' ? facts.deliveryKey : facts.kind
    }
    const [first, second] = ['2026-01-01T10:00:00Z', '2026-01-01T10:00:01Z']
    const all = [
      {},
      ...['messageUpdate', 'messageReaction'].flatMap((type) => [
        { type, timestamp: first },
        { type, timestamp: second },
      ]),
    ]
    assert.equal(new Set(await Promise.all(all.map(as))).size, 5)
    const change = { type: 'messageUpdate', timestamp: first }
    assert.equal(await as(change), await as(change))
    assert.equal(await as({}), 'a:test/sample-bot-framework')
  })
})

/** The same bytes of the signature, written with other unused bits in the last character. */
function respelled(token: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const at = alphabet.indexOf(token.slice(-1))
  const other = token.slice(0, -1) + alphabet.charAt(at ^ 1)
  const bytesOf = (text: string) => Buffer.from(text.split('.')[2] ?? '', 'base64url')
  assert.deepEqual(bytesOf(other), bytesOf(token))
  return other
}
