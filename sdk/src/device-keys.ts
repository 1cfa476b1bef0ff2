import { AtriumError } from './errors.ts'

type CryptoKey = Parameters<typeof crypto.subtle.exportKey>[1]

export type DeviceKeys = { publicKey: string; privateKey: string }

/** A WireGuard key pair, made here: the private key is never sent. */
export async function createDeviceKeys(): Promise<DeviceKeys> {
  try {
    const pair = (await crypto.subtle.generateKey('X25519', true, ['deriveBits'])) as {
      privateKey: CryptoKey
      publicKey: CryptoKey
    }
    const [secret, open] = await Promise.all([
      crypto.subtle.exportKey('jwk', pair.privateKey),
      crypto.subtle.exportKey('jwk', pair.publicKey),
    ])
    return { publicKey: base64(open.x), privateKey: base64(secret.d) }
  } catch (cause) {
    throw new AtriumError({ code: 'UNSUPPORTED', message: 'This runtime cannot make X25519 keys.', cause })
  }
}

/** The file of the service with the private key in its place. */
export function withPrivateKey(config: string, privateKey: string): string {
  return config.replace(/^(?:PrivateKey *=.*|# *PrivateKey *=.*)$/m, `PrivateKey = ${privateKey}`)
}

/** From the alphabet of addresses, without padding, to that of WireGuard. */
function base64(text = ''): string {
  return `${text.replaceAll('-', '+').replaceAll('_', '/')}=`
}
