import { many, run, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'

/** A batch of counts, by the process that sends it. Its numbers rise. */
export type BatchName = { writer: string; number: number }

/** False if the batch was added before: its answer was lost. Others wait for one that is just being added. */
export async function claimBatch(tx: PlatformScope, { writer, number }: BatchName, now: Date): Promise<boolean> {
  const claimed = await run(
    tx,
    sql`insert into usage_batches as b (writer, number, added_at) values (${writer}, ${number}, ${now})
      on conflict (writer) do update set number = excluded.number, added_at = excluded.added_at
        where b.number < excluded.number`,
  )
  return claimed > 0
}

/**
 * Those that are not erased. They stay so until the transaction ends.
 * @param isPatient false: leaves those out that are just being erased, because the erasure may wait for this transaction
 */
export async function holdTenants(
  tx: PlatformScope,
  tenantIds: string[],
  { isPatient = true } = {},
): Promise<Set<string>> {
  const rows = await many(
    tx,
    sql<{ id: string }>`select id from tenants where id = any (${tenantIds}::uuid[]) and erased_at is null
      order by id for key share${isPatient ? sql`` : sql` skip locked`}`,
  )
  return new Set(rows.map(({ id }) => id))
}
