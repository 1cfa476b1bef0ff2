import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { refuseOverQuota } from '../../kernel/quota.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { EventBus } from '../../storage/events.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Quotas } from '../../usage/index.ts'
import type { Audit } from '../audit/audit.store.ts'
import type { IssuedTokens, Sessions } from '../tokens/session.service.ts'
import { parseEmail } from '../users/email.rules.ts'
import { auditTarget } from '../users/user.rules.ts'
import { type Account, addUser, countUsers, recordLogin } from '../users/user.store.ts'
import type { AccountMails } from './account-mail.service.ts'
import type { Credentials, Registration } from './auth.schema.ts'
import type { LoginAddressLimit } from './login-address-limit.ts'
import type { LoginSources } from './login-source.service.ts'
import type { PasswordCheck } from './password-check.ts'
import type { PasswordHasher } from './password-hash.ts'
import { refuseBadPassword } from './password-refusal.ts'

export type Logins = ReturnType<typeof loginService>

type LoginDeps = {
  clock: Clock
  events: EventBus
  audit: Audit
  quotas: Quotas
  hasher: PasswordHasher
  sessions: Sessions
  check: PasswordCheck
  sources: LoginSources
  addressLimit: LoginAddressLimit
  accountMails: AccountMails
}

type LoginAttempt = { email: string; password: string; browser: string | null }
type PreparedRegistration = { email: string; name: string | null; passwordHash: string }

/** Registration and login with a password. */
export function loginService(deps: LoginDeps) {
  const { clock, events, audit, quotas, hasher, sessions, check, sources, addressLimit, accountMails } = deps

  /** Hashes the password before a transaction starts, because hashing is slow and queues. Refuses PASSWORD_REJECTED. */
  async function prepare(registration: Registration): Promise<PreparedRegistration> {
    const email = parseEmail(registration.email)
    refuseBadPassword(registration.password, email, 'password')
    return { email, name: registration.name?.trim() ?? null, passwordHash: await hasher.hash(registration.password) }
  }

  /** Refuses QUOTA_EXCEEDED and EMAIL_TAKEN. */
  async function register(
    scope: TenantScope,
    prepared: PreparedRegistration,
    browser: string | null,
  ): Promise<IssuedTokens> {
    const now = clock.now()
    const newUser = { ...prepared, id: newId(now), createdAt: now }
    return transaction(scope, async (tx) => {
      const { maxUsers } = await quotas.lockLimits(tx, null)
      if (maxUsers !== null) refuseOverQuota('maxUsers', maxUsers, await countUsers(tx))
      const user = await addUser(tx, newUser)
      if (user === null) throw new Refusal('EMAIL_TAKEN')
      await audit(tx, { action: 'user.register', target: auditTarget(user) })
      await events.emit(tx, 'user.created', { tenantId: user.tenantId, userId: user.id })
      await accountMails.send(tx, { user, purpose: 'VERIFY_EMAIL', now })
      await sources.remember(tx, user.id, browser)
      return sessions.start(tx, user, now)
    })
  }

  /**
   * Checks a password and counts a failure also against the client address. An account that logs in from a browser that it
   * knows is admitted whatever others at its address did.
   */
  async function checkPassword(scope: TenantScope, { email, password, browser }: LoginAttempt): Promise<Account> {
    const refusal = await addressLimit.refusal(scope)
    // A program at a full address is refused before any query or hashing.
    if (refusal !== null && browser === null) throw refusal
    const source = await sources.find(scope, email, browser)
    if (refusal !== null && source?.kind !== 'browser') throw refusal
    return check(scope, { email, password, source }).catch(async (error: unknown) => {
      if (error instanceof Refusal && error.code === 'INVALID_CREDENTIALS') await addressLimit.failed(scope)
      throw error
    })
  }

  /** Refuses INVALID_CREDENTIALS, LOGIN_THROTTLED and, only if the password is right, USER_SUSPENDED. */
  async function login(
    scope: TenantScope,
    { email, password }: Credentials,
    browser: string | null,
  ): Promise<IssuedTokens> {
    const attempt = { email: parseEmail(email), password, browser }
    const { user, passwordHash: checkedHash } = await checkPassword(scope, attempt)
    if (user.status === 'SUSPENDED') throw new Refusal('USER_SUSPENDED')
    const isStale = checkedHash !== null && hasher.isStale(checkedHash)
    const passwordHash = isStale ? await hasher.hash(password) : checkedHash
    const now = clock.now()
    const tokens = await transaction(scope, async (tx) => {
      const loggedIn = await recordLogin(tx, { id: user.id, checkedHash, passwordHash, now })
      if (loggedIn === null) throw new Refusal('INVALID_CREDENTIALS')
      await audit(tx, { action: 'user.login', target: auditTarget(user) })
      await sources.remember(tx, user.id, browser)
      return sessions.start(tx, loggedIn, now)
    })
    await addressLimit.succeeded(scope, user.id)
    return tokens
  }

  return { prepare, register, login }
}
