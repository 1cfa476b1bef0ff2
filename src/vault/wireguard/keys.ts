import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  generateKeyPair as generateWithCallback,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { promisify } from 'node:util'

/** Both halves as WireGuard writes them: 32 bytes in 44 characters of base64. */
export type KeyPair = { privateKey: string; publicKey: string }

const keyBytes = 32
const keyCharacters = 44

// What stands before the 32 raw bytes in DER (RFC 8410 sections 4 and 7).
const privateKeyPrefix = Buffer.from('302e020100300506032b656e04220420', 'hex')
const publicKeyPrefix = Buffer.from('302a300506032b656e032100', 'hex')

const generateInThreadPool = promisify(generateWithCallback)

/** A new X25519 pair, made off the main thread. */
export async function generateKeyPair(): Promise<KeyPair> {
  // DER and not JWK: exporting x25519 keys as JWK deadlocks Node 20.20.
  const { privateKey, publicKey } = await generateInThreadPool('x25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  })
  return { privateKey: rawKey(privateKey), publicKey: rawKey(publicKey) }
}

/** 32 random bytes as base64: the symmetric key that a peer and the server share. */
export function generatePresharedKey(): string {
  return randomBytes(keyBytes).toString('base64')
}

/** The public half of a private key, both as base64: what `wg pubkey` prints. Throws on anything but 32 bytes. */
export function derivePublicKey(privateKey: string): string {
  const der = Buffer.concat([privateKeyPrefix, Buffer.from(privateKey, 'base64')])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return rawKey(createPublicKey(key).export({ format: 'der', type: 'spki' }))
}

/** Why a text cannot be a peer's public key, to stand after the name of its field; null when it can. */
export function publicKeyProblem(text: string): string | null {
  if (text.length !== keyCharacters) {
    return `must have exactly ${keyCharacters} characters of base64, as every WireGuard key has`
  }
  // Node decodes more spellings than `wg` does, and one key that `wg` refuses makes it refuse the server's whole file.
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== keyBytes || bytes.toString('base64') !== text) {
    return 'must be 32 bytes in canonical base64, exactly as `wg pubkey` prints them'
  }
  if (!canAgreeOnSecret(bytes)) {
    return 'is a point of low order, with which no secret can be agreed'
  }
  return null
}

/** A point of low order gives the all-zero secret (RFC 7748 section 6.1); importing one succeeds, deriving with it throws. */
function canAgreeOnSecret(publicKeyBytes: Buffer): boolean {
  const { privateKey } = generateKeyPairSync('x25519')
  const publicKey = importPublicKey(publicKeyBytes)
  try {
    diffieHellman({ privateKey, publicKey })
    return true
  } catch {
    return false
  }
}

function importPublicKey(bytes: Buffer): KeyObject {
  return createPublicKey({ key: Buffer.concat([publicKeyPrefix, bytes]), format: 'der', type: 'spki' })
}

function rawKey(der: Buffer): string {
  return der.subarray(-keyBytes).toString('base64')
}
