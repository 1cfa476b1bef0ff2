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

test('a change keeps absent members, and null clears', () => {
  assert.deepEqual(applyChange(user, {}), user)
  assert.deepEqual(applyChange(user, { role: 'ADMIN' }), { ...user, role: 'ADMIN' })
  assert.equal(applyChange(user, { name: null }).name, null)
})

test('a new address has to be verified again, the same address does not', () => {
  assert.equal(applyChange(user, { email: 'eva@example.com' }).emailVerified, false)
  assert.equal(applyChange(user, { email: user.email }).emailVerified, true)
  assert.equal(applyChange({ ...user, emailVerified: false }, { name: 'Eva' }).emailVerified, false)
})

test('an audit entry has the old and new value of each changed member, and no other member', () => {
  assert.equal(changedMembers(user, { ...user, lastLoginAt: new Date() }), null)
  assert.deepEqual(changedMembers(user, { ...user, name: null, status: 'SUSPENDED' }), {
    name: { from: 'Ana', to: null },
    status: { from: 'ACTIVE', to: 'SUSPENDED' },
  })
})

test('a complete address is searched exactly, and anything else as the start of one', () => {
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
