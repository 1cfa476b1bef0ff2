import type { JobKind, JobRun, Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { EventBus } from '../../storage/events.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { ReachedThreshold } from '../meters/threshold.service.ts'
import { thresholdText } from './threshold-mail.rules.ts'
import { claimMails } from './threshold-mail.store.ts'

/** A mail of which the text is ready. Declared here because the outbox imports types of this folder. */
type Notice = {
  user: { id: string; email: string }
  kind: 'USAGE_THRESHOLD'
  expiresAt: Date
  now: Date
  subject: string
  paragraphs: string[]
}

export type ThresholdMailDeps = {
  clock: Clock
  events: EventBus
  jobs: Jobs
  outbox(): { addNotice(tx: TenantScope, mail: Notice): Promise<void> }
  users(): {
    findEmail(scope: TenantScope, userId: string): Promise<string | null>
    listAdmins(scope: TenantScope): Promise<{ id: string; email: string }[]>
  }
  organizations(): { findName(scope: TenantScope, orgId: string): Promise<string | null> }
}

export const mailThreshold: JobKind<ReachedThreshold> = {
  name: 'usage.threshold.mail',
  attemptsMax: 10,
  backoffSeconds: 15,
  timeoutSeconds: 60,
}

/** Later the amounts of the mail would be too old. */
const mailLifetimeMs = 24 * 3600 * 1000

/**
 * Writes a mail to each administrator of a tenant about a threshold that was reached. The transaction of the use only
 * enqueues the job. A job that runs twice writes the mails once, and about the limit of each user there is one mail a day.
 */
export function thresholdMails({ clock, events, jobs, outbox, users, organizations }: ThresholdMailDeps) {
  events.on('usage.threshold.reached', (tx, { tenantId, ...data }) =>
    jobs.enqueue(tx, mailThreshold, { data, tenantId }),
  )

  return async ({ scope, data }: JobRun<ReachedThreshold>): Promise<void> => {
    if (scope.kind !== 'tenant') throw new Error('A threshold belongs to a tenant.')
    await transaction(scope, async (tx) => {
      const now = clock.now()
      const claimed = await claimMails(tx, data, now)
      if (claimed === null) return
      const text = thresholdText(data, { subject: await subjectName(tx, data), ...claimed })
      const expiresAt = new Date(now.getTime() + mailLifetimeMs)
      for (const user of await users().listAdmins(tx))
        await outbox().addNotice(tx, { user, kind: 'USAGE_THRESHOLD', expiresAt, now, ...text })
    })
  }

  async function subjectName(tx: TenantScope, { counter }: ReachedThreshold): Promise<string | null> {
    const { scope, subjectId } = counter
    if (scope === 'org') return organizations().findName(tx, subjectId)
    return scope === 'user' ? users().findEmail(tx, subjectId) : null
  }
}
