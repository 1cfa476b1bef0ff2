import type { RateCounter } from '../../http/limits/rate-limit.ts'
import type { Audit } from '../../identity/index.ts'
import type { JobKind, Jobs } from '../../jobs/jobs.ts'
import { sha256Digest } from '../../kernel/checksum.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { Page } from '../../kernel/paging.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import { type PlatformScope, scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Secrets } from '../../storage/secrets.ts'
import { type Mail, type NewMail, placeOf } from './mail.rules.ts'
import {
  addMail,
  countMails,
  discardExpired,
  discardMails,
  dropOldMails,
  findMailAnywhere,
  listMails,
  listPending,
  type MailSearch,
  reopenMail,
} from './mail.store.ts'

/** Tries over about two hours, which is longer than a mail server takes to restart and longer than a reset token lives. */
export const deliverMail: JobKind<{ mailId: string }> = {
  // The name is older than this folder, and stored with the jobs.
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
/** Of one kind, to one user within an hour and to one address within a rate limit window: enough for a person, too few to flood a mailbox. */
const mailsMax = 3
const keptMs = 30 * 24 * hourMs

export type Outbox = ReturnType<typeof outboxService>

/** Mails wait in the transaction of their cause, so that there is none without it and none is lost after it. */
export function outboxService({ clock, secrets, jobs, audit, rateCounter, canSend }: OutboxDeps) {
  const enqueue = async (tx: TenantScope, mailId: string, id?: string): Promise<void> => {
    if (!canSend) return
    await jobs.enqueue(tx, deliverMail, {
      data: { mailId },
      tenantId: tx.tenantId,
      ...(id === undefined ? {} : { id }),
    })
  }

  /**
   * Whether the user may get another mail of the kind; asked with the user locked, and once a mail, because a yes counts
   * against the address. That count outlives the account: who registers with the address of somebody else, deletes the
   * account and registers again takes the rows along. Where Redis is away each node counts for itself.
   */
  const reserve = async (tx: TenantScope, { user, kind, now }: Pick<NewMail, 'user' | 'kind' | 'now'>) => {
    const since = new Date(now.getTime() - hourMs)
    if ((await countMails(tx, { userId: user.id, kind, since })) >= mailsMax) return false
    const bucket = `mail:${tx.tenantId}:${kind}:${sha256Digest(user.email).toString('hex')}`
    return (await rateCounter.take(bucket, mailsMax, now)).isAllowed
  }

  /** Takes the place of the mails of the kind that the user was still to get. */
  async function add(tx: TenantScope, { user, kind, token, expiresAt, now }: NewMail): Promise<void> {
    const id = newId(now)
    const contentSealed = secrets.seal(JSON.stringify({ token }), placeOf({ tenantId: tx.tenantId, id }))
    await discardMails(tx, { userId: user.id, kind })
    await addMail(tx, { id, userId: user.id, recipient: user.email, kind, contentSealed, createdAt: now, expiresAt })
    await enqueue(tx, id, id)
  }

  /** Sends off what waited while there was no mail server. Once at a start; safe on several nodes at once. */
  async function enqueuePending(platform: PlatformScope): Promise<void> {
    if (!canSend) return
    for (const { id, tenantId } of await listPending(platform, clock.now())) {
      await enqueue(scopeToTenant(platform, tenantId), id, id)
    }
  }

  const list = (platform: PlatformScope, search: MailSearch): Promise<Page<Mail>> => listMails(platform, search)

  /** Refuses STATE_CONFLICT for a mail that was sent or is being sent, or whose token is dead. */
  const retry = (platform: PlatformScope, id: string): Promise<Mail> =>
    transaction(platform, async (tx) => {
      const mail = await reopenMail(tx, { id, now: clock.now() })
      if (mail === null) {
        if ((await findMailAnywhere(tx, id)) === null) throw notFound()
        throw new Refusal('STATE_CONFLICT', {
          detail: 'The mail was sent or is just being sent, or what it carries works no more.',
        })
      }
      const tenant = scopeToTenant(tx, mail.tenantId)
      await enqueue(tenant, id)
      await audit(tenant, { action: 'mail.retry', target: { type: 'mail', id } })
      return mail
    })

  /** Takes their content from the mails whose token has died unsent, and drops the mails of 30 days ago. */
  async function housekeep(platform: PlatformScope): Promise<void> {
    const now = clock.now()
    await discardExpired(platform, now)
    await dropOldMails(platform, new Date(now.getTime() - keptMs))
  }

  return { reserve, add, discard: discardMails, enqueuePending, list, retry, housekeep }
}
