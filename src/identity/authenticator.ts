import type { AdminCaller, Authenticator, NodeAuthenticator } from '../http/access/callers.ts'
import type { Clock } from '../kernel/clock.ts'
import type { LastUsedBuffer } from '../storage/last-used-buffer.ts'
import type { PlatformScope } from '../storage/scope.ts'
import { adminKeyCheck, adminKeyFormat } from './admins/admin-key.rules.ts'
import { findAdminCaller } from './admins/admin-key.store.ts'
import type { KeyCallerCache } from './keys/key-caller-cache.ts'
import type { KeyLastUsedBuffer } from './keys/key-last-used.ts'
import { builtInSlug } from './tenants/tenant.rules.ts'
import { findCallerTenant } from './tenants/tenant.store.ts'
import type { AccessTokens } from './tokens/access-token.ts'
import { findUserCaller } from './tokens/session.store.ts'

/** Of all callers but the nodes of the VPN. */
export type IdentityAuthenticator = Omit<Authenticator, keyof NodeAuthenticator>

export type AuthenticatorDeps = {
  platform: PlatformScope
  clock: Clock
  tokens: AccessTokens
  keyCallers: KeyCallerCache
  keyStamps: KeyLastUsedBuffer
  adminKeyStamps: LastUsedBuffer
  /** The key of the environment. */
  adminKey: string
}

/**
 * Turns credentials into callers. A suspension or a revocation holds from the next request on: of users nothing is
 * remembered, of keys only what `keyCallersOf` tells. What has not the form of a credential costs no query.
 */
export function identityAuthenticator(deps: AuthenticatorDeps): IdentityAuthenticator {
  const { platform, clock, tokens, keyCallers, keyStamps, adminKeyStamps, adminKey } = deps
  const checkAdminKey = adminKeyCheck(adminKey)
  return {
    adminKey: async (text): Promise<AdminCaller | null> => {
      const owner = checkAdminKey(text)
      if (owner !== null) return owner
      const keyHash = adminKeyFormat.hash(text)
      if (keyHash === null) return null
      const now = clock.now()
      const caller = await findAdminCaller(platform, keyHash, now)
      if (caller !== null) adminKeyStamps.mark(caller.id as string, now)
      return caller
    },

    apiKey: async (text) => {
      const now = clock.now()
      const caller = await keyCallers.find(text, now)
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
      const standing = await findCallerTenant(platform, builtInSlug)
      if (standing === null) throw new Error(`The built-in tenant ${builtInSlug} is missing: prepare() makes it.`)
      return standing
    },
  }
}
