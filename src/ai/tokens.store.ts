import { run, sql } from '../storage/query.ts'
import type { TenantScope } from '../storage/scope.ts'

/** A UTC day, for example `2026-11-21`. */
export type Day = string

/** One statement, so that two requests cannot both take the last tokens. False if they would exceed `max`. */
export async function reserveTokens(
  scope: TenantScope,
  { day, tokens, max }: { day: Day; tokens: number; max: number },
): Promise<boolean> {
  const rows = await run(
    scope,
    sql`insert into model_tokens (tenant_id, day, tokens) select ${scope.tenantId}, ${day}::date, ${tokens}::bigint
        where ${tokens}::bigint <= ${max}::bigint
      on conflict (tenant_id, day) do update set tokens = model_tokens.tokens + excluded.tokens
        where model_tokens.tokens + excluded.tokens <= ${max}::bigint`,
  )
  return rows > 0
}

/** Corrects the reservation once the usage is known. `difference` may be negative. */
export async function settleTokens(
  scope: TenantScope,
  { day, difference }: { day: Day; difference: number },
): Promise<void> {
  await run(
    scope,
    sql`update model_tokens set tokens = greatest(0, tokens + ${difference}::bigint)
      where tenant_id = ${scope.tenantId} and day = ${day}::date`,
  )
}
