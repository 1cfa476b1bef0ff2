import { many, run, sql } from '../query.ts'
import type { Scope } from '../scope.ts'

/**
 * Locks blobs. Take it before adding a row for a blob and before removing a blob without rows, so that no row ever lacks
 * its blob. Locks in ascending order, so that two transactions cannot deadlock.
 */
export async function lockBlobs(tx: Scope, keys: string[]): Promise<void> {
  for (const key of [...new Set(keys)].sort())
    await run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`media blob ${key}`}, 0))`)
}

/** The keys that no row claims: neither an uploaded file of the platform nor a document of a tenant (the view `blob_claims`). */
export async function listUnclaimed(scope: Scope, keys: string[]): Promise<string[]> {
  const rows = await many(
    scope,
    sql<{ key: string }>`select k.key from unnest(${keys}::text[]) as k (key)
      where not exists (select 1 from blob_claims c where c.sha256 = k.key collate "C")`,
  )
  return rows.map(({ key }) => key)
}

/** The blobs that must exist, ascending, after the given one. */
export async function listClaimedAfter(scope: Scope, after: string, limit: number): Promise<string[]> {
  const rows = await many(
    scope,
    sql<{
      key: string
    }>`select distinct sha256 as key from blob_claims where sha256 > ${after} order by sha256 limit ${limit}`,
  )
  return rows.map(({ key }) => key)
}
