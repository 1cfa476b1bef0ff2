import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { testClock } from '../../../test/harness/clock.ts'
import { type FakeGoogle, fakeGoogle, misbehaviours } from '../../../test/harness/google.ts'
import { parseKeyId } from './google-token.rules.ts'
import { signingKeys } from './signing-keys.ts'

describe('the keys that sign ID tokens', () => {
  const clock = testClock()
  let google: FakeGoogle
  before(async () => {
    google = await fakeGoogle(clock)
  })

  const warnings: string[] = []
  const newKeys = () => {
    const log = { warn: (_: unknown, message: string) => void warnings.push(message) }
    return signingKeys({ url: google.jwksUrl, clock, log, timeoutMs: 800 })
  }
  const currentId = () => parseKeyId(google.idToken()) ?? ''
  const requestsOf = async (work: () => Promise<unknown>): Promise<number> => {
    const earlier = google.requests()
    await work()
    return google.requests() - earlier
  }
  const unavailable = { name: 'Refusal', code: 'UNAVAILABLE' }

  test('parallel callers cause one request, and its answer is cached as long as the issuer says', async () => {
    const keys = newKeys()
    const keyId = currentId()
    const find = () => keys.find(keyId)
    const many = () => Promise.all(Array.from({ length: 50 }, find))
    assert.equal(await requestsOf(many), 1)
    assert.equal(await find(), google.publicKeyPem())
    clock.advance({ seconds: 3599 })
    assert.equal(await requestsOf(many), 0)
    clock.advance({ seconds: 1 })
    assert.equal(await requestsOf(many), 1)
  })

  test('unknown key ids cause one request a minute, and find no key', async () => {
    const keys = newKeys()
    await keys.find(currentId())
    const guess = async () => {
      const found = await Promise.all(Array.from({ length: 20 }, (_, index) => keys.find(`made-up-${index}`)))
      assert.deepEqual(new Set(found), new Set([null]))
    }
    assert.equal(await requestsOf(guess), 0, 'the keys have just been fetched')
    clock.advance({ seconds: 60 })
    assert.equal(await requestsOf(guess), 1)
    assert.equal(await requestsOf(guess), 0)
  })

  test('a new key is found within a minute, and a withdrawn one no longer', async () => {
    const keys = newKeys()
    const oldId = currentId()
    assert.ok(await keys.find(oldId))
    google.rotate()
    clock.advance({ seconds: 60 })
    assert.equal(await requestsOf(async () => assert.equal(await keys.find(currentId()), google.publicKeyPem())), 1)
    assert.equal(await keys.find(oldId), null)
  })

  for (const [name, how] of Object.entries(misbehaviours)) {
    test(`an issuer that misbehaves (${name}) is unavailable, and cached keys stay in use`, async () => {
      const empty = newKeys()
      const kept = newKeys()
      const keyId = currentId()
      const pem = await kept.find(keyId)
      google.misbehave(how)
      try {
        const earlier = performance.now()
        await assert.rejects(empty.find(keyId), unavailable)
        assert.ok(performance.now() - earlier < 10_000, 'the wait is bounded')
        clock.advance({ seconds: 3600 })
        assert.equal(await requestsOf(() => kept.find(keyId)), 1, 'they are old: asked again')
        assert.equal(await requestsOf(async () => assert.equal(await kept.find(keyId), pem)), 0, 'but not each time')
        await assert.rejects(kept.find('another'), unavailable)
      } finally {
        google.misbehave(null)
      }
      clock.advance({ seconds: 60 })
      assert.equal(await empty.find(keyId), pem, 'once it is back, so are we')
      assert.equal(await kept.find('another'), null)
    })
  }

  test('the log says why nobody can sign in', () => {
    assert.ok(warnings.includes('could not fetch the keys that sign ID tokens'))
  })
})
