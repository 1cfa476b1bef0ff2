import type { RateCounter } from '../http/limits/rate-limit.ts'
import type { Audit } from '../identity/index.ts'
import type { JobKind, Jobs } from '../jobs/jobs.ts'
import { sha256Digest } from '../kernel/checksum.ts'
import type { Clock } from '../kernel/clock.ts'
import { newId } from '../kernel/ids.ts'
import type { Page } from '../kernel/paging.ts'
import { notFound, Refusal } from '../kernel/refusal.ts'
import { type PlatformScope, scopeToTenant, type TenantScope, transaction } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import {
  type DigestMail,
  type InvitationMail,
  type Mail,
  type MailContent,
  type MailKind,
  type NewMail,
  type NoticeMail,
  sealContext,
  type TasksDueMail,
} from './mail.rules.ts'
import {
  addMail,
  countMails,
  deleteMailsBefore,
  discardExpiredMails,
  discardMails,
  discardUnsentMails,
  findMailAnywhere,
  listMails,
  listPending,
  type MailSearch,
  reopenMail,
} from './mail.store.ts'

/** Attempts over about two hours: longer than a mail server takes to restart, and longer than a reset token is valid. */
export const deliverMail: JobKind<{ mailId: string }> = {
  // The name is older than this folder. It is stored with the jobs.
  name: 'identity.mail.deliver',
  attemptsMax: 10,
  backoffSeconds: 15,
  timeoutSeconds: 90,
}

export type OutboxDeps = {
  clock: Clock
  secrets: Pick<Secrets, 'seal' | 'open'>
  jobs: Jobs
  audit: Audit
  rateCounter: RateCounter
  /** Without a mail server mails wait in the outbox. */
  canSend: boolean
}

const hourMs = 3600 * 1000
/** Mails of one kind to one user in an hour, and to one address in a rate limit window: enough for a person, too few to flood a mailbox. */
const mailsMax = 3
const retentionMs = 30 * 24 * hourMs

export type Outbox = ReturnType<typeof outboxService>

