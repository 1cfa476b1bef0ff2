import type { UserCaller } from '../../http/access/callers.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type FieldRule, type Fitting, ruleFor } from '../../kernel/field-rules.ts'
import { invalidField, Refusal } from '../../kernel/refusal.ts'
import type { EventBus } from '../../storage/events.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Audit } from '../audit/audit.store.ts'
import { endUserSessions } from '../tokens/session.store.ts'
import { normalizeEmail, parseEmail } from '../users/email.rules.ts'
import { applyChange, auditTarget, changedMembers, nameChange, type User } from '../users/user.rules.ts'
import { findUser, lockUser, saveUser, setPassword } from '../users/user.store.ts'
import { removeUser } from '../users/user-removal.ts'
import type { AccountMails } from './account-mail.service.ts'
import type { OwnChange, PasswordChange } from './auth.schema.ts'
import type { ConfirmPassword } from './password-check.ts'
import type { PasswordHasher } from './password-hash.ts'
import { refuseBadPassword } from './password-refusal.ts'

export type Accounts = ReturnType<typeof accountService>

type AccountDeps = {
  clock: Clock
  events: EventBus
  audit: Audit
  hasher: PasswordHasher
  confirmPassword: ConfirmPassword
  accountMails: AccountMails
}

/** What logged-in users can do with their own account. */
export function accountService({ clock, events, audit, hasher, confirmPassword, accountMails }: AccountDeps) {
  async function get(scope: TenantScope, caller: UserCaller): Promise<User> {
    return requireUser(await findUser(scope, caller.id))
  }

  /** Rules of `update`. */
  const changeRules = (caller: UserCaller, change: Fitting<OwnChange>): FieldRule[] => [
    ruleFor(change.email, (email) => parseEmail(email)),
    ruleFor(change.email, (email) => {
      const isOther = normalizeEmail(email) !== caller.email
      if (isOther && !('currentPassword' in change)) requirePassword(undefined)
    }),
  ]

  /**
   * A new e-mail address requires the current password. The tokens sent to the old address are revoked, and the new
   * address has to be verified. Refuses EMAIL_TAKEN and what `ownPasswordCheck` refuses.
   */
  async function update(scope: TenantScope, caller: UserCaller, change: OwnChange): Promise<User> {
    const email = change.email === undefined ? caller.email : parseEmail(change.email)
    if (email !== caller.email)
      await confirmPassword(scope, { caller, password: requirePassword(change.currentPassword) })
    return transaction(scope, async (tx) => {
      const user = requireUser(await lockUser(tx, caller.id))
      const next = applyChange(user, { ...nameChange(change), ...(change.email === undefined ? {} : { email }) })
      const changes = changedMembers(user, next)
      if (changes === null) return user
      const now = clock.now()
      await saveUser(tx, next, now)
      if (next.email !== user.email) {
        await accountMails.revoke(tx, { userId: user.id, purpose: null })
        await accountMails.send(tx, { user: next, purpose: 'VERIFY_EMAIL', now })
      }
      await audit(tx, { action: 'user.update', target: auditTarget(user), changes })
      return next
    })
  }

  /**
   * Ends all other sessions of the user and revokes a reset token. Refuses PASSWORD_REJECTED and what
   * `ownPasswordCheck` refuses.
   */
  async function changePassword(scope: TenantScope, caller: UserCaller, change: PasswordChange): Promise<User> {
    refuseBadPassword(change.newPassword, caller.email, 'newPassword')
    const checkedHash = await confirmPassword(scope, { caller, password: change.currentPassword })
    const passwordHash = await hasher.hash(change.newPassword)
    const now = clock.now()
    return transaction(scope, async (tx) => {
      const user = await setPassword(tx, { id: caller.id, checkedHash, passwordHash, now })
      if (user === null) throw new Refusal('INVALID_CREDENTIALS')
      await endUserSessions(tx, { userId: user.id, exceptSessionId: caller.sessionId, reason: 'PASSWORD_CHANGED', now })
      await accountMails.revoke(tx, { userId: user.id, purpose: 'RESET_PASSWORD' })
      await audit(tx, { action: 'user.change_password', target: auditTarget(user) })
      return user
    })
  }

  /** Refuses what `ownPasswordCheck` refuses. */
  async function remove(scope: TenantScope, caller: UserCaller, currentPassword: string): Promise<void> {
    await confirmPassword(scope, { caller, password: currentPassword })
    await transaction(scope, async (tx) =>
      removeUser(tx, requireUser(await lockUser(tx, caller.id)), { events, audit }),
    )
  }

  return { get, update, changeRules, changePassword, remove }
}

function requirePassword(currentPassword: string | undefined): string {
  if (currentPassword !== undefined) return currentPassword
  throw invalidField('/body/currentPassword', { code: 'required', message: 'is required' })
}

/** A caller's user is missing only if it was removed after the access token was checked. */
function requireUser(user: User | null): User {
  if (user === null) throw new Refusal('TOKEN_INVALID')
  return user
}
