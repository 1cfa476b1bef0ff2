import { type Sql, sql } from '../../storage/query.ts'

/**
 * For queries of other capabilities, the plan of a tenant for a product: that of its best ACTIVE license; TRIAL if it had a
 * license once and has no ACTIVE one now; else `otherwise`.
 */
export function planInForce({
  tenantId,
  product,
  now,
  otherwise,
}: {
  tenantId: Sql | string
  product: string
  now: Date
  otherwise: string | null
}): Sql<string | null> {
  return sql`coalesce(
    (select case
        when revoked_at is not null or expires_at <= ${now} then 'TRIAL'
        else plan
      end
      from licenses where tenant_id = ${tenantId} and product = ${product}
      order by revoked_at is null and (expires_at is null or expires_at > ${now}) desc,
        array_position(array['ENTERPRISE', 'PRO', 'STARTER', 'TRIAL'], plan)
      limit 1), ${otherwise}::text)`
}

/** When that plan may be another one, though no license is changed. Null: never. */
export function planEnd({
  tenantId,
  product,
  now,
}: {
  tenantId: Sql | string
  product: string
  now: Date
}): Sql<Date | null> {
  return sql`(select min(expires_at) from licenses where tenant_id = ${tenantId} and product = ${product}
    and revoked_at is null and expires_at > ${now})`
}
