import { addressBucket } from '../../http/limits/rate-limit.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Secrets } from '../../storage/secrets.ts'
import { hashSource, type LoginSource, sourceLifetimeSeconds } from './login-source.rules.ts'
import { findKnownSources, rememberSources } from './login-source.store.ts'

/** A source from which the account has logged in before: its failed logins have a counter of their own. */
export type KnownSource = { hash: Buffer; kind: LoginSource['kind'] }

export type LoginSources = ReturnType<typeof loginSources>

/**
 * Tells the places from which an account has logged in from all others. A stranger's wrong guesses delay only the others,
 * so that nobody else can keep the owner out.
 */
export function loginSources({ clock, secrets }: { clock: Clock; secrets: Pick<Secrets, 'derive'> }) {
  const key = secrets.derive('login-sources')

  const sourcesOf = (scope: TenantScope, browser: string | null): KnownSource[] => {
    const { ip } = scope.caller
    const sources: LoginSource[] = []
    // The browser first: it says more than an address, which people share.
    if (browser !== null) sources.push({ kind: 'browser', value: browser })
    if (ip !== null) sources.push({ kind: 'address', value: addressBucket(ip) })
    return sources.map((source) => ({ kind: source.kind, hash: hashSource(key, scope.tenantId, source) }))
  }

  return {
    /** The browser or address of a login, if the account with this address has logged in from there; otherwise null. */
    find: async (scope: TenantScope, email: string, browser: string | null): Promise<KnownSource | null> => {
      const sources = sourcesOf(scope, browser)
      const seenSince = new Date(clock.now().getTime() - sourceLifetimeSeconds * 1000)
      const known = await findKnownSources(scope, { email, sources: sources.map(({ hash }) => hash), seenSince })
      return sources.find(({ hash }) => known.some((each) => each.equals(hash))) ?? null
    },

    /** The session of a user who repeats the password. It began with a login, so it is always known. */
    ofSession: (scope: TenantScope, sessionId: string): KnownSource => ({
      kind: 'session',
      hash: hashSource(key, scope.tenantId, { kind: 'session', value: sessionId }),
    }),

    /** In the transaction of a login. */
    remember: (tx: TenantScope, userId: string, browser: string | null): Promise<void> =>
      rememberSources(tx, { userId, sources: sourcesOf(tx, browser).map(({ hash }) => hash), now: clock.now() }),
  }
}
