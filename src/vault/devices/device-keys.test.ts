import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecrets } from '../../storage/secrets.ts'
import { derivePublicKey } from '../wireguard/keys.ts'
import { deviceKeys } from './device-keys.ts'

const keys = deviceKeys(createSecrets(Buffer.alloc(32, 7)))
const owner = { tenantId: 'tenant', id: 'device' }
const partsOf = (sealed: Awaited<ReturnType<typeof keys.create>>) => ({
  ...sealed,
  serverPublicKey: '',
  dns: [],
  mtu: 1420,
})

test('the keys made for a device open for it again', async () => {
  const made = await keys.create(owner, null)
  const { privateKey, presharedKey } = keys.open(owner, partsOf(made))
  assert.equal(derivePublicKey(privateKey ?? ''), made.publicKey)
  assert.equal(Buffer.from(presharedKey, 'base64').length, 32)
})

test('keys in the row of another device, or in place of one another, do not open', async () => {
  const parts = partsOf(await keys.create(owner, null))
  assert.throws(() => keys.open({ ...owner, id: 'other' }, parts))
  assert.throws(() => keys.open({ ...owner, tenantId: 'other' }, parts))
  assert.throws(() =>
    keys.open(owner, { ...parts, presharedKeySealed: parts.privateKeySealed ?? parts.presharedKeySealed }),
  )
})
