import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp, unique } from '../../../test/harness/app.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { passwordCheck } from './password-check.ts'

test('an attempt whose password nobody had time to look at is no failure', async () => {
  const app = await testApp()
  const { id } = await app.tenant()
  let isBusy = true
  const hasher = {
    hash: async () => '',
    isStale: () => false,
    verify: async () => {
      if (isBusy) throw new Refusal('UNAVAILABLE')
      return false
    },
  }
  const check = passwordCheck({ clock: app.clock, hasher, audit: async () => undefined })
  const email = `${unique('u')}@example.com`
  const attempt = () => check(app.scopeOf(id), { email, password: 'x' }).catch((error: Refusal) => error.code)
  for (let count = 0; count < 20; count++) assert.equal(await attempt(), 'UNAVAILABLE')
  isBusy = false
  const codes = []
  for (let count = 0; count < 6; count++) codes.push(await attempt())
  assert.deepEqual(codes, [...Array(5).fill('INVALID_CREDENTIALS'), 'LOGIN_THROTTLED'])
})
