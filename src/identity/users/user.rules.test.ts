import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyChange, changedMembers, parseEmailFilter, type User } from './user.rules.ts'

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
  assert.deepEqual(applyChange(user, {}), user)
  assert.deepEqual(applyChange(user, { role: 'ADMIN' }), { ...user, role: 'ADMIN' })
  assert.equal(applyChange(user, { name: null }).name, null)
})

test('a changed address has to be verified again, the same address has not', () => {
  assert.equal(applyChange(user, { email: 'eva@example.com' }).emailVerified, false)
  assert.equal(applyChange(user, { email: user.email }).emailVerified, true)
  assert.equal(applyChange({ ...user, emailVerified: false }, { name: 'Eva' }).emailVerified, false)
})

test('an audit entry says of each changed member what it was and what it is, and nothing of the others', () => {
  assert.equal(changedMembers(user, { ...user, lastLoginAt: new Date() }), null)
  assert.deepEqual(changedMembers(user, { ...user, name: null, status: 'SUSPENDED' }), {
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
  for (const [text, kind, looked] of cases) assert.deepEqual(parseEmailFilter(text), { kind, text: looked }, text)
})
