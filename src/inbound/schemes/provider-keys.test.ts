import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { selfSignedCertificate } from '../../../test/harness/certificate.ts'
import { testClock } from '../../../test/harness/clock.ts'
import { jwkOf, keyPairs } from '../../../test/harness/signing-providers.ts'
import { openIdKeys } from './openid-keys.ts'
import { signingCertificates } from './signing-certificates.ts'

const { rsa, ec } = keyPairs()
const unavailable = { name: 'Refusal', code: 'UNAVAILABLE' }

/** Documents by address; what is an error is thrown, what is absent is null. */
function documentsOf(documents: Record<string, string | Error>) {
  const asked: string[] = []
  const signals: AbortSignal[] = []
  const fetchText = async (url: string, signal: AbortSignal) => {
    asked.push(url)
    signals.push(signal)
    const found = documents[url] ?? null
    if (found instanceof Error) throw found
    return found
  }
  return { documents, asked, signals, fetchText }
}

describe('the keys of the Bot Framework', () => {
  const url = 'https://login.test/openid'
  const keysUrl = 'https://login.test/keys'
  const prepare = (more: Record<string, string | Error> = {}) => {
    const clock = testClock()
    const metadata = JSON.stringify({ jwks_uri: keysUrl })
    const provider = documentsOf({ [url]: metadata, [keysUrl]: keySet([jwkOf(rsa.publicKey)]), ...more })
    return { clock, ...provider, keys: openIdKeys({ url, clock, fetchMetadata: provider.fetchText }) }
  }
  const keySet = (keys: object[]) => JSON.stringify({ keys })

  test('are fetched once for concurrent calls and kept for a day', async () => {
    const { keys, asked, clock, signals } = prepare()
    const found = await Promise.all(Array.from({ length: 50 }, () => keys.find('key-1')))
    assert.ok(found.every((key) => key?.endorsements.includes('msteams')))
    assert.deepEqual(asked, [url, keysUrl])
    assert.ok(signals.every((signal) => signal instanceof AbortSignal))
    clock.advance({ seconds: 86_399 })
    await keys.find('key-1')
    assert.equal(asked.length, 2)
    clock.advance({ seconds: 1 })
    await keys.find('key-1')
    assert.equal(asked.length, 4)
  })

  test('are fetched again for an unknown key id, once an hour', async () => {
    const { keys, asked, clock, documents } = prepare()
    assert.equal(await keys.find('key-2'), null)
    for (let index = 0; index < 20; index++) assert.equal(await keys.find(`made-up-${index}`), null)
    assert.equal(asked.length, 2)
    documents[keysUrl] = keySet([jwkOf(rsa.publicKey, { kid: 'key-2' })])
    clock.advance({ seconds: 3599 })
    assert.equal(await keys.find('key-2'), null)
    clock.advance({ seconds: 1 })
    assert.ok(await keys.find('key-2'))
    assert.equal(asked.length, 4)
    assert.equal(await keys.find('key-1'), null, 'it was withdrawn')
  })

  test('stay in use while the issuer is down, and are fetched again a minute later', async () => {
    const { keys, asked, clock, documents } = prepare()
    await keys.find('key-1')
    documents[url] = new Error('away')
    clock.advance({ seconds: 86_400 * 3 })
    for (let index = 0; index < 5; index++) assert.ok(await keys.find('key-1'))
    assert.equal(asked.length, 3)
    await assert.rejects(keys.find('key-2'), unavailable)
    clock.advance({ seconds: 60 })
    await keys.find('key-1')
    assert.equal(asked.length, 4)
  })

  const useless: [string, Record<string, string | Error>][] = [
    ['no answer', { [url]: new Error('away') }],
    ['no metadata', { [url]: '' }],
    ['metadata of another shape', { [url]: '[]' }],
    [
      'keys on another host',
      { [url]: '{"jwks_uri":"https://evil.test/keys"}', 'https://evil.test/keys': keySet([jwkOf(rsa.publicKey)]) },
    ],
    [
      'keys without TLS',
      { [url]: '{"jwks_uri":"http://login.test/keys"}', 'http://login.test/keys': keySet([jwkOf(rsa.publicKey)]) },
    ],
    ['no keys', { [keysUrl]: '{}' }],
    ['keys of another kind', { [keysUrl]: keySet([jwkOf(ec.publicKey), { kty: 'oct', kid: 'key-1', k: 'AAAA' }]) }],
    ['a broken key', { [keysUrl]: keySet([{ kty: 'RSA', kid: 'key-1', n: 7, e: null }]) }],
    ['keys for encryption', { [keysUrl]: keySet([jwkOf(rsa.publicKey, { use: 'enc' })]) }],
    ['too many keys', { [keysUrl]: keySet(Array(201).fill(jwkOf(rsa.publicKey))) }],
    ['too long an answer', { [keysUrl]: keySet([jwkOf(rsa.publicKey, { more: 'x'.repeat(262_144) })]) }],
  ]
  for (const [name, documents] of useless) {
    test(`an issuer with ${name} gives none, and is not asked again at once`, async () => {
      const { keys, asked } = prepare(documents)
      await assert.rejects(keys.find('key-1'), unavailable)
      const before = asked.length
      await assert.rejects(keys.find('key-1'), unavailable)
      assert.equal(asked.length, before)
      assert.ok(!asked.some((address) => address.startsWith('https://evil.test') || address.startsWith('http:')))
    })
  }
})

