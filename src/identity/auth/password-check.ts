import type { UserCaller } from '../../http/access/callers.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Audit } from '../audit/audit.store.ts'
import { hashEmail } from '../users/email.rules.ts'
import { type Account, findAccount } from '../users/user.store.ts'
import { countAttempt, deleteCounter, findBlockedUntil, uncountAttempt } from './login-failure.store.ts'
import type { KnownSource, LoginSources } from './login-source.service.ts'
import { freeFailures, retryAfterSeconds } from './login-throttle.rules.ts'
import type { PasswordHasher } from './password-hash.ts'

/**
 * Returns the account with this e-mail address (in its stored form) and password. Refuses INVALID_CREDENTIALS, with the
 * same answer and at the same cost for an unknown address. Refuses LOGIN_THROTTLED while a delay is running, whatever the
 * password is; each known source of the account has a delay of its own. Do not call it inside a transaction: a rollback would undo the count of the failure.
 */
export type PasswordCheck = (
  scope: TenantScope,
  attempt: { email: string; password: string; source: KnownSource | null },
) => Promise<Account>

const elsewhere = Buffer.alloc(0)

export function passwordCheck(deps: { clock: Clock; hasher: PasswordHasher; audit: Audit }): PasswordCheck {
  const { clock, hasher, audit } = deps
  const queued = queueByKey()

  return (scope, { email, password, source: known }) => {
    const counter = { emailHash: hashEmail(email), source: known?.hash ?? elsewhere }
    // One after another, so that a user whose devices all log in at once is not taken for an attacker.
    return queued(`${scope.tenantId} ${email} ${counter.source.toString('hex')}`, async () => {
      const now = clock.now()
      const failures = await countAttempt(scope, { ...counter, now })
      if (failures === null) throw throttled((await findBlockedUntil(scope, counter)) ?? now, now)
      const account = await findAccount(scope, email)
      const isRight = await hasher.verify(account?.passwordHash ?? null, password).catch(async (busy: unknown) => {
        // The hash queue is full. No password was checked, and a flood of logins must not lock anybody out.
        await uncountAttempt(scope, { ...counter, now })
        throw busy
      })
      if (account === null || !isRight) {
        if (failures === freeFailures + 1) {
          const target = { type: 'user', id: account?.user.id ?? null }
          await audit(scope, { action: 'user.login_throttled', target, outcome: 'DENIED', changes: { failures } })
        }
        throw new Refusal('INVALID_CREDENTIALS')
      }
      await deleteCounter(scope, counter)
      return account
    })
  }
}

export type ConfirmPassword = (
  scope: TenantScope,
  confirmation: { caller: UserCaller; password: string },
) => Promise<string | null>

/**
 * For a logged-in user who repeats the password: returns the stored hash. Refuses INVALID_CREDENTIALS and LOGIN_THROTTLED.
 * Each session has a counter of its own: guesses of strangers at the login do not stop its user from changing the password.
 */
export function ownPasswordCheck({ check, sources }: { check: PasswordCheck; sources: LoginSources }): ConfirmPassword {
  return async (scope, { caller, password }) => {
    const source = sources.ofSession(scope, caller.sessionId)
    const { user, passwordHash } = await check(scope, { email: caller.email, password, source })
    if (user.id !== caller.id) throw new Refusal('INVALID_CREDENTIALS') // the address has just moved to another user
    return passwordHash
  }
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
