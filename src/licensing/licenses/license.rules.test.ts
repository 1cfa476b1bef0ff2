import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  applyTermChanges,
  checkLicense,
  grantedUses,
  type License,
  type LicenseState,
  licenseStatus,
  licenseStatuses,
  plans,
  remainingUses,
  type Terms,
  whyNotUsable,
} from './license.rules.ts'

const now = new Date('2026-11-21T09:30:00.000Z')
const before = new Date(now.getTime() - 1)
const after = new Date(now.getTime() + 1)

function aLicense(overrides: Partial<License> = {}): License {
  return {
    id: '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57',
    tenantId: '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a58',
    product: 'vault-vpn',
    plan: 'STARTER',
    maxUses: 100,
    usesCount: 3,
    expiresAt: after,
    label: null,
    keySealed: Buffer.alloc(0),
    keyHint: '9C6ZP',
    createdAt: before,
    updatedAt: before,
    revokedAt: null,
    lastUsedAt: null,
    lastValidatedAt: null,
    ...overrides,
  }
}

test('a license expires at the instant of expiresAt, and revoked wins over expired', () => {
  const cases: [Pick<LicenseState, 'revokedAt' | 'expiresAt'>, string][] = [
    [{ revokedAt: null, expiresAt: null }, 'ACTIVE'],
    [{ revokedAt: null, expiresAt: after }, 'ACTIVE'],
    [{ revokedAt: null, expiresAt: now }, 'EXPIRED'],
    [{ revokedAt: null, expiresAt: before }, 'EXPIRED'],
    [{ revokedAt: before, expiresAt: null }, 'REVOKED'],
    [{ revokedAt: before, expiresAt: after }, 'REVOKED'],
    [{ revokedAt: before, expiresAt: before }, 'REVOKED'],
  ]
  for (const [license, status] of cases) assert.equal(licenseStatus(license, now), status)
})

test('TRIAL has 5 uses and STARTER 100 unless a number is given; PRO and ENTERPRISE are always unlimited', () => {
  const given = plans.map((plan) => [plan, grantedUses(plan, null), grantedUses(plan, 7), grantedUses(plan, 0)])
  assert.deepEqual(given, [
    ['TRIAL', 5, 7, 0],
    ['STARTER', 100, 7, 0],
    ['PRO', null, null, null],
    ['ENTERPRISE', null, null, null],
  ])
})

test('remaining uses are never below 0, and unlimited is null', () => {
  assert.equal(remainingUses({ maxUses: null, usesCount: 1000 }), null)
  assert.equal(remainingUses({ maxUses: 5, usesCount: 0 }), 5)
  assert.equal(remainingUses({ maxUses: 5, usesCount: 5 }), 0)
  assert.equal(remainingUses({ maxUses: 2, usesCount: 5 }), 0)
})

test('a change keeps absent members; a new plan resets the uses unless a number is given', () => {
  const terms: Terms = { plan: 'TRIAL', maxUses: 9, expiresAt: after, label: 'Order 1' }
  const cases: [Terms, Partial<Terms>, Partial<Terms>][] = [
    [terms, {}, {}],
    [terms, { plan: 'TRIAL' }, {}],
    [terms, { plan: 'STARTER' }, { plan: 'STARTER', maxUses: 100 }],
    [terms, { plan: 'STARTER', maxUses: 20 }, { plan: 'STARTER', maxUses: 20 }],
    [terms, { plan: 'PRO', maxUses: 20 }, { plan: 'PRO', maxUses: null }],
    [terms, { maxUses: null }, { maxUses: null }],
    [terms, { expiresAt: null, label: null }, { expiresAt: null, label: null }],
    [{ ...terms, plan: 'PRO', maxUses: null }, { maxUses: 3 }, {}],
    [{ ...terms, plan: 'PRO', maxUses: null }, { plan: 'STARTER' }, { plan: 'STARTER', maxUses: 100 }],
  ]
  for (const [current, changes, changed] of cases)
    assert.deepEqual(applyTermChanges(current, changes), { ...current, ...changed })
})

