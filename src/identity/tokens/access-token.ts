import { createPrivateKey, createPublicKey } from 'node:crypto'
import { createSigner, createVerifier } from 'fast-jwt'
import { isId, newId } from '../../kernel/ids.ts'
import type { UserRole } from '../users/user.rules.ts'

/** The claims of RFC 7519 section 4.1, plus the tenant (`tid`), the session (`sid`) and the role. Times in seconds since 1970. */
export type AccessClaims = Readonly<{
  iss: string
  aud: string
  sub: string
  tid: string
  sid: string
  role: UserRole
  iat: number
  exp: number
  jti: string
}>

export type AccessGrant = { userId: string; tenantId: string; sessionId: string; role: UserRole; now: Date }

export type AccessVerdict =
  | { ok: true; claims: AccessClaims }
  | { ok: false; reason: 'expired'; claims: AccessClaims }
  | { ok: false; reason: 'invalid' }

export type AccessTokens = {
  /** `expiresIn` in seconds. */
  sign(grant: AccessGrant): { token: string; expiresIn: number }
  /** 'expired' means that nothing but the age is wrong. The caller still has to check session, user and tenant. */
  verify(token: string, now: Date): AccessVerdict
}

const lifetimeSeconds = 3600
/** Tolerance for the clocks of two nodes. It does not extend a token's lifetime. */
const futureSeconds = 60
/** Our tokens have about 500 bytes. Longer texts are rejected unread. */
const tokenLengthMax = 4096
/** Verified tokens in the cache, about 1 KB each. A hit takes 5 us instead of 130 to 160 us for a signature. */
const cacheSize = 4096

/** The bytes before a 32-byte Ed25519 seed in PKCS #8 (RFC 8410 section 7). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
/** The only header that is accepted, so that no other algorithm, key id, key address or critical extension is ever interpreted. */
const header = `${Buffer.from('{"alg":"EdDSA","typ":"JWT"}').toString('base64url')}.`

/** Signed access tokens: JWT with EdDSA over Ed25519 (RFC 8037). `seed`: 32 secret bytes, the same on every node. */
export function accessTokens(options: { seed: Buffer; issuer: string; audience: string }): AccessTokens {
  const { seed, issuer, audience } = options
  if (seed.length !== 32) throw new RangeError('The seed for access tokens must have 32 bytes')
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' })
  const signClaims = createSigner({ key: key.export({ format: 'pem', type: 'pkcs8' }), algorithm: 'EdDSA' })
  const verifyClaims = createVerifier({
    key: createPublicKey(key).export({ format: 'pem', type: 'spki' }),
    algorithms: ['EdDSA'],
    allowedIss: issuer,
    allowedAud: audience,
    requiredClaims: ['iss', 'aud'],
    // The library would use the system clock; ours is injected.
    ignoreExpiration: true,
    cache: cacheSize,
  })

  return {
    sign({ userId, tenantId, sessionId, role, now }) {
      const iat = Math.floor(now.getTime() / 1000)
      const claims: AccessClaims = {
        iss: issuer,
        aud: audience,
        sub: userId,
        tid: tenantId,
        sid: sessionId,
        role,
        iat,
        exp: iat + lifetimeSeconds,
        jti: newId(now),
      }
      return { token: signClaims(claims), expiresIn: lifetimeSeconds }
    },

    verify(token, now) {
      if (!isCanonicalToken(token)) return { ok: false, reason: 'invalid' }
      const claims = verifyOrNull(verifyClaims, token)
      const seconds = now.getTime() / 1000
      if (!claims || claims.iat > seconds + futureSeconds) return { ok: false, reason: 'invalid' }
      return claims.exp > seconds ? { ok: true, claims } : { ok: false, reason: 'expired', claims }
    },
  }
}

function isCanonicalToken(token: string): boolean {
  if (token.length > tokenLengthMax || !token.startsWith(header)) return false
  // Base64url allows four spellings of the last signature byte. Only the canonical one is accepted, so a token has one text.
  const signature = token.slice(token.lastIndexOf('.') + 1)
  return Buffer.from(signature, 'base64url').toString('base64url') === signature
}

function verifyOrNull(verifyClaims: (token: string) => unknown, token: string): AccessClaims | null {
  try {
    const claims = verifyClaims(token)
    return isAccessClaims(claims) ? claims : null
  } catch {
    return null
  }
}

function isAccessClaims(claims: unknown): claims is AccessClaims {
  const { iss, aud, sub, tid, sid, jti, role, iat, exp } = claims as Record<string, unknown>
  const areIds = [sub, tid, sid, jti].every((id) => typeof id === 'string' && isId(id))
  const areTimes = Number.isSafeInteger(iat) && Number.isSafeInteger(exp)
  return (
    typeof iss === 'string' && typeof aud === 'string' && areIds && areTimes && (role === 'USER' || role === 'ADMIN')
  )
}
