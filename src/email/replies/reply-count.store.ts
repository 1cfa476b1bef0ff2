import { maybeOne, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type { ReplyCap } from './reply-caps.rules.ts'

/**
 * Counts an answer in each window, or in none: the first cap that is reached is returned, and nothing is counted. One statement
 * for each counts and compares, so of two answers that race for the last place one gets it.
 */
export async function takeReply(tx: TenantScope, caps: readonly ReplyCap[]): Promise<ReplyCap['kind'] | null> {
  for (const [index, cap] of caps.entries()) {
    if (await take(tx, cap)) continue
    for (const taken of caps.slice(0, index)) await giveBack(tx, taken)
    return cap.kind
  }
  return null
}

async function take(tx: TenantScope, { kind, subject, windowStart, max }: ReplyCap): Promise<boolean> {
  if (max < 1) return false
  const taken = await maybeOne(
    tx,
    sql`insert into email_reply_counts as c (tenant_id, kind, subject, window_start, count)
      values (${tx.tenantId}, ${kind}, ${subject}, ${windowStart}, 1)
      on conflict (tenant_id, kind, subject) do update
        set count = case when c.window_start < excluded.window_start then 1 else c.count + 1 end,
          window_start = greatest(c.window_start, excluded.window_start)
        where c.window_start < excluded.window_start or c.count < ${max}
      returning count`,
  )
  return taken !== null
}

async function giveBack(tx: TenantScope, { kind, subject }: ReplyCap): Promise<void> {
  const key = sql`tenant_id = ${tx.tenantId} and kind = ${kind} and subject = ${subject}`
  const lowered = await run(tx, sql`update email_reply_counts set count = count - 1 where ${key} and count > 1`)
  if (lowered === 0) await run(tx, sql`delete from email_reply_counts where ${key}`)
}

export function deleteReplyCountsBefore(platform: PlatformScope, before: Date): Promise<number> {
  return run(platform, sql`delete from email_reply_counts where window_start < ${before}`)
}
