import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { base32Check, hasBase62Check, randomBase32, randomBase62, toBase62, withBase62Check } from './checksum.ts'

const base32 = [...'0123456789ABCDEFGHJKMNPQRSTVWXYZ']

/** How often each character comes up when every byte value is offered equally often. */
function tally(text: string): Set<number> {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return new Set(counts.values())
}

test('each character of a random text is equally likely', () => {
  const everyByte = (bytes: number) => Buffer.from(Array.from({ length: bytes }, (_, at) => at % 256))
  assert.deepEqual(tally(randomBase62(248, everyByte)), new Set([4]))
  assert.deepEqual(tally(randomBase32(256, everyByte)), new Set([8]))
})

test('bytes that would favour some characters are drawn again', () => {
  const draws = [Buffer.from([255, 0, 248]), Buffer.from([61, 62])]
  assert.equal(
    randomBase62(3, () => draws.shift() ?? Buffer.alloc(0)),
    '0z0',
  )
})

test('a number has one base62 text of the asked length', () => {
  assert.equal(toBase62(0n, 6), '000000')
  assert.equal(toBase62(61n, 2), '0z')
  assert.equal(toBase62(2n ** 32n - 1n, 6), '4gfFC3')
  assert.equal(toBase62(2n ** 256n - 1n, 43).length, 43)
})

test('a text with its check is recognised, and with a wrong check is not', () => {
  // CRC-32 of "123456789" is cbf43926 (the check value of the CRC catalogue).
  assert.equal(withBase62Check('123456789'), `123456789${toBase62(0xcbf43926n, 6)}`)
  fc.assert(fc.property(fc.string(), (text) => hasBase62Check(withBase62Check(text))))
  for (const text of ['', 'abc', '000000', '123456789000000']) assert.equal(hasBase62Check(text), text === '000000')
})

test('every wrong character and every swap of neighbours changes the 25-bit check', () => {
  const body = randomBase32(20, randomBytes)
  const check = base32Check(body)
  for (let at = 0; at < body.length; at += 1) {
    for (const character of base32) {
      const wrong = body.slice(0, at) + character + body.slice(at + 1)
      assert.equal(base32Check(wrong) === check, wrong === body, wrong)
    }
    for (const [one, two] of base32.flatMap((a) => base32.map((b) => [a, b] as const))) {
      if (at === 19 || one === two) continue
      const [left, right] = [body.slice(0, at), body.slice(at + 2)]
      assert.notEqual(base32Check(left + one + two + right), base32Check(left + two + one + right))
    }
  }
})
