import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { durationRatio } from '../../../test/harness/text-growth.ts'
import { maskSecrets } from './mask-secrets.rules.ts'

describe('a secret that a body repeats', () => {
  test('is masked however JSON writes it, and the body stays as long and as readable', () => {
    const secret = 'pass"word/+é😀\\\n'
    const units = Array.from({ length: secret.length }, (_, n) => secret.charCodeAt(n).toString(16).padStart(4, '0'))
    const spellings = [
      JSON.stringify(secret),
      JSON.stringify(secret).replaceAll('/', '\\/'),
      `"${units.map((unit) => `\\u${unit.toUpperCase()}`).join('')}"`,
      JSON.stringify(secret).replace('w', '\\u0077'),
    ]
    for (const text of spellings) {
      const body = Buffer.from(`{"value":[{"clientState":${text},"a":"b\\n"}]}`)
      const masked = maskSecrets(body, ['another secret', secret])
      assert.equal(masked.length, body.length)
      const [item] = JSON.parse(masked.toString()).value
      assert.match(item.clientState, /^\*+$/, text)
      assert.equal(item.a, 'b\n')
    }
  })

  test('is masked at every place, also where a part of it comes before, and at the end of the body', () => {
    const body = 'abcdabcdabcX and abcdabcdabcXabcdabcX'
    assert.equal(maskSecrets(Buffer.from(body), ['abcdabcX']).toString(), 'abcd******** and abcd****************')
    assert.equal(maskSecrets(Buffer.from('\\n aaaaaaaaaaaaaaaa'), ['a'.repeat(8)]).toString(), `\\n ${'*'.repeat(16)}`)
  })

  test('is masked in a body that is no JSON and holds the backslashes of the secret as they are', () => {
    assert.equal(maskSecrets(Buffer.from('state=a\\b\\c\\d\\e'), ['a\\b\\c\\d\\e']).toString(), 'state=*********')
  })

  test('changes nothing where there is none: the bytes are the same', () => {
    for (const text of ['{"a":"\\n"}', '', '\\', '\\u', '\\u12', 'a\\ud83d']) {
      const body = Buffer.from(text)
      assert.equal(maskSecrets(body, ['a secret of some length', 'short']), body)
    }
  })
})

describe('the search for secrets', () => {
  // Each held the event loop for seconds when a regular expression was made of the secret.
  const attacks: [string, (size: number) => { secret: string; body: string }][] = [
    ['backslashes', (size) => ({ secret: `${'\\'.repeat(size / 64)}x`, body: '\\'.repeat(size) })],
    ['one letter', (size) => ({ secret: `${'a'.repeat(size / 64)}b`, body: `\\${'a'.repeat(size)}` })],
    ['one letter before', (size) => ({ secret: `b${'a'.repeat(size / 64)}`, body: `\\${'a'.repeat(size)}` })],
    ['the secret itself', (size) => ({ secret: 'a'.repeat(size / 64), body: `\\${'a'.repeat(size)}` })],
    ['escapes', (size) => ({ secret: `${'\\'.repeat(size / 64)}x`, body: '\\u005c'.repeat(size / 6) })],
    ['two periods', (size) => ({ secret: `${'ab'.repeat(size / 128)}c`, body: `\\${'ab'.repeat(size / 2)}` })],
  ]
  for (const [name, attack] of attacks)
    test(`takes time in proportion to the body: ${name}`, () => {
      // 16 times the body with 16 times the secret: 256 times as long where the search is quadratic.
      const [short, long] = [2 ** 13, 2 ** 17].map((size) => {
        const { secret, body } = attack(size)
        const bytes = Buffer.from(body)
        return () => maskSecrets(bytes, [secret, secret])
      }) as [() => unknown, () => unknown]
      const ratio = durationRatio({ long, short }, 80)
      assert.ok(ratio < 80, `${Math.round(ratio)} times as long`)
    })
})