describe('the certificates of Amazon SNS', () => {
  const addressOf = (index: number | string) => `https://sns.eu-west-1.amazonaws.com/${index}.pem`
  const now = new Date()
  const later = new Date(now.getTime() + 86_400_000)
  const pem = selfSignedCertificate({
    privateKey: rsa.privateKey,
    commonName: 'sns.amazonaws.com',
    from: now,
    to: later,
  })
  const prepare = (documents: Record<string, string | Error>) => {
    const clock = testClock()
    const provider = documentsOf(documents)
    return { clock, ...provider, certificates: signingCertificates({ clock, fetchCertificate: provider.fetchText }) }
  }

  test('are fetched once for concurrent calls and kept for a day', async () => {
    const { certificates, asked, clock } = prepare({ [addressOf(1)]: pem })
    const found = await Promise.all(Array.from({ length: 50 }, () => certificates.find(addressOf(1))))
    assert.ok(found.every((certificate) => certificate?.subject === 'CN=sns.amazonaws.com'))
    clock.advance({ seconds: 86_399 })
    await certificates.find(addressOf(1))
    assert.equal(asked.length, 1)
    clock.advance({ seconds: 1 })
    await certificates.find(addressOf(1))
    assert.equal(asked.length, 2)
  })

  test('that do not exist are requested once a minute', async () => {
    const { certificates, asked, clock, documents } = prepare({})
    for (let index = 0; index < 5; index++) assert.equal(await certificates.find(addressOf(1)), null)
    assert.equal(asked.length, 1)
    documents[addressOf(1)] = pem
    clock.advance({ seconds: 60 })
    assert.ok(await certificates.find(addressOf(1)))
  })

  test('that cannot be fetched leave the delivery undecided until they can', async () => {
    const { certificates, documents } = prepare({ [addressOf(1)]: new Error('away') })
    await assert.rejects(certificates.find(addressOf(1)), unavailable)
    documents[addressOf(1)] = pem
    assert.ok(await certificates.find(addressOf(1)))
  })

  test('are not waited for longer than five seconds, even if the fetch ignores its signal', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const never = () => new Promise<null>(() => undefined)
    const certificates = signingCertificates({ clock: testClock(), fetchCertificate: never })
    const found = assert.rejects(certificates.find(addressOf(1)), unavailable)
    // The timeout is two timers of half the time, one after the other.
    for (const halfMs of [2500, 2500]) t.mock.timers.tick(halfMs)
    await found
  })

  test('at invented addresses evict no real one and cause at most 120 requests a minute', async () => {
    const { certificates, asked, clock } = prepare({ [addressOf('good')]: pem })
    await certificates.find(addressOf('good'))
    for (let index = 0; index < 119; index++) assert.equal(await certificates.find(addressOf(index)), null)
    await assert.rejects(certificates.find(addressOf('one-more')), unavailable)
    assert.equal(asked.length, 120)
    assert.ok(await certificates.find(addressOf('good')))
    assert.equal(asked.length, 120)
    clock.advance({ seconds: 60 })
    assert.equal(await certificates.find(addressOf('one-more')), null)
  })
})
