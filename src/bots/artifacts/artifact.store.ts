import { many, maybeOne, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'

export type Artifact = { name: string; mediaType: string; bytes: Buffer }

export async function writeArtifact(
  tx: TenantScope,
  { botId, name, mediaType, bytes, now }: Artifact & { botId: string; now: Date },
): Promise<void> {
  await run(
    tx,
    sql`insert into bot_artifacts (tenant_id, bot_id, name, media_type, bytes, created_at)
      values (${tx.tenantId}, ${botId}, ${name}, ${mediaType}, ${bytes}, ${now})
      on conflict (tenant_id, bot_id, name) do update set media_type = excluded.media_type, bytes = excluded.bytes, created_at = excluded.created_at`,
  )
}

export async function listArtifactNames(scope: TenantScope, botId: string): Promise<string[]> {
  const rows = await many(
    scope,
    sql<{
      name: string
    }>`select name from bot_artifacts where tenant_id = ${scope.tenantId} and bot_id = ${botId} order by name`,
  )
  return rows.map(({ name }) => name)
}

export function findArtifact(
  scope: TenantScope,
  { botId, name }: { botId: string; name: string },
): Promise<Artifact | null> {
  return maybeOne(
    scope,
    sql<Artifact>`select name, media_type as "mediaType", bytes from bot_artifacts
      where tenant_id = ${scope.tenantId} and bot_id = ${botId} and name = ${name}`,
  )
}

export function deleteArtifactsBefore(platform: PlatformScope, before: Date): Promise<number> {
  return run(platform, sql`delete from bot_artifacts where created_at < ${before}`)
}
