import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
} from 'node:crypto'

const keyBytes = 32
/** What stands before the 32 bytes of an X25519 private key in PKCS #8 (RFC 8410, section 7). */
const pkcs8Head = Buffer.from('302e020100300506032b656e04220420', 'hex')
const nonceBytes = 12
const tagBytes = 16

/** Whether `wg` takes it for a key: canonical base64 of 32 bytes. Node decodes more spellings than `wg` does. */
export function isKey(text: unknown): text is string {
  if (typeof text !== 'string' || text.length !== 44) return false
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === keyBytes && bytes.toString('base64') === text
}

export function newPrivateKey(): string {
  // Asked for as DER: exporting the key object as JWK could hang for ever in Node 20.
  const pair = generateKeyPairSync('x25519', {
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  })
  return pair.privateKey.subarray(-keyBytes).toString('base64')
}

export function derivePublicKey(privateKey: string): string {
  const der = Buffer.concat([pkcs8Head, Buffer.from(privateKey, 'base64')])
  const key = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
  return key.export({ type: 'spki', format: 'der' }).subarray(-keyBytes).toString('base64')
}

export type Sealer = { seal(text: string): string; open(sealed: string): string }

/**
 * AES-256-GCM under a key derived from the server's private key: whoever has only a copy of the other files reads no
 * preshared key. `purpose` is bound in, so that what is sealed for one file does not open as another.
 */
export function createSealer(privateKey: string, purpose: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(privateKey, 'base64'), '', 'atrium agent state', 32))
  const bound = Buffer.from(purpose)
  return {
    seal: (text) => {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bound)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
    },
    open: (sealed) => {
      const bytes = Buffer.from(sealed, 'base64')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
      decipher.setAAD(bound).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
    },
  }
}
