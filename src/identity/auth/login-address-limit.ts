import { addressBucket, type RateCounter } from '../../http/limits/rate-limit.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Audit } from '../audit/audit.store.ts'

export type LoginAddressLimitDeps = {
  clock: Clock
  audit: Audit
  rateCounter: RateCounter
  /** Failed logins of one address in a window, before any is credited. */
  failuresMax: number
}

/** As good as no limit: the bucket only counts. */
const unlimited = 1_000_000_000

export type LoginAddressLimit = ReturnType<typeof loginAddressLimit>

/**
 * Slows whoever tries one password on many accounts of a tenant from one address. An app server logs all its users in
 * from one address, so each account that succeeds allows one more failure; once a window, so that an account of one's
 * own buys one guess and no more. Logins that run side by side were all admitted before any of them failed: as many
 * as the line of the password hasher holds may come on top. Where Redis is away each node counts for itself.
 */
export function loginAddressLimit({ clock, audit, rateCounter, failuresMax }: LoginAddressLimitDeps) {
  const peekFailures = async (place: string, now: Date) => {
    const { limit, remaining } = await rateCounter.peek(`login-credits:${place}`, unlimited, now)
    return rateCounter.peek(`login-failures:${place}`, failuresMax + limit - remaining, now)
  }

  /** Refuses LOGIN_THROTTLED, before anything is looked up or hashed. */
  async function admit(scope: TenantScope): Promise<void> {
    const place = bucketName(scope)
    if (place === null) return
    const { isAllowed, retryAfterSeconds } = await peekFailures(place, clock.now())
    if (!isAllowed) throw new Refusal('LOGIN_THROTTLED', { retryAfterSeconds })
  }

  /** Counts alike for an e-mail that somebody has and one that nobody has. */
  async function recordFailure(scope: TenantScope): Promise<void> {
    const place = bucketName(scope)
    if (place === null) return
    const now = clock.now()
    await rateCounter.take(`login-failures:${place}`, unlimited, now)
    if ((await peekFailures(place, now)).isAllowed) return
    // Which address is the entry's `ip`: an erasure blanks that, and leaves ids.
    const target = { type: 'address', id: null }
    await audit(scope, { action: 'user.logins_throttled', target, outcome: 'DENIED' })
  }

  async function recordSuccess(scope: TenantScope, userId: string): Promise<void> {
    const place = bucketName(scope)
    if (place === null) return
    const now = clock.now()
    const { isAllowed } = await rateCounter.take(`login-ok:${userId}:${addressOf(scope)}`, 1, now)
    if (isAllowed) await rateCounter.take(`login-credits:${place}`, unlimited, now)
  }

  return { admit, failed: recordFailure, succeeded: recordSuccess }
}

function addressOf({ caller }: TenantScope): string | null {
  return caller.ip === null ? null : addressBucket(caller.ip)
}

function bucketName(scope: TenantScope): string | null {
  const address = addressOf(scope)
  return address === null ? null : `${scope.tenantId}:${address}`
}
