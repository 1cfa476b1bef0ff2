import { many, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { CounterInWindow } from './usage-exceeded.ts'

/** Remembers the reached thresholds of a counter. Returns, in percent, those that nobody has told of. */
export async function insertTold(
  tx: TenantScope,
  { counter, window, now }: CounterInWindow & { now: Date },
): Promise<number[]> {
  const { meter, scope, subjectId, limit, reached } = counter
  const rows = await many(
    tx,
    sql<{
      percent: number
    }>`insert into usage_told (tenant_id, meter, span, window_start, scope, subject_id, percent, max_amount, told_at)
      select ${tx.tenantId}, ${meter}, ${window.span}, ${window.from}, ${scope}, ${subjectId}, percent, ${limit}, ${now}
      from unnest(${reached}::smallint[]) percent order by percent
      on conflict do nothing returning percent`,
  )
  return rows.map(({ percent }) => percent)
}
