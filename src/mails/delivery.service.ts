import type { JobRun } from '../jobs/jobs.ts'
import type { Clock } from '../kernel/clock.ts'
import { errorLine } from '../kernel/error-line.ts'
import type { EventBus } from '../storage/events.ts'
import type { TenantScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import { renderLetter } from './letter.rules.ts'
import { type MailContent, type MailStatus, sealContext } from './mail.rules.ts'
import { type ClaimedMail, claimMail, findMail, recordAttempt } from './mail.store.ts'
import { MailRefused, type MailTransport } from './smtp.ts'

export type DeliveryDeps = {
  clock: Clock
  secrets: Pick<Secrets, 'open'>
  /** Null: there is no mail server. */
  transport: MailTransport | null
  publicUrl: string | null
  /** Whether the receiver of a mail with this unsubscribe token may and wants to have it. */
  isSubscribed(scope: TenantScope, token: string): Promise<boolean>
  events: EventBus
  /** Why an address gets no mail; null if it does. */
  findSuppression(scope: TenantScope, address: string): Promise<{ reason: string } | null>
}

/** Longer than an attempt may take. A claim that is older belongs to a process that died. */
const claimMs = 120 * 1000

/**
 * Sends one mail. A crash after the mail server accepted it and before we stored that sends it twice; both copies have
 * the same Message-ID. Rejects where another attempt may help. The error contains no token.
 */
export function deliveryService(deps: DeliveryDeps) {
  const { clock, secrets, transport, publicUrl, isSubscribed, events } = deps
  return async ({ scope, data, isLastAttempt }: JobRun<{ mailId: string }>): Promise<void> => {
    if (scope.kind !== 'tenant') throw new Error('A mail belongs to a tenant.')
    if (transport === null) throw new Error('This node has no SMTP_URL.')
    const now = clock.now()
    const claimedUntil = new Date(now.getTime() + claimMs)
    const mail = await claimMail(scope, { id: data.mailId, now, claimedUntil })
    if (mail === null) return rejectWhilePending(scope, data.mailId)
    const close = (status: MailStatus, error: string | null) =>
      recordAttempt(scope, { id: mail.id, status, error, sentAt: status === 'SENT' ? clock.now() : null })

    const reason = whyDiscarded(mail, now)
    if (reason !== null) return void (await close('DISCARDED', reason))
    const suppression = await deps.findSuppression(scope, mail.recipient)
    if (suppression !== null && !isAskedFor(mail, suppression))
      return void (await close('DISCARDED', `its address gets no mail (${suppression.reason})`))
    const content = JSON.parse(secrets.open(mail.contentSealed, sealContext(mail))) as MailContent
    // The mail may have waited for hours, and its receiver may have left since.
    if (hasSubscription(mail) && !(await isSubscribed(scope, content.token)))
      return void (await close('DISCARDED', 'its receiver has left, is suspended or wants no such mails'))
    const { id, userId, recipient: to, createdAt: date, kind, expiresAt } = mail
    try {
      await transport.send({
        ...renderLetter({ sender: mail, publicUrl, kind, expiresAt, ...content }),
        id,
        to,
        date,
      })
    } catch (error) {
      const line = errorLine(error instanceof Error ? error.message : String(error), content.token)
      const isOver = error instanceof MailRefused || isLastAttempt
      await close(isOver ? 'FAILED' : 'PENDING', line)
      if (isOver) return
      throw new Error(line)
    }
    if (await close('SENT', null)) await events.emit(scope, 'mail.sent', { tenantId: scope.tenantId, userId })
  }
}

const hasSubscription = ({ kind }: ClaimedMail): boolean => kind === 'TASKS_DUE' || kind === 'DIGEST'

/** Who wants no more mails, and asks for one to log in, gets that one. Where an address does not exist nothing is sent. */
const isAskedFor = ({ kind }: ClaimedMail, { reason }: { reason: string }): boolean =>
  (kind === 'VERIFY_EMAIL' || kind === 'RESET_PASSWORD') && (reason === 'unsubscribed' || reason === 'complaint')

/** The other attempt may have died with its process. Only a later attempt can tell. */
async function rejectWhilePending(scope: TenantScope, id: string): Promise<void> {
  if ((await findMail(scope, id))?.status === 'PENDING') throw new Error('Another attempt to send the mail is running.')
}

function whyDiscarded({ expiresAt, isTenantActive }: ClaimedMail, now: Date): string | null {
  if (expiresAt <= now) return 'its token expired before it was sent'
  return isTenantActive ? null : 'its tenant is suspended or deleted'
}
