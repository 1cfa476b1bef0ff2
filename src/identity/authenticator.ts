import type { AdminCaller, Authenticator, NodeAuthenticator, RunnerAuthenticator } from '../http/access/callers.ts'
import type { Clock } from '../kernel/clock.ts'
import type { LastUsedBuffer } from '../storage/last-used-buffer.ts'
import type { PlatformScope } from '../storage/scope.ts'
import { adminKeyCheck, adminKeyFormat } from './admin-keys/admin-key.rules.ts'
import { findAdminCaller } from './admin-keys/admin-key.store.ts'
import type { KeyCallerCache } from './keys/key-caller-cache.ts'
import type { KeyLastUsedBuffer } from './keys/key-last-used.ts'
import { builtInSlug } from './tenants/tenant.rules.ts'
import { findCallerTenant } from './tenants/tenant.store.ts'
import type { AccessTokens } from './tokens/access-token.ts'
import { findUserCaller } from './tokens/session.store.ts'

/** Authenticates all callers except the nodes of the VPN and the sessions of the console. */
export type IdentityAuthenticator = Omit<
  Authenticator,
  keyof NodeAuthenticator | keyof RunnerAuthenticator | 'browserSession'
>
/** The part for callers with a key or token. */
export type HeaderAuthenticator = Omit<IdentityAuthenticator, 'noteWrongAdminKey'>

export type AuthenticatorDeps = {
  platform: PlatformScope
  clock: Clock
  tokens: AccessTokens
  keyCallers: KeyCallerCache
  keysLastUsed: KeyLastUsedBuffer
  adminKeysLastUsed: LastUsedBuffer
  /** The admin key from the environment (`ADMIN_KEY`). */
  adminKey: string
}

/**
 * Turns credentials into callers. A suspension or revocation takes effect with the next request: users are not cached, and
 * keys only as `keyCallerCache` says. A text that cannot be a credential costs no query.
 */
export function headerAuthenticator(deps: AuthenticatorDeps): HeaderAuthenticator {
  const { platform, clock, tokens, keyCallers, keysLastUsed, adminKeysLastUsed, adminKey } = deps
  const checkAdminKey = adminKeyCheck(adminKey)
  return {
    adminKey: async (text): Promise<AdminCaller | null> => {
      const owner = checkAdminKey(text)
      if (owner !== null) return owner
      const keyHash = adminKeyFormat.hash(text)
      if (keyHash === null) return null
      const now = clock.now()
      const caller = await findAdminCaller(platform, keyHash, now)
      if (caller !== null) adminKeysLastUsed.mark(caller.id as string, now)
      return caller
    },

    apiKey: async (text) => {
      const now = clock.now()
      const caller = await keyCallers.find(text, now)
      if (caller !== null) keysLastUsed.mark(caller, now)
      return caller
    },

    accessToken: async (text) => {
      const now = clock.now()
      const result = tokens.verify(text, now)
      if (!result.ok) return result.reason === 'expired' ? { expiredUserId: result.claims.sub } : null
      return findUserCaller(platform, result.claims.sid, result.claims.tid, now)
    },

    builtInTenant: async () => {
      const tenant = await findCallerTenant(platform, builtInSlug)
      if (tenant === null) throw new Error(`The built-in tenant ${builtInSlug} is missing. prepare() creates it.`)
      return tenant
    },
  }
}