test('a verdict has the first code that applies: not found, revoked, expired, other product, no use left', () => {
  const asked = { now, product: 'vault-vpn', keyProducts: ['vault-vpn'] }
  const elsewhere = { ...asked, product: 'editing-sdk' }
  const keyOfOther = { now, product: null, keyProducts: ['editing-sdk'] }
  const used = { maxUses: 3, usesCount: 3 }
  const cases: [License | null, typeof asked | typeof keyOfOther, object][] = [
    [aLicense(), asked, { valid: true, code: 'VALID', plan: 'STARTER', usesRemaining: 97, expiresAt: after }],
    [
      aLicense(),
      { ...asked, product: null } as typeof keyOfOther,
      { valid: true, code: 'VALID', plan: 'STARTER', usesRemaining: 97, expiresAt: after },
    ],
    [
      aLicense({ plan: 'PRO', maxUses: null, expiresAt: null }),
      asked,
      { valid: true, code: 'VALID', plan: 'PRO', usesRemaining: null, expiresAt: null },
    ],
    [null, asked, { valid: false, code: 'NOT_FOUND', plan: null, usesRemaining: 0, expiresAt: null }],
    [
      aLicense({ revokedAt: before, expiresAt: before, ...used }),
      elsewhere,
      { valid: false, code: 'REVOKED', plan: 'STARTER', usesRemaining: 0, expiresAt: before },
    ],
    [
      aLicense({ expiresAt: now, ...used }),
      elsewhere,
      { valid: false, code: 'EXPIRED', plan: 'STARTER', usesRemaining: 0, expiresAt: now },
    ],
    [
      aLicense(used),
      elsewhere,
      { valid: false, code: 'PRODUCT_MISMATCH', plan: null, usesRemaining: 0, expiresAt: null },
    ],
    [aLicense(), keyOfOther, { valid: false, code: 'PRODUCT_MISMATCH', plan: null, usesRemaining: 0, expiresAt: null }],
    [
      aLicense(used),
      asked,
      { valid: false, code: 'USES_EXHAUSTED', plan: 'STARTER', usesRemaining: 0, expiresAt: after },
    ],
  ]
  for (const [license, question, verdict] of cases) assert.deepEqual(checkLicense(license, question), verdict)
})

test('of several unusable licenses the reason is exhausted, then expired, then revoked; without any it is required', () => {
  const good: LicenseState = { maxUses: 5, usesCount: 4, expiresAt: null, revokedAt: null }
  const exhausted = { ...good, usesCount: 5 }
  const expired = { ...exhausted, expiresAt: now }
  const revoked = { ...expired, revokedAt: before }
  const cases: [LicenseState[], string | null][] = [
    [[revoked, expired, exhausted, good], null],
    [[revoked, expired, exhausted], 'LICENSE_EXHAUSTED'],
    [[revoked, expired], 'LICENSE_EXPIRED'],
    [[revoked], 'LICENSE_REVOKED'],
    [[], 'LICENSE_REQUIRED'],
  ]
  for (const [standings, lack] of cases) assert.equal(whyNotUsable(standings, now), lack)
})

test('a verdict is valid exactly if a use could be taken', () => {
  const moment = fc.integer({ min: -2, max: 2 }).map((offset) => new Date(now.getTime() + offset))
  const standing = fc.record({
    maxUses: fc.option(fc.nat({ max: 4 })),
    usesCount: fc.nat({ max: 4 }),
    expiresAt: fc.option(moment),
    revokedAt: fc.option(fc.constant(before)),
  })
  fc.assert(
    fc.property(standing, (some) => {
      const verdict = checkLicense(aLicense(some), { now, product: null, keyProducts: ['vault-vpn'] })
      assert.equal(verdict.valid, whyNotUsable([some], now) === null)
      assert.equal(verdict.valid, verdict.code === 'VALID')
      assert.equal(verdict.usesRemaining, verdict.valid ? remainingUses(some) : 0)
      assert.ok(licenseStatuses.includes(licenseStatus(some, now)))
    }),
  )
})
