import { maybeOne, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Script } from './script.ts'

export async function insertScript(tx: TenantScope, botId: string, lines: Script): Promise<void> {
  await run(
    tx,
    sql`insert into bot_scripts (tenant_id, bot_id, lines) values (${tx.tenantId}, ${botId}, ${JSON.stringify(lines)}::jsonb)`,
  )
}

/** The lines after a number and up to an offset, and how many there are in all. */
export async function findLines(
  scope: TenantScope,
  { botId, from, offsetMs, limit }: { botId: string; from: number; offsetMs: number; limit: number },
): Promise<{ lines: Script; total: number; endMs: number }> {
  const found = await maybeOne(
    scope,
    sql<{ lines: Script | null; total: number; endMs: number }>`select jsonb_array_length(lines) as total,
        coalesce((lines -> -1 ->> 'offsetMs')::float8, 0) as "endMs",
        (select jsonb_agg(line order by number) from (
          select line, number from jsonb_array_elements(lines) with ordinality as l(line, number)
          where number > ${from} and (line ->> 'offsetMs')::float8 <= ${offsetMs} order by number limit ${limit}) next) as lines
      from bot_scripts where tenant_id = ${scope.tenantId} and bot_id = ${botId}`,
  )
  return { lines: found?.lines ?? [], total: found?.total ?? 0, endMs: found?.endMs ?? 0 }
}

export async function deleteScript(tx: TenantScope, botId: string): Promise<void> {
  await run(tx, sql`delete from bot_scripts where tenant_id = ${tx.tenantId} and bot_id = ${botId}`)
}
