import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changed, differences, readEmailFilter, type User } from './user.rules.ts'

const user: User = {
  id: '01920000-0000-7000-8000-000000000001',
  tenantId: '01920000-0000-7000-8000-000000000002',
  email: 'ana@example.com',
  name: 'Ana',
  role: 'USER',
  status: 'ACTIVE',
  emailVerified: true,
  googleLinked: false,
  lastLoginAt: null,
  createdAt: new Date('2026-03-01T12:00:00Z'),
}

test('what a change does not name stays as it is, and null clears', () => {
  assert.deepEqual(changed(user, {}), user)
  assert.deepEqual(changed(user, { role: 'ADMIN' }), { ...user, role: 'ADMIN' })
  assert.equal(changed(user, { name: null }).name, null)
})

test('a changed address has to be verified again, the same address has not', () => {
  assert.equal(changed(user, { email: 'eva@example.com' }).emailVerified, false)
  assert.equal(changed(user, { email: user.email }).emailVerified, true)
  assert.equal(changed({ ...user, emailVerified: false }, { name: 'Eva' }).emailVerified, false)
})

test('an audit entry says of each changed member what it was and what it is, and nothing of the others', () => {
  assert.equal(differences(user, { ...user, lastLoginAt: new Date() }), null)
  assert.deepEqual(differences(user, { ...user, name: null, status: 'SUSPENDED' }), {
    name: { from: 'Ana', to: null },
    status: { from: 'ACTIVE', to: 'SUSPENDED' },
  })
})

test('a complete address is looked for as it is, and anything else as the start of one', () => {
  const cases = [
    ['ana@example.com', 'exact', 'ana@example.com'],
    [' Ana@Example.COM ', 'exact', 'ana@example.com'],
    ['ana@example.com*', 'prefix', 'ana@example.com'],
    ['Ana', 'prefix', 'ana'],
    ['ana*', 'prefix', 'ana'],
    ['ana@exa', 'prefix', 'ana@exa'],
    ['\uFF21NA', 'prefix', 'ana'],
    ['%', 'prefix', '%'],
  ] as const
  for (const [text, kind, looked] of cases) assert.deepEqual(readEmailFilter(text), { kind, text: looked }, text)
})
