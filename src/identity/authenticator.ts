import type { AdminCaller, Authenticator } from '../http/access.ts'
import type { Clock } from '../kernel/clock.ts'
import type { PlatformScope } from '../storage/scope.ts'
import { adminKeyCheck } from './admins/admin-key.rules.ts'
import { readApiKey } from './keys/key.rules.ts'
import { findKeyCaller } from './keys/key.store.ts'
import type { KeyStamps } from './keys/key-stamps.ts'
import { builtInSlug } from './tenants/tenant.rules.ts'
import { findStanding } from './tenants/tenant.store.ts'
import type { AccessTokens } from './tokens/access-token.ts'
import { findUserCaller } from './tokens/session.store.ts'

export type AuthenticatorDeps = {
  platform: PlatformScope
  clock: Clock
  tokens: AccessTokens
  keyStamps: KeyStamps
  adminKey: string
}

/**
 * Turns credentials into callers. Nothing is remembered between requests, so that a suspension or a revocation holds
 * from the next one on. What has not the form of a credential costs no query.
 */
export function authenticatorOf({ platform, clock, tokens, keyStamps, adminKey }: AuthenticatorDeps): Authenticator {
  const checkAdminKey = adminKeyCheck(adminKey)
  return {
    adminKey: async (text): Promise<AdminCaller | null> => checkAdminKey(text),

    apiKey: async (text) => {
      const keyHash = readApiKey(text)
      if (keyHash === null) return null
      const now = clock.now()
      const caller = await findKeyCaller(platform, { keyHash, now })
      if (caller !== null) keyStamps.mark(caller, now)
      return caller
    },

    accessToken: async (text) => {
      const now = clock.now()
      const verdict = tokens.verify(text, now)
      if (!verdict.ok) return verdict.reason === 'expired' ? 'expired' : null
      return findUserCaller(platform, verdict.claims.sid, verdict.claims.tid, now)
    },

    builtInTenant: async () => {
      const standing = await findStanding(platform, builtInSlug)
      if (standing === null) throw new Error(`The built-in tenant ${builtInSlug} is missing: prepare() makes it.`)
      return standing
    },
  }
}
