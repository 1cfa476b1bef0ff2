import { createVerifier } from 'fast-jwt'
import type { Clock } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { normalizeEmail } from '../users/email.rules.ts'
import { type GoogleIdentity, parseKeyId, type TokenFault, verifyClaims } from './google-token.rules.ts'
import { type SigningKeysDeps, signingKeys } from './signing-keys.ts'

export type GoogleSettings = {
  /** The OAuth client ids whose tokens are accepted. If there are none, sign-in with Google is off. */
  clientIds: string[]
  jwksUrl: string
}

export type GoogleTokens = {
  /** Refuses NOT_CONFIGURED, UNAVAILABLE, and INVALID_CREDENTIALS with the reason. */
  verify(token: { idToken: string; nonce?: string }): Promise<GoogleIdentity>
}

type Deps = GoogleSettings & { clock: Clock; log: SigningKeysDeps['log'] }

/** A day: nobody knows when the operator will change the setting. */
const notConfiguredSeconds = 86_400

/** Verifies Google's ID tokens (OpenID Connect): the library checks the signature, our own rules check the claims. */
export function googleTokens({ clientIds, jwksUrl, clock, log }: Deps): GoogleTokens {
  const keys = signingKeys({ url: jwksUrl, clock, log })
  return {
    verify: async ({ idToken, nonce = null }) => {
      if (clientIds.length === 0) {
        const detail = 'Sign-in with Google is not set up on this server (GOOGLE_CLIENT_IDS).'
        throw new Refusal('NOT_CONFIGURED', { detail, retryAfterSeconds: notConfiguredSeconds })
      }
      const keyId = parseKeyId(idToken)
      if (keyId === null) throw invalidIdToken('it is not a signed token of the expected form')
      const pem = await keys.find(keyId)
      const claims = pem === null ? null : signedClaims(idToken, pem)
      if (claims === null) throw invalidIdToken('it is not signed with a key of Google')
      const result = verifyClaims(claims, { clientIds, nonce, now: clock.now() })
      if (!result.ok) throw invalidIdToken(result.fault)
      const email = normalizeEmail(result.email)
      if (email === null) throw invalidIdToken('its e-mail address is not verified')
      return { subject: result.subject, email, name: result.name }
    },
  }
}

function signedClaims(token: string, pem: string): Record<string, unknown> | null {
  try {
    // Our own rules check the times, with the injected clock.
    const verify = createVerifier({ key: pem, algorithms: ['RS256'], ignoreExpiration: true, ignoreNotBefore: true })
    return verify(token) as Record<string, unknown>
  } catch {
    return null
  }
}

function invalidIdToken(fault: TokenFault): Refusal {
  return new Refusal('INVALID_CREDENTIALS', { detail: `The ID token is invalid: ${fault}.` })
}
