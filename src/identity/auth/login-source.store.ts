import { many, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import { sourcesMax } from './login-source.rules.ts'

/** Those of the sources from which the account with this address has logged in. None for an unknown address. */
export async function findKnownSources(
  scope: TenantScope,
  { email, sources, seenSince }: { email: string; sources: Buffer[]; seenSince: Date },
): Promise<Buffer[]> {
  const rows = await many(
    scope,
    sql<{ hash: Buffer }>`select s.source_hash as hash
      from users u join login_sources s on s.tenant_id = u.tenant_id and s.user_id = u.id
      where u.tenant_id = ${scope.tenantId} and u.email = ${email} and s.source_hash = any(${sources}::bytea[])
        and s.seen_at > ${seenSince}`,
  )
  return rows.map(({ hash }) => hash)
}

/** Remembers from where a user has just logged in, and forgets the oldest sources beyond the limit. */
export async function rememberSources(
  tx: TenantScope,
  { userId, sources, now }: { userId: string; sources: Buffer[]; now: Date },
): Promise<void> {
  await run(
    tx,
    sql`insert into login_sources (tenant_id, user_id, source_hash, seen_at)
      select ${tx.tenantId}, ${userId}, hash, ${now} from unnest(${sources}::bytea[]) as s(hash)
      on conflict (tenant_id, user_id, source_hash) do update set seen_at = excluded.seen_at`,
  )
  await run(
    tx,
    sql`delete from login_sources where tenant_id = ${tx.tenantId} and user_id = ${userId} and source_hash not in (
        select source_hash from login_sources where tenant_id = ${tx.tenantId} and user_id = ${userId}
        order by seen_at desc, source_hash limit ${sourcesMax})`,
  )
}

export function deleteOldSources(platform: PlatformScope, before: Date): Promise<number> {
  return run(platform, sql`delete from login_sources where seen_at < ${before}`)
}
