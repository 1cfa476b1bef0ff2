import { invalidField } from '../../kernel/refusal.ts'
import type { SealedColumn } from '../../storage/sealed-column.ts'
import type { Secrets } from '../../storage/secrets.ts'
import { generateKeyPair, generatePresharedKey, publicKeyProblem } from '../wireguard/keys.ts'
import type { ConfigParts, SealedKeys } from './device.store.ts'

/** Names the row whose keys these are: sealed bytes moved to another row do not open. */
export type KeyOwner = { tenantId: string; id: string }

export type OpenKeys = { privateKey: string | null; presharedKey: string }

/** The keys of a device on their way into and out of the database, where they are only ever sealed. */
export function deviceKeys(secrets: Secrets) {
  const seal = (text: string, owner: KeyOwner, which: Which) => secrets.seal(text, boundTo(owner, which))
  return {
    /** A new pair, or the public half given; a new preshared key always. Refuses a key that WireGuard would refuse. */
    async make(owner: KeyOwner, givenPublicKey: string | null): Promise<SealedKeys> {
      const problem = givenPublicKey === null ? null : publicKeyProblem(givenPublicKey)
      if (problem !== null) throw invalidField('/body/publicKey', { code: 'publicKey', message: problem })
      const presharedKeySealed = seal(generatePresharedKey(), owner, 'preshared')
      if (givenPublicKey !== null) return { publicKey: givenPublicKey, privateKeySealed: null, presharedKeySealed }
      const { publicKey, privateKey } = await generateKeyPair()
      return { publicKey, privateKeySealed: seal(privateKey, owner, 'private'), presharedKeySealed }
    },
    openPreshared: (owner: KeyOwner, sealed: Buffer): string => secrets.open(sealed, boundTo(owner, 'preshared')),
    open(owner: KeyOwner, { privateKeySealed, presharedKeySealed }: ConfigParts): OpenKeys {
      return {
        privateKey: privateKeySealed === null ? null : secrets.open(privateKeySealed, boundTo(owner, 'private')),
        presharedKey: secrets.open(presharedKeySealed, boundTo(owner, 'preshared')),
      }
    },
  }
}

export const sealedDeviceKeys: SealedColumn[] = (['private', 'preshared'] as const).map((which) => ({
  table: 'devices',
  column: `${which}_key_sealed`,
  owner: ['tenant_id', 'id'],
  boundTo: ([tenantId = '', id = '']) => boundTo({ tenantId, id }, which),
}))

export type DeviceKeys = ReturnType<typeof deviceKeys>

type Which = 'private' | 'preshared'

function boundTo({ tenantId, id }: KeyOwner, which: Which): string {
  return `devices:${tenantId}:${id}:${which}`
}
