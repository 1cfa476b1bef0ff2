import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp, testSecrets, unique } from '../../../test/harness/app.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Handle } from '../../storage/handle.ts'
import { loginSources } from './login-source.service.ts'
import { passwordCheck } from './password-check.ts'

test('an attempt whose password was not checked is not a failure', async () => {
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
  const attempt = () =>
    check(app.scopeOf(id), { email, password: 'x', source: null }).catch((error: Refusal) => error.code)
  for (let count = 0; count < 20; count++) assert.equal(await attempt(), 'UNAVAILABLE')
  isBusy = false
  const codes = []
  for (let count = 0; count < 6; count++) codes.push(await attempt())
  assert.deepEqual(codes, [...Array(5).fill('INVALID_CREDENTIALS'), 'LOGIN_THROTTLED'])
})

test('a wrong password costs the same statements and one hash for known and unknown addresses', async () => {
  const app = await testApp()
  const { id } = await app.tenant()
  const user = await app.user(await app.apiKey({ id }))
  const scope = app.scopeOf(id)
  const trace: string[] = []
  const handle: Handle = {
    ...scope.handle,
    execute: (statement) => {
      trace.push(statement.texts.join('?'))
      return scope.handle.execute(statement)
    },
  }
  const hasher = {
    hash: async () => '',
    isStale: () => false,
    verify: async (stored: string | null) => {
      trace.push(`verify ${stored === null ? 'the decoy' : 'a hash'}`)
      return false
    },
  }
  const check = passwordCheck({ clock: app.clock, hasher, audit: async () => undefined })
  const sources = loginSources({ clock: app.clock, secrets: testSecrets })
  const costOf = async (email: string) => {
    trace.length = 0
    const traced = { ...scope, handle }
    const source = await sources.find(traced, email, 'the token of a browser')
    await assert.rejects(check(traced, { email, password: 'x', source }), { code: 'INVALID_CREDENTIALS' })
    return [...trace]
  }
  const unknown = await costOf(`${unique('u')}@example.com`)
  const known = await costOf(user.email)
  assert.ok(unknown.includes('verify the decoy') && known.includes('verify a hash'))
  assert.deepEqual(
    unknown.map((step) => step.replace('the decoy', 'a hash')),
    known,
  )
})
