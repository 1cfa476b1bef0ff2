import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { findAccount, recordLogin, setPassword } from './user.store.ts'

let app: TestApp
let now: Date
before(async () => {
  app = await testApp()
  now = app.clock.now()
})

async function newAccount() {
  const user = await app.user(await app.apiKey(await app.tenant()))
  const scope = app.scopeOf(user.tenantId)
  const account = await findAccount(scope, user.email)
  assert.ok(account)
  return { scope, id: user.id, checkedHash: account.passwordHash }
}

test('a password that is changed while it is being checked no longer logs in', async () => {
  const { scope, id, checkedHash } = await newAccount()
  assert.ok(await setPassword(scope, { id, checkedHash, passwordHash: 'another', now }))
  assert.equal(await recordLogin(scope, { id, checkedHash, passwordHash: checkedHash, now }), null)
  assert.equal(await setPassword(scope, { id, checkedHash, passwordHash: 'a third', now }), null)
})

test('a user who is suspended during the password check is not logged in', async () => {
  const { scope, id, checkedHash } = await newAccount()
  assert.ok(await recordLogin(scope, { id, checkedHash, passwordHash: checkedHash, now }))
  await app.call({ method: 'PATCH', url: `/admin/users/${id}`, headers: app.admin, body: { status: 'SUSPENDED' } })
  assert.equal(await recordLogin(scope, { id, checkedHash, passwordHash: checkedHash, now }), null)
})

test('a user without a password cannot log in without one', async () => {
  const { scope, id } = await newAccount()
  assert.equal(await recordLogin(scope, { id, checkedHash: null, passwordHash: null, now }), null)
})
