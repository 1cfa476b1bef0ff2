import { maybeOne, type Sql, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { ReachedThreshold } from '../meters/threshold.service.ts'

/** Mails that are to be written. `isOfEachUser`: about the limit of each user, which other users may have reached, too. */
export type ClaimedMails = { isOfEachUser: boolean }

const dayMs = 24 * 3600 * 1000

/**
 * Marks the mails of a threshold as written. Null if they were before, because a job may run twice, and for the limit of each
 * user if mails about another user were written within a day: a tenant with a thousand users must not get as many mails.
 */
export async function claimMails(
  tx: TenantScope,
  { counter, window, percent }: ReachedThreshold,
  now: Date,
): Promise<ClaimedMails | null> {
  const { meter, limitedName, scope, subjectId, limit } = counter
  // Two users may reach the limit at once.
  await maybeOne(tx, sql`select from tenants where id = ${tx.tenantId} for no key update`)
  const isOfEachUser = (told: Sql) => sql`${told}.scope = 'user' and not exists (select from usage_own_limits l
    where l.tenant_id = ${told}.tenant_id and l.scope = 'user' and l.subject_id = ${told}.subject_id and l.meter = ${limitedName})`
  return maybeOne(
    tx,
    sql<ClaimedMails>`update usage_told t set mailed_at = ${now}
      where tenant_id = ${tx.tenantId} and meter = ${meter} and span = ${window.span} and window_start = ${window.from}
        and scope = ${scope} and subject_id = ${subjectId} and percent = ${percent} and max_amount = ${limit}
        and mailed_at is null and not (${isOfEachUser(sql`t`)} and exists (select from usage_told o
          where o.tenant_id = t.tenant_id and o.meter = t.meter and o.span = t.span and o.window_start = t.window_start
            and o.percent = t.percent and o.mailed_at > ${new Date(now.getTime() - dayMs)} and ${isOfEachUser(sql`o`)}))
      returning ${isOfEachUser(sql`t`)} as "isOfEachUser"`,
  )
}
