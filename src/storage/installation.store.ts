import { one, run, sql } from './query.ts'
import type { PlatformScope } from './scope.ts'

/**
 * Refuses a database whose sealed values another master key was used for: without this, a node with the wrong key
 * would start, sign tokens nobody believes and fail at the first device it has to read.
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
      'The database was made with another master key. Give that key as MASTER_KEY, or start in the data folder that holds it in `master-key`.',
    )
  }
}
