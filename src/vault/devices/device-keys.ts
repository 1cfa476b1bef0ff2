import { invalidField } from '../../kernel/refusal.ts'
import type { SealedColumn } from '../../storage/sealed-column.ts'
import type { Secrets } from '../../storage/secrets.ts'
import { generateKeyPair, generatePresharedKey, publicKeyProblem } from '../wireguard/keys.ts'
import type { SealedKeys } from './device.store.ts'

/** The row that the keys belong to. Sealed bytes that are moved to another row do not open. */
export type KeyOwner = { tenantId: string; id: string }

export type OpenKeys = { privateKey: string | null; presharedKey: string }
/** Both forms: what is stored, and what the configuration file shows. */
export type NewKeyPair = { sealed: SealedKeys; open: OpenKeys }

/** Refuses a public key that WireGuard would refuse. */
export function refuseBadKey(publicKey: string): void {
  const problem = publicKeyProblem(publicKey)
  if (problem !== null) throw invalidField('/body/publicKey', { code: 'publicKey', message: problem })
}

/** Seals and opens the keys of devices. The database only ever holds them sealed. */
export function deviceKeys(secrets: Secrets) {
  const seal = (text: string, owner: KeyOwner, which: Which) => secrets.seal(text, sealContext(owner, which))
  return {
    /** A new key pair, or the public key that was given; always a new preshared key. Refuses a key that WireGuard would refuse. */
    create(owner: KeyOwner, givenPublicKey: string | null): NewKeyPair {
      if (givenPublicKey !== null) refuseBadKey(givenPublicKey)
      const presharedKey = generatePresharedKey()
      const presharedKeySealed = seal(presharedKey, owner, 'preshared')
      if (givenPublicKey !== null) {
        const sealed = { publicKey: givenPublicKey, privateKeySealed: null, presharedKeySealed }
        return { sealed, open: { privateKey: null, presharedKey } }
      }
      const { publicKey, privateKey } = generateKeyPair()
      const sealed = { publicKey, privateKeySealed: seal(privateKey, owner, 'private'), presharedKeySealed }
      return { sealed, open: { privateKey, presharedKey } }
    },
    openPreshared: (owner: KeyOwner, sealed: Buffer): string => secrets.open(sealed, sealContext(owner, 'preshared')),
    open(owner: KeyOwner, { privateKeySealed, presharedKeySealed }: Omit<SealedKeys, 'publicKey'>): OpenKeys {
      return {
        privateKey: privateKeySealed === null ? null : secrets.open(privateKeySealed, sealContext(owner, 'private')),
        presharedKey: secrets.open(presharedKeySealed, sealContext(owner, 'preshared')),
      }
    },
  }
}

export const sealedDeviceKeys: SealedColumn[] = (['private', 'preshared'] as const).map((which) => ({
  table: 'devices',
  column: `${which}_key_sealed`,
  owner: ['tenant_id', 'id'],
  context: ([tenantId = '', id = '']) => sealContext({ tenantId, id }, which),
}))

export type DeviceKeys = ReturnType<typeof deviceKeys>

type Which = 'private' | 'preshared'

function sealContext({ tenantId, id }: KeyOwner, which: Which): string {
  return `devices:${tenantId}:${id}:${which}`
}
