import type { JobKind, Jobs, NewJob } from '../../src/jobs/jobs.ts'
import { type MailKind, sealContext } from '../../src/mails/mail.rules.ts'
import { many, sql } from '../../src/storage/query.ts'
import type { PlatformScope } from '../../src/storage/scope.ts'
import { testSecrets } from './app.ts'

export type MailRow = {
  id: string
  tenantId: string
  recipient: string
  kind: MailKind
  status: string
  attempts: number
  lastError: string | null
  sentAt: Date | null
  contentSealed: Buffer | null
}

/** The mails to an address, oldest first. */
export function mailsTo(platform: PlatformScope, recipient: string): Promise<MailRow[]> {
  return many(
    platform,
    sql<MailRow>`select id, tenant_id as "tenantId", recipient, kind, status, attempts, last_error as "lastError",
        sent_at as "sentAt", content_sealed as "contentSealed"
      from mail_outbox where recipient = ${recipient} order by created_at, id`,
  )
}

/** The token in the newest pending mail of a kind, which a person would find in the mailbox; null where there is none. */
export async function waitingToken(platform: PlatformScope, recipient: string, kind: MailKind): Promise<string | null> {
  const mail = (await mailsTo(platform, recipient)).findLast((row) => row.kind === kind && row.status === 'PENDING')
  if (!mail?.contentSealed) return null
  return (JSON.parse(testSecrets.open(mail.contentSealed, sealContext(mail))) as { token: string }).token
}

/** Records jobs instead of running them. */
export function recordedJobs(): Jobs & { enqueued: { kind: string; job: NewJob<object> }[] } {
  const enqueued: { kind: string; job: NewJob<object> }[] = []
  return {
    enqueued,
    enqueue: async <D extends object>(_: unknown, { name }: JobKind<D>, job: NewJob<D>) => {
      enqueued.push({ kind: name, job })
    },
  }
}
