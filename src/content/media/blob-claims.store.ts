import { many, run, sql } from '../../storage/query.ts'
import type { Scope } from '../../storage/scope.ts'

/**
 * Whoever gives a blob its row, and whoever removes a blob because it has none, holds its lock: so that no row is ever
 * without a blob. Ascending, so that two who need several do not wait for each other.
 */
export async function lockBlobs(tx: Scope, keys: string[]): Promise<void> {
  for (const key of [...new Set(keys)].sort())
    await run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`media blob ${key}`}, 0))`)
}

/** Those of the keys that no file has. */
export async function unclaimedOf(scope: Scope, keys: string[]): Promise<string[]> {
  const rows = await many(
    scope,
    sql<{ key: string }>`select k.key from unnest(${keys}::text[]) as k (key)
      where not exists (select 1 from media_files f where f.sha256 = k.key collate "C")`,
  )
  return rows.map(({ key }) => key)
}

/** The blobs that there have to be, ascending, after the one given. */
export async function claimedAfter(scope: Scope, after: string, limit: number): Promise<string[]> {
  const rows = await many(
    scope,
    sql<{
      key: string
    }>`select distinct sha256 as key from media_files where sha256 > ${after} order by sha256 limit ${limit}`,
  )
  return rows.map(({ key }) => key)
}
