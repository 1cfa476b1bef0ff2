import type { JobRun } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Secrets } from '../../storage/secrets.ts'
import { letterOf } from './letter.rules.ts'
import { errorLine, type MailStatus, placeOf } from './mail.rules.ts'
import { type ClaimedMail, claimMail, closeTry, findMail } from './mail.store.ts'
import { MailRefused, type Post } from './smtp.ts'

export type DeliveryDeps = {
  clock: Clock
  secrets: Pick<Secrets, 'open'>
  /** Null: there is no mail server. */
  post: Post | null
  publicUrl: string | null
}

/** Longer than a try may take: a claim that is still there belongs to a process that died. */
const claimMs = 120 * 1000

/**
 * Sends one mail. A crash between the mail server's yes and our note of it sends the mail twice; both copies have one
 * Message-ID. Rejects where it is worth another try; what it rejects with holds no token.
 */
export function deliveryService({ clock, secrets, post, publicUrl }: DeliveryDeps) {
  return async ({ scope, data, isLastAttempt }: JobRun<{ mailId: string }>): Promise<void> => {
    if (scope.kind !== 'tenant') throw new Error('A mail belongs to a tenant.')
    if (post === null) throw new Error('This node has no SMTP_URL.')
    const now = clock.now()
    const claimedUntil = new Date(now.getTime() + claimMs)
    const mail = await claimMail(scope, { id: data.mailId, now, claimedUntil })
    if (mail === null) return refuseRunning(scope, data.mailId)
    const close = (status: MailStatus, error: string | null) =>
      closeTry(scope, { id: mail.id, status, error, sentAt: status === 'SENT' ? clock.now() : null })

    const uselessness = uselessnessOf(mail, now)
    if (uselessness !== null) return close('DISCARDED', uselessness)
    const { token } = JSON.parse(secrets.open(mail.contentSealed, placeOf(mail))) as { token: string }
    const { id, recipient: to, createdAt: date, kind, expiresAt } = mail
    try {
      await post.send({ ...letterOf({ sender: mail, publicUrl, kind, token, expiresAt }), id, to, date })
    } catch (error) {
      const line = errorLine(error instanceof Error ? error.message : String(error), token)
      const isOver = error instanceof MailRefused || isLastAttempt
      await close(isOver ? 'FAILED' : 'PENDING', line)
      if (isOver) return
      throw new Error(line)
    }
    await close('SENT', null)
  }
}

/** Another try that seems to run may have died with its process: only a later look tells. */
async function refuseRunning(scope: TenantScope, id: string): Promise<void> {
  if ((await findMail(scope, id))?.status === 'PENDING') throw new Error('Another try to send the mail is running.')
}

function uselessnessOf({ expiresAt, isTenantActive }: ClaimedMail, now: Date): string | null {
  if (expiresAt <= now) return 'its token expired before it was sent'
  return isTenantActive ? null : 'its tenant is suspended or deleted'
}
