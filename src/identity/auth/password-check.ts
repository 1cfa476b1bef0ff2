import type { UserCaller } from '../../http/access/access.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Audit } from '../audit/audit.store.ts'
import { hashEmail } from '../users/email.rules.ts'
import { type Account, findAccount } from '../users/user.store.ts'
import { countAttempt, deleteFailures, findBlockedUntil, uncountAttempt } from './login-failure.store.ts'
import { freeFailures, retryAfterSeconds } from './login-throttle.rules.ts'
import type { PasswordHasher } from './password-hash.ts'

/**
 * The account of an address (in its stored form) and its password. Refuses INVALID_CREDENTIALS, alike and at the same
 * cost for an unknown address, and LOGIN_THROTTLED while a delay runs, whatever the password. Not inside a transaction
 * that a refusal undoes: the failure has to stay counted.
 */
export type PasswordCheck = (scope: TenantScope, claim: { email: string; password: string }) => Promise<Account>

export function passwordCheck(deps: { clock: Clock; hasher: PasswordHasher; audit: Audit }): PasswordCheck {
  const { clock, hasher, audit } = deps
  const inTurn = queueByKey()

  return (scope, { email, password }) => {
    const emailHash = hashEmail(email)
    // In turn, so that a person whose devices all log in at once is not taken for one who guesses.
    return inTurn(`${scope.tenantId} ${email}`, async () => {
      const now = clock.now()
      const failures = await countAttempt(scope, { emailHash, now })
      if (failures === null) throw throttled((await findBlockedUntil(scope, emailHash)) ?? now, now)
      const account = await findAccount(scope, email)
      const isRight = await hasher.verify(account?.passwordHash ?? null, password).catch(async (busy: unknown) => {
        // Too many wait for a hash: no guess was made, and a flood of logins must not lock anybody out.
        await uncountAttempt(scope, { emailHash, now })
        throw busy
      })
      if (account === null || !isRight) {
        if (failures === freeFailures + 1) {
          const target = { type: 'user', id: account?.user.id ?? null }
          await audit(scope, { action: 'user.login_throttled', target, outcome: 'DENIED', changes: { failures } })
        }
        throw new Refusal('INVALID_CREDENTIALS')
      }
      await deleteFailures(scope, emailHash)
      return account
    })
  }
}

/** The hash that a caller's own password was found right against. Refuses INVALID_CREDENTIALS and LOGIN_THROTTLED. */
export async function confirmOwnPassword(
  check: PasswordCheck,
  scope: TenantScope,
  { caller, password }: { caller: UserCaller; password: string },
): Promise<string | null> {
  const { user, passwordHash } = await check(scope, { email: caller.email, password })
  if (user.id !== caller.id) throw new Refusal('INVALID_CREDENTIALS') // the address has just changed hands
  return passwordHash
}

function throttled(blockedUntil: Date, now: Date): Refusal {
  return new Refusal('LOGIN_THROTTLED', { retryAfterSeconds: retryAfterSeconds(blockedUntil, now) })
}

/** Runs the works of one key one after the other, and those of different keys side by side. */
function queueByKey() {
  const last = new Map<string, Promise<unknown>>()

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, turn)
    try {
      return await turn
    } finally {
      if (last.get(key) === turn) last.delete(key)
    }
  }
}
