import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { newLicenseKey, parseLicenseKey } from './license-key.rules.ts'

const aKey = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => newLicenseKey(() => Buffer.from(bytes)))
/** Characters that are accepted for another one. */
const alike: Record<string, string[]> = { '0': ['0', 'O', 'o'], '1': ['1', 'I', 'i', 'L', 'l'] }

test('a new key has the documented format and parses to itself', () => {
  const key = newLicenseKey(randomBytes)
  assert.match(key, /^ATR(-[0-9A-HJKMNP-TV-Z]{5}){5}$/)
  assert.deepEqual(parseLicenseKey(key), { normal: key, hash: createHash('sha256').update(key).digest() })
})

test('the format never changes: existing keys stay valid', () => {
  assert.equal(
    newLicenseKey((bytes) => Buffer.alloc(bytes)),
    'ATR-00000-00000-00000-00000-8AGH3',
  )
})

test('every spelling that a person may type parses to the key', () => {
  const key = newLicenseKey(randomBytes)
  const forms = [
    key.toLowerCase(),
    key.replaceAll('-', ''),
    key.replaceAll('-', ' '),
    key.replaceAll('-', '\u2011'),
    key.replaceAll('-', ' \u2013 '),
    ` \t${key}\r\n`,
    [...key].join(' '),
    `a-t-r${key.slice(3)}`,
  ]
  for (const form of forms) assert.equal(parseLicenseKey(form)?.normal, key, form)

  const styles = fc.infiniteStream(
    fc.record({ pick: fc.nat(), lower: fc.boolean(), gap: fc.constantFrom('', '', ' ', '-') }),
  )
  fc.assert(
    fc.property(aKey, styles, (plain, style) => {
      const written = [...plain.replaceAll('-', '')].map((character) => {
        const { pick, lower, gap } = style.next().value
        const choices = alike[character] ?? [character, lower ? character.toLowerCase() : character]
        return gap + choices[pick % choices.length]
      })
      assert.equal(parseLicenseKey(written.join(''))?.normal, plain)
    }),
  )
})

test('a key with one wrong character is rejected without a query', () => {
  fc.assert(
    fc.property(
      aKey,
      fc.nat({ max: 32 }),
      fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_é'),
      (key, at, character) => {
        if (key.charAt(at) === '-') return
        const wrong = key.slice(0, at) + character + key.slice(at + 1)
        const isMeant = (alike[key.charAt(at)] ?? [key.charAt(at), key.charAt(at).toLowerCase()]).includes(character)
        assert.equal(parseLicenseKey(wrong)?.normal ?? null, isMeant ? key : null)
      },
    ),
    { numRuns: 2000 },
  )
})

test('a key with two swapped characters is rejected without a query', () => {
  fc.assert(
    fc.property(aKey, fc.nat({ max: 26 }), (key, at) => {
      const text = key.replaceAll('-', '')
      const wrong = text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2)
      assert.equal(parseLicenseKey(wrong)?.normal ?? null, wrong === text ? key : null)
    }),
    { numRuns: 2000 },
  )
})

test('anything that is not a key is rejected, of any type, script and length', () => {
  const key = newLicenseKey(randomBytes)
  const others = [
    undefined,
    null,
    25,
    [key],
    '',
    'ATR-',
    key.slice(4),
    key.slice(0, -1),
    `${key}0`,
    `${key}${' '.repeat(100)}`,
    key.replace('ATR', 'BTR'),
    'ATR-UUUUU-UUUUU-UUUUU-UUUUU-UUUUU',
    // A dotless i: its upper case is an ASCII I.
    newLicenseKey((bytes) => Buffer.alloc(bytes, 1)).replace('1', '\u0131'),
  ]
  for (const other of others) assert.equal(parseLicenseKey(other), null, String(other))
  fc.assert(fc.property(fc.anything(), (other) => parseLicenseKey(other) === null))
})
