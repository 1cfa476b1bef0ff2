import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../kernel/refusal.ts'
import { parseEmail } from '../users/email.rules.ts'
import {
  applyPatch,
  changedMembers,
  completeWhitelabel,
  maskedKeyPrefix,
  refuseBuiltIn,
  refuseUnconfirmed,
  type Tenant,
} from './tenant.rules.ts'

const refusalOf = (code: string) => (fault: unknown) => fault instanceof Refusal && fault.code === code

const tenant: Tenant = {
  id: '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57',
  name: 'Acme',
  slug: 'acme',
  contactEmail: 'ops@acme.example',
  status: 'ACTIVE',
  limits: { maxUsers: 10, maxApiKeys: 5 },
  products: ['vault-vpn'],
  areProductsChosen: false,
  whitelabelConfig: completeWhitelabel({ displayName: 'Acme VPN', primaryColor: '#0057b8' }),
  keyPrefix: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
}

test('a whitelabel config without a value is null', () => {
  assert.equal(completeWhitelabel(null), null)
  assert.equal(completeWhitelabel({}), null)
  assert.equal(completeWhitelabel({ logoUrl: null }), null)
  assert.deepEqual(Object.keys(completeWhitelabel({ logoUrl: 'https://a.example' }) ?? {}).length, 8)
})

test('a PATCH keeps absent members and clears with null, member by member', () => {
  assert.deepEqual(applyPatch(tenant, {}), tenant)
  const next = applyPatch(tenant, {
    limits: { maxUsers: null, maxDevices: 3 },
    whitelabelConfig: { primaryColor: null, supportEmail: ' Help@Acme.example' },
  })
  assert.deepEqual(next.limits, { maxUsers: null, maxApiKeys: 5, maxDevices: 3 })
  assert.deepEqual(
    next.whitelabelConfig,
    completeWhitelabel({ displayName: 'Acme VPN', supportEmail: 'help@acme.example' }),
  )
  const cleared = applyPatch(tenant, { limits: null, whitelabelConfig: null })
  assert.deepEqual([cleared.limits, cleared.whitelabelConfig], [{}, null])
  assert.equal(
    applyPatch(tenant, { whitelabelConfig: { displayName: null, primaryColor: null } }).whitelabelConfig,
    null,
  )
})

test('products that an administrator chose replace those of the keys until they are cleared', () => {
  const chosen = applyPatch(tenant, { products: ['vault-vpn', 'editing-sdk'] })
  assert.deepEqual([chosen.products, chosen.areProductsChosen], [['editing-sdk', 'vault-vpn'], true])
  assert.deepEqual(applyPatch(chosen, { name: 'Acme' }).products, chosen.products)
  assert.deepEqual(applyPatch(chosen, { products: [] }).products, [])
  const cleared = applyPatch(chosen, { products: null }, ['vault-vpn'])
  assert.deepEqual([cleared.products, cleared.areProductsChosen], [['vault-vpn'], false])
})

test('names are trimmed and e-mail addresses normalized, or rejected', () => {
  const next = applyPatch(tenant, { name: '  Acme Ltd ', contactEmail: ' Ops@ACME.example ' })
  assert.deepEqual([next.name, next.contactEmail], ['Acme Ltd', 'ops@acme.example'])
  assert.throws(() => applyPatch(tenant, { contactEmail: 'nobody' }), refusalOf('VALIDATION_ERROR'))
  assert.throws(
    () => applyPatch(tenant, { whitelabelConfig: { supportEmail: 'nobody' } }),
    refusalOf('VALIDATION_ERROR'),
  )
  assert.throws(() => parseEmail('a@@b.example', '/body/contactEmail'), refusalOf('VALIDATION_ERROR'))
})

test('the built-in tenant can be neither suspended nor deleted', () => {
  const platform = { ...tenant, slug: 'platform' }
  assert.throws(() => applyPatch(platform, { status: 'SUSPENDED' }), refusalOf('STATE_CONFLICT'))
  assert.throws(() => refuseBuiltIn(platform, 'deleted'), refusalOf('STATE_CONFLICT'))
  assert.equal(applyPatch(platform, { status: 'ACTIVE', name: 'Front door' }).name, 'Front door')
  assert.equal(applyPatch(tenant, { status: 'SUSPENDED' }).status, 'SUSPENDED')
  refuseBuiltIn(tenant, 'deleted')
})

test('only the exact slug confirms a deletion', () => {
  refuseUnconfirmed(tenant, 'acme')
  for (const wrong of ['', 'ACME', 'acme ', 'acm']) {
    assert.throws(() => refuseUnconfirmed(tenant, wrong), refusalOf('VALIDATION_ERROR'))
  }
})

test('a change has the old and new value, and equal values are no change', () => {
  assert.deepEqual(changedMembers(tenant, applyPatch(tenant, { name: 'Acme', limits: { maxUsers: 10 } })), {})
  assert.deepEqual(changedMembers(tenant, { ...tenant, status: 'SUSPENDED', keyPrefix: 'atr_Ab3d' }), {
    status: { from: 'ACTIVE', to: 'SUSPENDED' },
  })
})

test('a tenant shows only the start of a key', () => {
  assert.equal(maskedKeyPrefix('atr_Ab3d'), 'atr_Ab3d...')
  assert.equal(maskedKeyPrefix(null), null)
})
