import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecrets } from '../../storage/secrets.ts'
import { derivePublicKey } from '../wireguard/keys.ts'
import { deviceKeys } from './device-keys.ts'

const keys = deviceKeys(createSecrets(Buffer.alloc(32, 7)))
const owner = { tenantId: 'tenant', id: 'device' }

test('the keys made for a device open for it again', async () => {
  const { sealed, open } = keys.create(owner, null)
  assert.deepEqual(keys.open(owner, sealed), open)
  assert.equal(derivePublicKey(open.privateKey ?? ''), sealed.publicKey)
  assert.equal(Buffer.from(open.presharedKey, 'base64').length, 32)
})

test('keys in the row of another device, or in place of one another, do not open', async () => {
  const { sealed } = keys.create(owner, null)
  assert.throws(() => keys.open({ ...owner, id: 'other' }, sealed))
  assert.throws(() => keys.open({ ...owner, tenantId: 'other' }, sealed))
  assert.throws(() =>
    keys.open(owner, { ...sealed, presharedKeySealed: sealed.privateKeySealed ?? sealed.presharedKeySealed }),
  )
})
