import { addressBucket, type RateCounter } from '../../http/limits/rate-limit.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Audit } from '../audit/audit.store.ts'

export type LoginAddressLimitDeps = {
  clock: Clock
  audit: Audit
  rateCounter: RateCounter
  /** Failed logins from one client address per window, before successful logins raise the limit. */
  failuresMax: number
}

/** In effect no limit: such a bucket only counts. */
const unlimited = 1_000_000_000

export type LoginAddressLimit = ReturnType<typeof loginAddressLimit>

/**
 * Limits failed logins per client address and tenant, against trying one password on many accounts. An app server may
 * log in all its users from one address, so each account that logs in raises the limit by one. It does so once per
 * window, so an attacker's own account buys only one more guess. Logins that run in parallel are admitted before any of
 * them fails, so the limit can be exceeded by the queue length of the password hasher. Fail-open: without Redis, each
 * node counts for itself.
 */
export function loginAddressLimit({ clock, audit, rateCounter, failuresMax }: LoginAddressLimitDeps) {
  const peekFailures = async (bucket: string, now: Date) => {
    const { limit, remaining } = await rateCounter.peek(`login-credits:${bucket}`, unlimited, now)
    return rateCounter.peek(`login-failures:${bucket}`, failuresMax + limit - remaining, now)
  }

  /** LOGIN_THROTTLED, or null below the limit. Without any query or hashing. */
  async function refusal(scope: TenantScope): Promise<Refusal | null> {
    const bucket = bucketName(scope)
    if (bucket === null) return null
    const { isAllowed, retryAfterSeconds } = await peekFailures(bucket, clock.now())
    return isAllowed ? null : new Refusal('LOGIN_THROTTLED', { retryAfterSeconds })
  }

  /** Counts known and unknown e-mail addresses alike. */
  async function recordFailure(scope: TenantScope): Promise<void> {
    const bucket = bucketName(scope)
    if (bucket === null) return
    const now = clock.now()
    await rateCounter.take(`login-failures:${bucket}`, unlimited, now)
    if ((await peekFailures(bucket, now)).isAllowed) return
    // The address is in the entry's `ip`: an erasure clears `ip` but keeps target ids.
    const target = { type: 'address', id: null }
    await audit(scope, { action: 'user.logins_throttled', target, outcome: 'DENIED' })
  }

  async function recordSuccess(scope: TenantScope, userId: string): Promise<void> {
    const bucket = bucketName(scope)
    if (bucket === null) return
    const now = clock.now()
    const { isAllowed } = await rateCounter.take(`login-ok:${userId}:${clientAddress(scope)}`, 1, now)
    if (isAllowed) await rateCounter.take(`login-credits:${bucket}`, unlimited, now)
  }

  return { refusal, failed: recordFailure, succeeded: recordSuccess }
}

function clientAddress({ caller }: TenantScope): string | null {
  return caller.ip === null ? null : addressBucket(caller.ip)
}

function bucketName(scope: TenantScope): string | null {
  const address = clientAddress(scope)
  return address === null ? null : `${scope.tenantId}:${address}`
}
