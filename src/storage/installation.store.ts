import { one, run, sql } from './query.ts'
import type { PlatformScope } from './scope.ts'

/**
 * Throws for a database that was sealed with another master key. Without this check a node with the wrong key would start,
 * sign tokens that nobody accepts and fail at the first device it reads.
 */
export async function confirmMasterKey(platform: PlatformScope, check: string, now: Date): Promise<void> {
  await run(
    platform,
    sql`insert into installation (id, master_key_check, created_at) values (1, ${check}, ${now}) on conflict (id) do nothing`,
  )
  const { known } = await one(
    platform,
    sql<{ known: string }>`select master_key_check as known from installation where id = 1`,
  )
  if (known !== check) {
    throw new Error(
      'The database was created with another master key. Set MASTER_KEY to that key, or start with the data folder that holds it in `master-key`.',
    )
  }
}
