import type { UserCaller } from '../../http/access/callers.ts'
import { addressBucket, type RateCounter, rateLimitRefusal } from '../../http/limits/rate-limit.ts'
import type { JobKind, JobRun, Jobs } from '../../jobs/jobs.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type FieldRule, type Fitting, ruleFor } from '../../kernel/field-rules.ts'
import { invalidField, type Refusal } from '../../kernel/refusal.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Secrets } from '../../storage/secrets.ts'
import type { Audit } from '../audit/audit.store.ts'
import { endUserSessions } from '../tokens/session.store.ts'
import { hashEmail, parseEmail } from '../users/email.rules.ts'
import { auditTarget, type User } from '../users/user.rules.ts'
import { findAccount, lockUser, markVerified, resetPassword } from '../users/user.store.ts'
import type { AccountMails } from './account-mail.service.ts'
import { hashAccountToken, type TokenPurpose } from './account-token.rules.ts'
import { consumeAccountToken, findTokenOwner } from './account-token.store.ts'
import { deleteFailures } from './login-failure.store.ts'
import type { PasswordHasher } from './password-hash.ts'
import { refuseBadPassword } from './password-refusal.ts'

/** The request is encrypted: it may hold an address without an account, which must not be stored in clear. */
export const resetRequestJob: JobKind<{ askSealed: string }> = {
  name: 'identity.password.forgot',
  attemptsMax: 5,
  backoffSeconds: 5,
  timeoutSeconds: 30,
}

export type RecoveryDeps = {
  clock: Clock
  secrets: Pick<Secrets, 'seal' | 'open'>
  audit: Audit
  hasher: PasswordHasher
  jobs: Jobs
  rateCounter: RateCounter
  /** Reset mails that one client address may request per rate limit window. */
  forgotMax: number
  accountMails: AccountMails
}

type Reset = { token: string; password: string }
type ResetRequest = { email: string; caller: Caller }

export type Recovery = ReturnType<typeof recoveryService>

/** Password reset and e-mail verification by tokens sent in mails. */
export function recoveryService(deps: RecoveryDeps) {
  const { clock, audit, hasher, accountMails } = deps

  /** The user a token was mailed to. Refuses VALIDATION_ERROR, without a query if the text cannot be a token. */
  async function findOwner(scope: TenantScope, purpose: TokenPurpose, token: string) {
    const tokenHash = hashAccountToken(purpose, token)
    const user = tokenHash && (await findTokenOwner(scope, { purpose, tokenHash, now: clock.now() }))
    if (tokenHash === null || user === null) throw invalidToken()
    return { user, tokenHash }
  }

  /** Consumes a token. Locks the user first, in the same order as a change of the address does. */
  async function consumeToken(
    tx: TenantScope,
    { userId, purpose, tokenHash }: { userId: string; purpose: TokenPurpose; tokenHash: Buffer },
  ): Promise<User> {
    const user = await lockUser(tx, userId)
    const isTaken = user !== null && (await consumeAccountToken(tx, { purpose, tokenHash, now: clock.now() }))
    if (user === null || !isTaken) throw invalidToken()
    return user
  }

  /** Refuses PASSWORD_REJECTED, which does not consume the token, and VALIDATION_ERROR for an invalid token. */
  async function reset(scope: TenantScope, { token, password }: Reset): Promise<void> {
    const purpose = 'RESET_PASSWORD'
    const holder = await findOwner(scope, purpose, token)
    refuseBadPassword(password, holder.user.email, 'password')
    const passwordHash = await hasher.hash(password)
    const now = clock.now()
    await transaction(scope, async (tx) => {
      const { id, email, googleLinked } = await consumeToken(tx, {
        userId: holder.user.id,
        purpose,
        tokenHash: holder.tokenHash,
      })
      const user = await resetPassword(tx, { id, passwordHash, now })
      await accountMails.revoke(tx, { userId: id, purpose: null })
      await endUserSessions(tx, { userId: id, reason: 'PASSWORD_RESET', now })
      await deleteFailures(tx, hashEmail(email))
      const changes = googleLinked ? { changes: { googleLinked: false } } : {}
      await audit(tx, { action: 'user.reset_password', target: auditTarget(user), ...changes })
    })
  }

  /** Rules of `reset`. */
  const resetRules = (scope: TenantScope, { token, password }: Fitting<Reset>): FieldRule[] => [
    ruleFor(token, (text) => findOwner(scope, 'RESET_PASSWORD', text)),
    ruleFor(password, (text) => refuseBadPassword(text, '', 'password')),
  ]

  /** Refuses VALIDATION_ERROR for an invalid token. */
  async function verify(scope: TenantScope, token: string): Promise<void> {
    const purpose = 'VERIFY_EMAIL'
    const { user: holder, tokenHash } = await findOwner(scope, purpose, token)
    await transaction(scope, async (tx) => {
      const user = await consumeToken(tx, { userId: holder.id, purpose, tokenHash })
      await markVerified(tx, user.id, clock.now())
      await accountMails.revoke(tx, { userId: user.id, purpose })
      await audit(tx, { action: 'user.verify_email', target: auditTarget(user) })
    })
  }

  /** Does nothing if the address is already verified or got too many mails. */
  const resend = (scope: TenantScope, caller: UserCaller): Promise<void> =>
    transaction(scope, async (tx) => {
      const user = await lockUser(tx, caller.id)
      if (user === null || user.emailVerified) return
      if (await accountMails.send(tx, { user, purpose: 'VERIFY_EMAIL', now: clock.now() }))
        await audit(tx, { action: 'user.resend_verification', target: auditTarget(user) })
    })

  return { reset, resetRules, verify, resend, ...forgottenPassword(deps) }
}

