import { many, maybeOne, run, sql } from '../../storage/query.ts'
import type { Scope, TenantScope } from '../../storage/scope.ts'

export type Pause = { at: Date; reason: string | null }

/** Null: bots of the tenant may be sent. */
export async function findPause(scope: TenantScope): Promise<Pause | null> {
  return maybeOne(
    scope,
    sql<Pause>`select paused_at as at, pause_reason as reason from bot_settings
      where tenant_id = ${scope.tenantId} and paused_at is not null`,
  )
}

export async function writePause(tx: TenantScope, pause: Pause | null): Promise<void> {
  await run(
    tx,
    sql`insert into bot_settings (tenant_id, paused_at, pause_reason) values (${tx.tenantId}, ${pause?.at ?? null}, ${pause?.reason ?? null})
      on conflict (tenant_id) do update set paused_at = excluded.paused_at, pause_reason = excluded.pause_reason`,
  )
}

export async function listTenantsWithBots(scope: Scope): Promise<string[]> {
  const rows = await many(
    scope,
    sql<{ id: string }>`select distinct tenant_id as id from bots where status not in ('ended', 'failed')`,
  )
  return rows.map(({ id }) => id)
}

export async function listTenants(scope: Scope): Promise<string[]> {
  const rows = await many(scope, sql<{ id: string }>`select id from tenants where deleted_at is null order by id`)
  return rows.map(({ id }) => id)
}
