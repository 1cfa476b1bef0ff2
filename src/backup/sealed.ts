import type { SealedColumn } from '../storage/sealed-column.ts'
import type { Secrets } from '../storage/secrets.ts'
import { beginTransaction, readRows } from './dump.ts'
import type { Session } from './session.ts'

export type SealedCount = { opened: number; unopened: { column: string; rows: number }[] }

/** Opens every sealed value of a database; says how many do not open, by column. */
export async function openAll(session: Session, columns: SealedColumn[], secrets: Secrets): Promise<SealedCount> {
  const count: SealedCount = { opened: 0, unopened: [] }
  await beginTransaction(session, 'read only')
  for (const { table, column, owner, context: boundTo } of columns) {
    let rows = 0
    const asked = [column, ...owner].map((name) => ({ name, type: 'text' }))
    for await (const [sealed, ...texts] of readRows(session, { name: table, columns: asked })) {
      if (sealed === null || sealed === undefined) continue
      if (opens(secrets, sealed, boundTo(texts as string[]))) count.opened += 1
      else rows += 1
    }
    if (rows > 0) count.unopened.push({ column: `${table}.${column}`, rows })
  }
  await session.query('rollback')
  return count
}

/** @param sealed as PostgreSQL writes bytes: `\x` and hexadecimal digits */
function opens(secrets: Secrets, sealed: string, boundTo: string): boolean {
  try {
    secrets.open(Buffer.from(sealed.slice(2), 'hex'), boundTo)
    return true
  } catch {
    return false
  }
}