/** A mail is stored in the transaction of its cause, so that neither exists without the other. */
export function outboxService({ clock, secrets, jobs, audit, rateCounter, canSend }: OutboxDeps) {
  const enqueue = async (tx: TenantScope, mailId: string, id?: string): Promise<void> => {
    if (!canSend) return
    await jobs.enqueue(tx, deliverMail, {
      data: { mailId },
      tenantId: tx.tenantId,
      ...(id === undefined ? {} : { id }),
    })
  }

  const countAddress = (tx: TenantScope, { email, kind, now }: { email: string; kind: MailKind; now: Date }) =>
    rateCounter.take(`mail:${tx.tenantId}:${kind}:${sha256Digest(email).toString('hex')}`, mailsMax, now)

  /**
   * Whether the user may get another mail of the kind. Call it with the user locked, and once for each mail: a yes counts
   * against the address. That count outlives the account, because deleting an account deletes its rows, and somebody
   * could register again and again with another person's address. While Redis is down each node counts for itself.
   */
  const reserve = async (tx: TenantScope, { user, kind, now }: Pick<NewMail, 'user' | 'kind' | 'now'>) => {
    const since = new Date(now.getTime() - hourMs)
    if ((await countMails(tx, { userId: user.id, kind, since })) >= mailsMax) return false
    return (await countAddress(tx, { email: user.email, kind, now })).isAllowed
  }

  /** Replaces unsent mails of the same kind to the user. */
  async function add(tx: TenantScope, { user, kind, token, expiresAt, now }: NewMail): Promise<void> {
    const id = newId(now)
    const contentSealed = seal(tx, id, { token })
    await discardUnsentMails(tx, { userId: user.id, kind })
    await addMail(tx, { id, userId: user.id, recipient: user.email, kind, contentSealed, createdAt: now, expiresAt })
    await enqueue(tx, id, id)
  }

  /** Returns the mail's id. Refuses RATE_LIMITED if the address was sent several invitations recently. */
  async function addInvitation(tx: TenantScope, mail: InvitationMail): Promise<string> {
    const { email, token, expiresAt, now, inviterEmail, orgName } = mail
    const { isAllowed, retryAfterSeconds } = await countAddress(tx, { email, kind: 'INVITATION', now })
    if (!isAllowed)
      throw new Refusal('RATE_LIMITED', {
        detail: `The address has been sent ${mailsMax} invitations recently.`,
        retryAfterSeconds,
      })
    const id = newId(now)
    const contentSealed = seal(tx, id, { token, invitation: { inviterEmail, orgName } })
    const row = {
      id,
      userId: null,
      recipient: email,
      kind: 'INVITATION',
      contentSealed,
      createdAt: now,
      expiresAt,
    } as const
    await addMail(tx, row)
    await enqueue(tx, id, id)
    return id
  }

  async function addTasksDue(tx: TenantScope, mail: TasksDueMail): Promise<void> {
    const { user, token, expiresAt, now, orgName, today, tasks, count } = mail
    const id = newId(now)
    const contentSealed = seal(tx, id, { token, tasksDue: { orgName, today, tasks, count } })
    const row = { id, userId: user.id, recipient: user.email, contentSealed, createdAt: now, expiresAt }
    await addMail(tx, { ...row, kind: 'TASKS_DUE' })
    await enqueue(tx, id, id)
  }

  async function addNotice(tx: TenantScope, mail: NoticeMail): Promise<void> {
    const { user, kind, expiresAt, now, subject, paragraphs } = mail
    const id = newId(now)
    const contentSealed = seal(tx, id, { token: '', notice: { subject, paragraphs } })
    await addMail(tx, { id, userId: user.id, recipient: user.email, kind, contentSealed, createdAt: now, expiresAt })
    await enqueue(tx, id, id)
  }

  async function addDigest(tx: TenantScope, mail: DigestMail): Promise<void> {
    const { user, token, expiresAt, now, subject, paragraphs } = mail
    const id = newId(now)
    const contentSealed = seal(tx, id, { token, notice: { subject, paragraphs } })
    const row = { id, userId: user.id, recipient: user.email, contentSealed, createdAt: now, expiresAt }
    await addMail(tx, { ...row, kind: 'DIGEST' })
    await enqueue(tx, id, id)
  }

  const seal = (tx: TenantScope, id: string, content: MailContent): Buffer =>
    secrets.seal(JSON.stringify(content), sealContext({ tenantId: tx.tenantId, id }))

  /** Enqueues mails that waited for a mail server. Runs once at the start. Safe on several nodes at once. */
  async function enqueuePending(platform: PlatformScope): Promise<void> {
    if (!canSend) return
    for (const { id, tenantId } of await listPending(platform, clock.now())) {
      await enqueue(scopeToTenant(platform, tenantId), id, id)
    }
  }

  const list = (platform: PlatformScope, search: MailSearch): Promise<Page<Mail>> => listMails(platform, search)

  /** Refuses STATE_CONFLICT for a mail that was sent or is being sent, or whose token is no longer valid. */
  const retry = (platform: PlatformScope, id: string): Promise<Mail> =>
    transaction(platform, async (tx) => {
      const mail = await reopenMail(tx, { id, now: clock.now() })
      if (mail === null) {
        if ((await findMailAnywhere(tx, id)) === null) throw notFound()
        throw new Refusal('STATE_CONFLICT', {
          detail: 'The mail was sent or is just being sent, or its token is no longer valid.',
        })
      }
      const tenant = scopeToTenant(tx, mail.tenantId)
      await enqueue(tenant, id)
      await audit(tenant, { action: 'mail.retry', target: { type: 'mail', id } })
      return mail
    })

  /** Erases the content of mails whose tokens have expired, and deletes mails after 30 days. */
  async function housekeep(platform: PlatformScope): Promise<void> {
    const now = clock.now()
    await discardExpiredMails(platform, now)
    await deleteMailsBefore(platform, new Date(now.getTime() - retentionMs))
  }

  return {
    reserve,
    add,
    addInvitation,
    addTasksDue,
    addNotice,
    addDigest,
    discardMails,
    discard: discardUnsentMails,
    enqueuePending,
    list,
    retry,
    housekeep,
  }
}
