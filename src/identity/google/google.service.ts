import type { UserCaller } from '../../http/access/access.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { refuseOverQuota } from '../../kernel/quota.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import type { EventBus } from '../../storage/events.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Quotas } from '../../usage/index.ts'
import type { Audit } from '../audit/audit.store.ts'
import { confirmOwnPassword, type PasswordCheck } from '../auth/password-check.ts'
import type { IssuedTokens, Sessions } from '../tokens/session.service.ts'
import { auditTarget, type User } from '../users/user.rules.ts'
import { countUsers, findAccount, findUser } from '../users/user.store.ts'
import {
  addGoogleUser,
  findUserBySubject,
  linkByProvenEmail,
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
  check: PasswordCheck
  google: GoogleTokens
}

export type GoogleService = ReturnType<typeof googleService>

/** What the audit log says of a change that a Google account made. */
const changes = { with: 'google' }

/** Signing in with Google, and the link between a user and a Google account. */
export function googleService({ clock, events, audit, quotas, sessions, check, google }: GoogleDeps) {
  /** The user of the Google account, logged in. Refuses USER_SUSPENDED. */
  const logInLinked = async (tx: TenantScope, subject: string, now: Date): Promise<User | null> => {
    const user = await recordGoogleLogin(tx, subject, now)
    if (user !== null) return user
    const found = await findUserBySubject(tx, subject)
    if (found?.status === 'SUSPENDED') throw new Refusal('USER_SUSPENDED')
    // Who is found here and was not there just now was made by another sign-in in between.
    return found && recordGoogleLogin(tx, subject, now)
  }

  /** The same, or the user who has proven to have the address, now linked. Refuses ACCOUNT_LINK_REQUIRED. */
  const logInOrLink = async (tx: TenantScope, identity: GoogleIdentity, now: Date): Promise<User | null> => {
    const known = await logInLinked(tx, identity.subject, now)
    if (known !== null) return known
    const account = await findAccount(tx, identity.email)
    if (account === null) return null
    const linked = await linkByProvenEmail(tx, identity, now)
    if (linked !== null) {
      await audit(tx, { action: 'user.link_google', target: auditTarget(linked), changes: { by: 'verified e-mail' } })
      return linked
    }
    // Another sign-in of the same person may have been the one that linked.
    const meanwhile = await logInLinked(tx, identity.subject, now)
    if (meanwhile !== null) return meanwhile
    if (account.user.emailVerified && account.user.status === 'SUSPENDED') throw new Refusal('USER_SUSPENDED')
    throw linkRequired()
  }

  const register = async (tx: TenantScope, identity: GoogleIdentity, now: Date): Promise<User> => {
    const user = await addGoogleUser(tx, { id: newId(now), identity, now })
    if (user === null) throw linkRequired() // somebody has just changed their address to this one
    await audit(tx, { action: 'user.register', target: auditTarget(user), changes })
    await events.emit(tx, 'user.created', { tenantId: user.tenantId, userId: user.id })
    return user
  }

  type GoogleLogin = { user: User; isNew: boolean }

  /** Who comes for the first time waits for the tenant, and may find that another request of theirs has been first. */
  const logInOrRegister = async (tx: TenantScope, identity: GoogleIdentity, now: Date): Promise<GoogleLogin> => {
    const known = await logInOrLink(tx, identity, now)
    if (known !== null) return { user: known, isNew: false }
    const { maxUsers } = await quotas.hold(tx, null)
    const meanwhile = await logInOrLink(tx, identity, now)
    if (meanwhile !== null) return { user: meanwhile, isNew: false }
    if (maxUsers !== null) refuseOverQuota('maxUsers', maxUsers, await countUsers(tx))
    return { user: await register(tx, identity, now), isNew: true }
  }

  /** Refuses USER_SUSPENDED, ACCOUNT_LINK_REQUIRED and, for a new user, QUOTA_EXCEEDED. */
  const signIn = (scope: TenantScope, identity: GoogleIdentity): Promise<{ isNew: boolean; tokens: IssuedTokens }> => {
    const now = clock.now()
    return transaction(scope, async (tx) => {
      const { user, isNew } = await logInOrRegister(tx, identity, now)
      if (!isNew) await audit(tx, { action: 'user.login', target: auditTarget(user), changes })
      return { isNew, tokens: await sessions.start(tx, user, now) }
    })
  }

  type LinkRequest = { idToken: string; nonce?: string; currentPassword: string }

  /** Refuses what a token and a password are refused for, and STATE_CONFLICT where either side is linked already or the address is unproven. */
  const link = async (scope: TenantScope, caller: UserCaller, ask: LinkRequest): Promise<User> => {
    const identity = await google.verify(ask)
    const checkedHash = await confirmOwnPassword(check, scope, { caller, password: ask.currentPassword })
    return transaction(scope, async (tx) => {
      const user = await linkUser(tx, { id: caller.id, checkedHash, now: clock.now() }, identity)
      if (user === null) throw linkConflict(await findUser(tx, caller.id))
      await audit(tx, { action: 'user.link_google', target: auditTarget(user), changes: { by: 'password' } })
      return user
    })
  }

  /** Only with the password, so that nobody is left without a way in. Refuses NOT_FOUND where there is no link. */
  const unlink = async (scope: TenantScope, caller: UserCaller, currentPassword: string): Promise<void> => {
    const checkedHash = await confirmOwnPassword(check, scope, { caller, password: currentPassword })
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
      ? 'The account has not proven its e-mail address: verify it first, or use the Google account with the same address.'
      : 'The account is linked to another Google account: unlink it first.'
  return new Refusal('STATE_CONFLICT', { detail })
}

function linkRequired(): Refusal {
  const detail =
    'A user with this e-mail address exists and has not proven to own it. Log in with the password, then link the Google account.'
  return new Refusal('ACCOUNT_LINK_REQUIRED', { detail })
}
