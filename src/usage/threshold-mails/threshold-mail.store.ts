import { run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { ReachedThreshold } from '../meters/threshold.service.ts'

/** Marks the mails of a threshold as written. False if they were before: a job may run twice. */
export async function claimMails(
  tx: TenantScope,
  { counter, window, percent }: ReachedThreshold,
  now: Date,
): Promise<boolean> {
  const { meter, scope, subjectId, limit } = counter
  const claimed = await run(
    tx,
    sql`update usage_told set mailed_at = ${now}
      where tenant_id = ${tx.tenantId} and meter = ${meter} and span = ${window.span} and window_start = ${window.from}
        and scope = ${scope} and subject_id = ${subjectId} and percent = ${percent} and max_amount = ${limit}
        and mailed_at is null`,
  )
  return claimed > 0
}
