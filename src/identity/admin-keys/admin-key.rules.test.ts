import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adminKeyCheck } from './admin-key.rules.ts'

test('only the exact admin key gives an OWNER', () => {
  const check = adminKeyCheck('atradmin_correct')
  assert.deepEqual(check('atradmin_correct'), { id: null, label: 'admin key', role: 'OWNER', isGuessable: true })
  const strong = 'atradmin_Vb2-kQ9xT4mZ7_rLhD8sWnCe'
  assert.deepEqual(adminKeyCheck(strong)(strong), { id: null, label: 'admin key', role: 'OWNER' })
  for (const wrong of [
    '',
    'atradmin_correc',
    'atradmin_correct ',
    'ATRADMIN_CORRECT',
    'atradmin_corrects',
    '?',
    'x'.repeat(4096),
  ]) {
    assert.equal(check(wrong), null, wrong.slice(0, 20))
  }
})
