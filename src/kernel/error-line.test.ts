import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorLine } from './error-line.ts'

test('the error of another service withholds the secret, and without one it is readable', () => {
  assert.equal(errorLine('550 rejected\r\n: atrv_abc', 'atrv_abc'), '550 rejected : [withheld]')
  assert.equal(errorLine('450 busy'), '450 busy')
})
