import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withoutProofs } from './delivery.rules.ts'

describe('what is kept of a body', () => {
  test('a secret that is said back is blotted out however JSON writes it, and the body stays as long and as readable', () => {
    const secret = 'pass"word/+é😀\\'
    const units = Array.from({ length: secret.length }, (_, n) => secret.charCodeAt(n).toString(16).padStart(4, '0'))
    const spelled = [
      JSON.stringify(secret),
      JSON.stringify(secret).replaceAll('/', '\\/'),
      `"${units.map((unit) => `\\u${unit.toUpperCase()}`).join('')}"`,
    ]
    for (const text of spelled) {
      const body = Buffer.from(`{"value":[{"clientState":${text},"a":"b\\n"}]}`)
      const kept = withoutProofs(body, [secret])
      assert.equal(kept.length, body.length)
      const [item] = JSON.parse(kept.toString()).value
      assert.match(item.clientState, /^\*+$/, text)
      assert.equal(item.a, 'b\n')
    }
  })

  test('a body without a secret is the same bytes', () => {
    const body = Buffer.from('{"a":"\\n"}')
    assert.equal(withoutProofs(body, ['a secret of some length', 'short']), body)
  })
})
