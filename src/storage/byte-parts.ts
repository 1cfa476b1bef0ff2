import { maybeOne, run, type Sql, sql } from './query.ts'
import type { TenantScope } from './scope.ts'

/** Tables of `(tenant_id, owner_id, position, bytes)`. Their rows are deleted with those of their owners. */
type PartsTable = 'webhook_delivery_parts' | 'mail_message_parts'

// The embedded database holds the event loop during a statement: 20 MB in one take it half a second, a part some 10 ms.
const partBytesMax = 512 * 1024

// Erasing a body of 20 MB takes the embedded database 60 ms. A statement erases at most one such body on top of these.
const erasedBytesMax = 8 * 1024 * 1024

/**
 * An array of the `ctid`s of some rows, none after the one with which they reach 8 MiB: whatever rows hold, the statement that
 * erases these stays short. `rows` goes from `from` to a limit, `bytes` is the size of a row and never null.
 */
export function erasableRows({ bytes, rows }: { bytes: Sql; rows: Sql }): Sql {
  return sql`array(
    select ctid from (
      select ctid, bytes, sum(bytes) over (rows unbounded preceding) as total
      from (select ctid, ${bytes} as bytes ${rows}) as sized) as summed
    where total - bytes < ${erasedBytesMax}::int)`
}

/** What the row of the owner holds itself. */
export function firstPart(bytes: Buffer): Buffer {
  return bytes.subarray(0, partBytesMax)
}

/** Stores what does not fit into the first part. The owner has been inserted in this transaction. */
export async function insertOtherParts(
  tx: TenantScope,
  table: PartsTable,
  { id, bytes }: { id: string; bytes: Buffer },
): Promise<void> {
  for (let position = 1; position * partBytesMax < bytes.length; position++) {
    const part = bytes.subarray(position * partBytesMax, (position + 1) * partBytesMax)
    await run(
      tx,
      sql`insert into ${sql.raw(table)} (tenant_id, owner_id, position, bytes)
        values (${tx.tenantId}, ${id}, ${position}, ${part})`,
    )
  }
}

/** All bytes, with the first part; null where some have been deleted since that was read. */
export async function readWithOtherParts(
  scope: TenantScope,
  table: PartsTable,
  { id, first, bytes }: { id: string; first: Buffer; bytes: number },
): Promise<Buffer | null> {
  const parts = [first]
  for (let length = first.length; length < bytes; length += parts.at(-1)?.length ?? 0) {
    const next = await maybeOne(
      scope,
      sql<{ bytes: Buffer }>`select bytes from ${sql.raw(table)}
        where tenant_id = ${scope.tenantId} and owner_id = ${id} and position = ${parts.length}`,
    )
    if (next === null) return null
    parts.push(next.bytes)
  }
  return parts.length === 1 ? first : Buffer.concat(parts, bytes)
}
