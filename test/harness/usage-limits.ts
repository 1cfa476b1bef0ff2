import { run, sql } from '../../src/storage/query.ts'
import type { TestApp } from './app.ts'

type Override = { hard: number | null; atLimit?: string; until?: Date }

/** Sets a limit of usage for a tenant, as an administrator of the platform does. */
export async function overrideLimit(app: TestApp, tenantId: string, meter: string, override: Override): Promise<void> {
  const { hard, atLimit = null, until = null } = override
  await run(
    app.platform,
    sql`insert into usage_overrides (tenant_id, meter, hard, at_limit, until, reason, updated_at)
      values (${tenantId}, ${meter}, ${hard}, ${atLimit}, ${until}, 'A test', ${app.clock.now()})
      on conflict (tenant_id, meter) do update set hard = excluded.hard, at_limit = excluded.at_limit, until = excluded.until`,
  )
}
