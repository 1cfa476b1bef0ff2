import { many, maybeOne, run, type Sql, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { TaskStatus } from '../tasks/task.rules.ts'

/** The tasks of an organization with one status. */
export type Column = { orgId: string; status: TaskStatus }

export type Placed = { id: string; position: string }

const inColumn = (tx: TenantScope, { orgId, status }: Column): Sql =>
  sql`tenant_id = ${tx.tenantId} and org_id = ${orgId} and status = ${status}`

/** The position next to another one in a column, without counting the task `except`. Null: there is none. */
export async function neighbourPosition(
  tx: TenantScope,
  column: Column,
  { side, of, except }: { side: 'before' | 'after'; of: string; except: string },
): Promise<string | null> {
  const [compared, order] = side === 'before' ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
  const found = await maybeOne(
    tx,
    sql<{ position: string }>`select position from tasks
      where ${inColumn(tx, column)} and position ${compared} ${of} and id <> ${except} order by position ${order} limit 1`,
  )
  return found?.position ?? null
}

/** The tasks around a position, in order: so many on each side of it. */
export async function listAround(
  tx: TenantScope,
  column: Column,
  { position, span }: { position: string; span: number },
): Promise<{ below: Placed[]; above: Placed[] }> {
  const below = await many(
    tx,
    sql<Placed>`select id, position from tasks where ${inColumn(tx, column)} and position <= ${position}
      order by position desc, id desc limit ${span}`,
  )
  const above = await many(
    tx,
    sql<Placed>`select id, position from tasks where ${inColumn(tx, column)} and position > ${position}
      order by position, id limit ${span}`,
  )
  return { below: below.reverse(), above }
}

export async function savePositions(tx: TenantScope, placed: Placed[]): Promise<void> {
  await run(
    tx,
    sql`update tasks t set position = placed.position
      from unnest(${placed.map(({ id }) => id)}::uuid[], ${placed.map(({ position }) => position)}::text[]) as placed(id, position)
      where t.tenant_id = ${tx.tenantId} and t.id = placed.id`,
  )
}
