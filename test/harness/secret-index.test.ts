import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type Secret, secretIndex } from './secret-index.ts'

const made = (text: string): Secret => ({ text, what: 'a token', issuedBy: 'a test' })

test('each of thousands of secrets is found at any place in a text, and nothing else is', () => {
  const index = secretIndex()
  // Alike at the start, as tokens are.
  const secrets = Array.from({ length: 5000 }, () =>
    made(`eyJhbGciOiJFZERTQSJ9.${randomBytes(24).toString('base64url')}`),
  )
  for (const secret of secrets) index.add(secret)
  const noise = randomBytes(20_000).toString('base64url')
  assert.deepEqual(index.find(noise), [])
  const [first, second, third] = [secrets[0], secrets[2500], secrets[4999]] as [Secret, Secret, Secret]
  const text = `${first.text}${noise}?token=${second.text}&x${noise}${third.text}`
  assert.deepEqual(index.find(text), [first, second, third])
  assert.deepEqual(index.find(second.text.slice(0, -1)), [])
  assert.deepEqual(index.find(second.text.slice(1)), [])
})

test('a secret is found in base64, in hex, and where JSON has escaped it', () => {
  for (const text of ['atr_0123456789abcdefgh', 'plum-"Kayak"\\73-öttér', 'nine char']) {
    const index = secretIndex()
    const secret = made(text)
    index.add(secret)
    const bytes = Buffer.from(text)
    const forms = [
      bytes.toString('base64'),
      bytes.toString('base64url'),
      `\\x${bytes.toString('hex')}`,
      JSON.stringify({ text }),
    ]
    for (const form of forms) assert.deepEqual(index.find(`before ${form} behind`), [secret], form)
  }
  const index = secretIndex()
  const key = randomBytes(32)
  index.add(made(key.toString('base64')))
  assert.equal(index.find(`\\x${key.toString('hex')}`).length, 1, 'the bytes of a key, as a table would hold them')
})
