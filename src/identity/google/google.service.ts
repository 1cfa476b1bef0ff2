import type { UserCaller } from '../../http/access/callers.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { refuseOverQuota } from '../../kernel/quota.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import type { EventBus } from '../../storage/events.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Quotas } from '../../usage/index.ts'
import type { Audit } from '../audit/audit.store.ts'
import type { LoginSources } from '../auth/login-source.service.ts'
import type { ConfirmPassword } from '../auth/password-check.ts'
import { registrationClosed } from '../auth/registration-policy.ts'
import type { IssuedTokens, Sessions } from '../tokens/session.service.ts'
import { auditTarget, type User } from '../users/user.rules.ts'
import { countUsers, findAccount, findUser } from '../users/user.store.ts'
import {
  addGoogleUser,
  findUserBySubject,
  linkByVerifiedEmail,
  linkUser,
  recordGoogleLogin,
  unlinkUser,
} from './google.store.ts'
import type { GoogleIdentity } from './google-token.rules.ts'
import type { GoogleTokens } from './google-token.ts'

type GoogleDeps = {
  clock: Clock
  events: EventBus
  audit: Audit
  quotas: Quotas
  sessions: Sessions
  sources: LoginSources
  confirmPassword: ConfirmPassword
  google: GoogleTokens
}

export type GoogleService = ReturnType<typeof googleService>

/** Marks audit entries of logins and registrations with Google. */
const changes = { with: 'google' }

/** Sign-in with Google, and linking a user to a Google account. */
export function googleService({
  clock,
  events,
  audit,
  quotas,
  sessions,
  sources,
  confirmPassword,
  google,
}: GoogleDeps) {
  /** Logs in the user who is linked to the Google account; null if there is none. Refuses USER_SUSPENDED. */
  const logInLinked = async (tx: TenantScope, subject: string, now: Date): Promise<User | null> => {
    const user = await recordGoogleLogin(tx, subject, now)
    if (user !== null) return user
    const found = await findUserBySubject(tx, subject)
    if (found?.status === 'SUSPENDED') throw new Refusal('USER_SUSPENDED')
    // A user that appears only now was created by a parallel sign-in.
    return found && recordGoogleLogin(tx, subject, now)
  }

  /** The same, and otherwise links and logs in the user who has verified the address. Refuses ACCOUNT_LINK_REQUIRED. */
  const logInOrLink = async (tx: TenantScope, identity: GoogleIdentity, now: Date): Promise<User | null> => {
    const known = await logInLinked(tx, identity.subject, now)
    if (known !== null) return known
    const account = await findAccount(tx, identity.email)
    if (account === null) return null
    const linked = await linkByVerifiedEmail(tx, identity, now)
    if (linked !== null) {
      await audit(tx, { action: 'user.link_google', target: auditTarget(linked), changes: { by: 'verified e-mail' } })
      return linked
    }
    // A parallel sign-in of the same person may have linked the account.
    const meanwhile = await logInLinked(tx, identity.subject, now)
    if (meanwhile !== null) return meanwhile
    if (account.user.emailVerified && account.user.status === 'SUSPENDED') throw new Refusal('USER_SUSPENDED')
    throw linkRequired()
  }

  const register = async (tx: TenantScope, identity: GoogleIdentity, now: Date): Promise<User> => {
    const user = await addGoogleUser(tx, { id: newId(now), identity, now })
    if (user === null) throw linkRequired() // another user has just changed its address to this one
    await audit(tx, { action: 'user.register', target: auditTarget(user), changes })
    await events.emit(tx, 'user.created', { tenantId: user.tenantId, userId: user.id })
    return user
  }

  type GoogleLogin = { user: User; isNew: boolean }

  /** A new user waits for the lock on the tenant's quota. Meanwhile a parallel request may have created the user. */
  const logInOrRegister = async (
    tx: TenantScope,
    identity: GoogleIdentity,
    { isOpen, now }: { isOpen: boolean; now: Date },
  ): Promise<GoogleLogin> => {
    const known = await logInOrLink(tx, identity, now)
    if (known !== null) return { user: known, isNew: false }
    if (!isOpen) throw registrationClosed()
    const { maxUsers } = await quotas.lockLimits(tx, null)
    const meanwhile = await logInOrLink(tx, identity, now)
    if (meanwhile !== null) return { user: meanwhile, isNew: false }
    if (maxUsers !== null) refuseOverQuota('maxUsers', maxUsers, await countUsers(tx))
    return { user: await register(tx, identity, now), isNew: true }
  }

  /**
   * Refuses USER_SUSPENDED, ACCOUNT_LINK_REQUIRED and, for a new user, REGISTRATION_CLOSED and QUOTA_EXCEEDED.
   * `isOpen`: new users may be registered.
   */
  const signIn = (
    scope: TenantScope,
    identity: GoogleIdentity,
    { browser, isOpen }: { browser: string | null; isOpen: boolean },
  ): Promise<{ isNew: boolean; tokens: IssuedTokens }> => {
    const now = clock.now()
    return transaction(scope, async (tx) => {
      const { user, isNew } = await logInOrRegister(tx, identity, { isOpen, now })
      if (!isNew) await audit(tx, { action: 'user.login', target: auditTarget(user), changes })
      await sources.remember(tx, user.id, browser)
      return { isNew, tokens: await sessions.start(tx, user, now) }
    })
  }

  type LinkRequest = { idToken: string; nonce?: string; currentPassword: string }

  /** Refuses an invalid token or password, and STATE_CONFLICT if the user or the Google account is linked already or the address is not verified. */
  const link = async (scope: TenantScope, caller: UserCaller, request: LinkRequest): Promise<User> => {
    const identity = await google.verify(request)
    const checkedHash = await confirmPassword(scope, { caller, password: request.currentPassword })
    return transaction(scope, async (tx) => {
      const user = await linkUser(tx, { id: caller.id, checkedHash, now: clock.now() }, identity)
      if (user === null) throw linkConflict(await findUser(tx, caller.id))
      await audit(tx, { action: 'user.link_google', target: auditTarget(user), changes: { by: 'password' } })
      return user
    })
  }

  /** Requires the password, so that the user can still log in afterwards. Refuses NOT_FOUND if there is no link. */
  const unlink = async (scope: TenantScope, caller: UserCaller, currentPassword: string): Promise<void> => {
    const checkedHash = await confirmPassword(scope, { caller, password: currentPassword })
    await transaction(scope, async (tx) => {
      const user = await unlinkUser(tx, { id: caller.id, checkedHash, now: clock.now() })
      if (user === null) throw notFound()
      await audit(tx, { action: 'user.unlink_google', target: auditTarget(user) })
    })
  }

  return { verify: google.verify, signIn, link, unlink }
}

function linkConflict(user: User | null): Refusal {
  const detail =
    user?.googleLinked === false && !user.emailVerified
      ? 'The e-mail address of the account is not verified. Verify it first, or use a Google account with the same address.'
      : 'The account is linked to another Google account. Unlink that one first.'
  return new Refusal('STATE_CONFLICT', { detail })
}

function linkRequired(): Refusal {
  const detail =
    'A user with this e-mail address exists but has not verified it. Log in with the password, then link the Google account.'
  return new Refusal('ACCOUNT_LINK_REQUIRED', { detail })
}
