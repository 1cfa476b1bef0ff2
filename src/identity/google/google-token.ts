import { createVerifier } from 'fast-jwt'
import type { Clock } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { normalizeEmail } from '../users/email.rules.ts'
import { type GoogleIdentity, parseKeyId, type TokenFault, verifyClaims } from './google-token.rules.ts'
import { type SigningKeysDeps, signingKeys } from './signing-keys.ts'

export type GoogleSettings = {
  /** The applications whose tokens are taken; none: nobody can sign in with Google. */
  clientIds: string[]
  jwksUrl: string
}

export type GoogleTokens = {
  /** Refuses NOT_CONFIGURED, UNAVAILABLE, and INVALID_CREDENTIALS with the reason. */
  verify(sent: { idToken: string; nonce?: string }): Promise<GoogleIdentity>
}

type Deps = GoogleSettings & { clock: Clock; log: SigningKeysDeps['log'] }

/** A day: when the operator has changed the setting is anybody's guess. */
const notConfiguredSeconds = 86_400

/** ID tokens of Google (OpenID Connect): the signature by the library, what is claimed by our own rules. */
export function googleTokens({ clientIds, jwksUrl, clock, log }: Deps): GoogleTokens {
  const keys = signingKeys({ url: jwksUrl, clock, log })
  return {
    verify: async ({ idToken, nonce = null }) => {
      if (clientIds.length === 0) {
        const detail = 'Sign-in with Google is not set up here (GOOGLE_CLIENT_IDS).'
        throw new Refusal('NOT_CONFIGURED', { detail, retryAfterSeconds: notConfiguredSeconds })
      }
      const keyId = parseKeyId(idToken)
      if (keyId === null) throw invalidIdToken('it is not a signed token of the expected form')
      const pem = await keys.find(keyId)
      const claims = pem === null ? null : signedClaims(idToken, pem)
      if (claims === null) throw invalidIdToken('no key of Google has signed it')
      const judged = verifyClaims(claims, { clientIds, nonce, now: clock.now() })
      if (!judged.ok) throw invalidIdToken(judged.fault)
      const email = normalizeEmail(judged.email)
      if (email === null) throw invalidIdToken('its e-mail address is not verified')
      return { subject: judged.subject, email, name: judged.name }
    },
  }
}

function signedClaims(token: string, pem: string): Record<string, unknown> | null {
  try {
    // Times are judged by our clock and not by the library's.
    const verify = createVerifier({ key: pem, algorithms: ['RS256'], ignoreExpiration: true, ignoreNotBefore: true })
    return verify(token) as Record<string, unknown>
  } catch {
    return null
  }
}

function invalidIdToken(fault: TokenFault): Refusal {
  return new Refusal('INVALID_CREDENTIALS', { detail: `The ID token does not hold: ${fault}.` })
}
