import { maybeOne, type Sql, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { StockMeter } from './quota.rules.ts'

/** What of a row of `tenant_storage` is limited. */
export const stockAmounts: Record<StockMeter, Sql> = {
  storageBytes: sql`(mail_bytes + document_bytes)`,
  documents: sql`document_count`,
}

/** What the tenant stores, and the thresholds that it has reached and was not told of in the month that begins with `from`. */
export function findReachedByStock(
  { tenantId, ...scope }: TenantScope,
  { meter, limit, from }: { meter: StockMeter; limit: number; from: string },
): Promise<{ used: number; reached: number[] } | null> {
  return maybeOne(
    { tenantId, ...scope },
    sql<{
      used: number
      reached: number[]
    }>`select s.used::bigint, usage_reached(${tenantId}, ${meter}, 'month', ${from},
          'tenant', ${tenantId}, s.used::bigint, ${limit}::bigint, coalesce((select t.percents from usage_thresholds t
            where t.tenant_id = ${tenantId} and t.meter in (${meter}, '') order by t.meter desc limit 1), '{80,100}')) as reached
      from (select ${stockAmounts[meter]} as used from tenant_storage where tenant_id = ${tenantId}) s`,
  )
}
