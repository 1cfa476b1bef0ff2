import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorLine } from './mail.rules.ts'

test('the error of a mail withholds its token, and that of a mail without a token is readable', () => {
  assert.equal(errorLine('550 rejected\r\n: atrv_abc', 'atrv_abc'), '550 rejected : [withheld]')
  assert.equal(errorLine('450 busy', ''), '450 busy')
})