function forgottenPassword({ clock, secrets, audit, jobs, rateCounter, forgotMax, accountMails }: RecoveryDeps) {
  /**
   * Only enqueues a job, whatever the address: whether an account has it is looked up later, so that the response time
   * does not tell. Refuses RATE_LIMITED if a client address requests too often.
   */
  async function forgot(scope: TenantScope, sentEmail: string): Promise<void> {
    const email = parseEmail(sentEmail)
    const { tenantId, caller } = scope
    if (caller.ip !== null) {
      const bucket = `forgot:${tenantId}:${addressBucket(caller.ip)}`
      const now = clock.now()
      const verdict = await rateCounter.take(bucket, forgotMax, now)
      if (!verdict.isAllowed)
        throw rateLimitRefusal(verdict, { counted: 'ADDRESS', what: 'requests for a reset mail', now })
    }
    const request: ResetRequest = { email, caller }
    const askSealed = secrets.seal(JSON.stringify(request), sealContext(tenantId)).toString('base64')
    await jobs.enqueue(scope, resetRequestJob, { data: { askSealed }, tenantId })
  }

  /** Mails the owner of the address, if there is an active one who did not get too many mails. */
  async function sendResetMail({ scope, data }: JobRun<{ askSealed: string }>): Promise<void> {
    if (scope.kind !== 'tenant') throw new Error('A reset job must belong to a tenant.')
    const opened = secrets.open(Buffer.from(data.askSealed, 'base64'), sealContext(scope.tenantId))
    const { email, caller } = JSON.parse(opened) as ResetRequest
    const account = await findAccount(scope, email)
    if (account === null) return
    await transaction({ ...scope, caller }, async (tx) => {
      const user = await lockUser(tx, account.user.id)
      if (user === null || user.status !== 'ACTIVE' || user.email !== email) return
      if (await accountMails.send(tx, { user, purpose: 'RESET_PASSWORD', now: clock.now() }))
        await audit(tx, { action: 'user.forgot_password', target: auditTarget(user) })
    })
  }

  return { forgot, answer: sendResetMail }
}

/** The same answer whether a token is malformed, unknown, used, replaced, expired or of another tenant. */
function invalidToken(): Refusal {
  return invalidField('/body/token', { code: 'token', message: 'is not a valid token; request a new one' })
}

function sealContext(tenantId: string): string {
  return `forgot:${tenantId}`
}
