import type { UserCaller } from '../../http/access/callers.ts'
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
 * Returns the account with this e-mail address (in its stored form) and password. Refuses INVALID_CREDENTIALS, with the
 * same answer and at the same cost for an unknown address. Refuses LOGIN_THROTTLED while a delay is running, whatever the
 * password is. Do not call it inside a transaction: a rollback would undo the count of the failure.
 */
export type PasswordCheck = (scope: TenantScope, credentials: { email: string; password: string }) => Promise<Account>

export function passwordCheck(deps: { clock: Clock; hasher: PasswordHasher; audit: Audit }): PasswordCheck {
  const { clock, hasher, audit } = deps
  const queued = queueByKey()

  return (scope, { email, password }) => {
    const emailHash = hashEmail(email)
    // One after another, so that a user whose devices all log in at once is not taken for an attacker.
    return queued(`${scope.tenantId} ${email}`, async () => {
      const now = clock.now()
      const failures = await countAttempt(scope, { emailHash, now })
      if (failures === null) throw throttled((await findBlockedUntil(scope, emailHash)) ?? now, now)
      const account = await findAccount(scope, email)
      const isRight = await hasher.verify(account?.passwordHash ?? null, password).catch(async (busy: unknown) => {
        // The hash queue is full. No password was checked, and a flood of logins must not lock anybody out.
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

/** Checks the caller's own password and returns the stored hash. Refuses INVALID_CREDENTIALS and LOGIN_THROTTLED. */
export async function confirmOwnPassword(
  check: PasswordCheck,
  scope: TenantScope,
  { caller, password }: { caller: UserCaller; password: string },
): Promise<string | null> {
  const { user, passwordHash } = await check(scope, { email: caller.email, password })
  if (user.id !== caller.id) throw new Refusal('INVALID_CREDENTIALS') // the address has just moved to another user
  return passwordHash
}

function throttled(blockedUntil: Date, now: Date): Refusal {
  return new Refusal('LOGIN_THROTTLED', { retryAfterSeconds: retryAfterSeconds(blockedUntil, now) })
}

/** Runs tasks with the same key one after another, and tasks with different keys in parallel. */
function queueByKey() {
  const last = new Map<string, Promise<unknown>>()

  return async <T>(key: string, task: () => Promise<T>): Promise<T> => {
    const turn = (last.get(key) ?? Promise.resolve()).then(task, task)
    last.set(key, turn)
    try {
      return await turn
    } finally {
      if (last.get(key) === turn) last.delete(key)
    }
  }
}
