import type { UserCaller } from '../../http/access/access.ts'
import { addressBucket, type RateCounter, rateLimitRefusal } from '../../http/limits/rate-limit.ts'
import type { JobKind, JobRun, Jobs } from '../../jobs/jobs.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { invalidField, type Refusal } from '../../kernel/refusal.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Secrets } from '../../storage/secrets.ts'
import type { Audit } from '../audit/audit.store.ts'
import { endUserSessions } from '../tokens/session.store.ts'
import { hashEmail } from '../users/email.rules.ts'
import { auditTarget, type User } from '../users/user.rules.ts'
import { findAccount, lockUser, markVerified, resetPassword } from '../users/user.store.ts'
import type { AccountMails } from './account-mail.service.ts'
import { hashAccountToken, type TokenPurpose } from './account-token.rules.ts'
import { consumeAccountToken, findTokenOwner } from './account-token.store.ts'
import { emailOf, refuseBadPassword } from './auth-refusals.ts'
import { deleteFailures } from './login-failure.store.ts'
import type { PasswordHasher } from './password-hash.ts'

/** Sealed, because people forget the addresses of accounts they never had: those belong into no table. */
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
  /** Reset mails that one address may ask for in a rate limit window. */
  forgotMax: number
  accountMails: AccountMails
}

type Ask = { email: string; caller: Caller }

export type Recovery = ReturnType<typeof recoveryService>

/** How a person proves to own a mailbox, and gets back into an account by it. */
export function recoveryService(deps: RecoveryDeps) {
  const { clock, audit, hasher, accountMails } = deps

  /** The user whose mailbox a token came from. Refuses VALIDATION_ERROR; what is no token costs no question. */
  async function findOwner(scope: TenantScope, purpose: TokenPurpose, token: string) {
    const tokenHash = hashAccountToken(purpose, token)
    const user = tokenHash && (await findTokenOwner(scope, { purpose, tokenHash, now: clock.now() }))
    if (tokenHash === null || user === null) throw invalidToken()
    return { user, tokenHash }
  }

  /** Locks the user before the token: where an address changes, both are taken in the same order. */
  async function consumeToken(
    tx: TenantScope,
    { userId, purpose, tokenHash }: { userId: string; purpose: TokenPurpose; tokenHash: Buffer },
  ): Promise<User> {
    const user = await lockUser(tx, userId)
    const isTaken = user !== null && (await consumeAccountToken(tx, { purpose, tokenHash, now: clock.now() }))
    if (user === null || !isTaken) throw invalidToken()
    return user
  }

  /** Refuses PASSWORD_REJECTED, which leaves the token as it is, and VALIDATION_ERROR for a token that does not work. */
  async function reset(scope: TenantScope, { token, password }: { token: string; password: string }): Promise<void> {
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
      await accountMails.end(tx, { userId: id, purpose: null })
      await endUserSessions(tx, { userId: id, reason: 'PASSWORD_RESET', now })
      await deleteFailures(tx, hashEmail(email))
      const changes = googleLinked ? { changes: { googleLinked: false } } : {}
      await audit(tx, { action: 'user.reset_password', target: auditTarget(user), ...changes })
    })
  }

  /** Refuses VALIDATION_ERROR for a token that does not work. */
  async function verify(scope: TenantScope, token: string): Promise<void> {
    const purpose = 'VERIFY_EMAIL'
    const { user: holder, tokenHash } = await findOwner(scope, purpose, token)
    await transaction(scope, async (tx) => {
      const user = await consumeToken(tx, { userId: holder.id, purpose, tokenHash })
      await markVerified(tx, user.id, clock.now())
      await accountMails.end(tx, { userId: user.id, purpose })
      await audit(tx, { action: 'user.verify_email', target: auditTarget(user) })
    })
  }

  /** Says nothing where the address is verified already, or has been written to often enough. */
  const resend = (scope: TenantScope, caller: UserCaller): Promise<void> =>
    transaction(scope, async (tx) => {
      const user = await lockUser(tx, caller.id)
      if (user === null || user.emailVerified) return
      if (await accountMails.send(tx, { user, purpose: 'VERIFY_EMAIL', now: clock.now() }))
        await audit(tx, { action: 'user.resend_verification', target: auditTarget(user) })
    })

  return { reset, verify, resend, ...forgottenPassword(deps) }
}

function forgottenPassword({ clock, secrets, audit, jobs, rateCounter, forgotMax, accountMails }: RecoveryDeps) {
  /**
   * Only writes the question down, the same for any address: whether somebody has it is looked up later, where no
   * clock of the caller can see it. Refuses RATE_LIMITED where one address asks too often.
   */
  async function forgot(scope: TenantScope, sentEmail: string): Promise<void> {
    const email = emailOf(sentEmail)
    const { tenantId, caller } = scope
    if (caller.ip !== null) {
      const bucket = `forgot:${tenantId}:${addressBucket(caller.ip)}`
      const verdict = await rateCounter.take(bucket, forgotMax, clock.now())
      if (!verdict.isAllowed) throw rateLimitRefusal(verdict)
    }
    const ask: Ask = { email, caller }
    const askSealed = secrets.seal(JSON.stringify(ask), sealContext(tenantId)).toString('base64')
    await jobs.enqueue(scope, resetRequestJob, { data: { askSealed }, tenantId })
  }

  /** Writes to the owner of the address if there is one, who is active and was not written to too often. */
  async function sendResetMail({ scope, data }: JobRun<{ askSealed: string }>): Promise<void> {
    if (scope.kind !== 'tenant') throw new Error('A forgotten password belongs to a tenant.')
    const opened = secrets.open(Buffer.from(data.askSealed, 'base64'), sealContext(scope.tenantId))
    const { email, caller } = JSON.parse(opened) as Ask
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

/** One answer for a token that is malformed, unknown, used, replaced, expired or of another tenant. */
function invalidToken(): Refusal {
  return invalidField('/body/token', { code: 'token', message: 'is no token that works: ask for a new one' })
}

function sealContext(tenantId: string): string {
  return `forgot:${tenantId}`
}
