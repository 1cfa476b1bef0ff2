import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/** Both halves as WireGuard writes them: 32 bytes in 44 characters of base64. */
export type KeyPair = { privateKey: string; publicKey: string }

const keyBytes = 32
const keyCharacters = 44

// The types of this function do not know the encoding; its documentation does.
const jwkEncodings = { privateKeyEncoding: { format: 'jwk' }, publicKeyEncoding: { format: 'jwk' } }
type JwkPair = { privateKey: { d: string }; publicKey: { x: string } }

// What stands before the 32 raw bytes in DER (RFC 8410 sections 4 and 7).
const privateKeyPrefix = Buffer.from('302e020100300506032b656e04220420', 'hex')
const publicKeyPrefix = Buffer.from('302a300506032b656e032100', 'hex')

/**
 * A new X25519 pair. Takes 0.04 ms: less than it costs to have another thread make it, and half of what the keys cost as
 * DER, for which OpenSSL looks up an encoder each time. Not exported from key objects, which deadlocks Node 20.
 */
export function generateKeyPair(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('x25519', jwkEncodings) as unknown as JwkPair
  return { privateKey: fromBase64url(privateKey.d), publicKey: fromBase64url(publicKey.x) }
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

/** The 32 bytes of a member of a JWK, spelled as WireGuard does. */
function fromBase64url(member: string): string {
  return Buffer.from(member, 'base64url').toString('base64')
}
