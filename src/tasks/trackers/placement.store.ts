import { many, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Task } from '../tasks/task.rules.ts'
import { taskColumns } from '../tasks/task.store.ts'

/** The organizations whose boards show issues of a connection. */
export async function listBoards(tx: TenantScope, connectionId: string): Promise<string[]> {
  const boards = await many(
    tx,
    sql<{ orgId: string }>`select distinct org_id as "orgId" from tasks
      where tenant_id = ${tx.tenantId} and connection_id = ${connectionId} and org_id is not null`,
  )
  return boards.map(({ orgId }) => orgId)
}

/** The tasks of a connection's issues, locked, in the order of their creation. */
export function lockTasksOfConnection(tx: TenantScope, connectionId: string): Promise<Task[]> {
  return many(
    tx,
    sql<Task>`select ${taskColumns} from tasks t
      where t.tenant_id = ${tx.tenantId} and t.connection_id = ${connectionId} order by t.id for no key update`,
  )
}

/** Takes tasks off a board, without what its organization has written to them. */
export async function takeOffBoard(tx: TenantScope, ids: string[], now: Date): Promise<void> {
  await run(tx, sql`delete from task_comments where tenant_id = ${tx.tenantId} and task_id = any (${ids}::uuid[])`)
  await run(tx, sql`delete from task_changes where tenant_id = ${tx.tenantId} and task_id = any (${ids}::uuid[])`)
  await run(
    tx,
    sql`update tasks set org_id = null, number = null, position = null, description = '', priority = 'none', labels = '{}',
        search = '', revision = revision + 1, updated_at = ${now}
      where tenant_id = ${tx.tenantId} and id = any (${ids}::uuid[])`,
  )
}

export type Placement = { id: string; number: number; position: string; search: string[] }

export async function putOnBoard(tx: TenantScope, orgId: string, placements: Placement[]): Promise<void> {
  await run(
    tx,
    sql`update tasks t set org_id = ${orgId}, number = p.number, position = p.position,
        search = array_to_tsvector(string_to_array(p.search, chr(10)))
      from unnest(${placements.map(({ id }) => id)}::uuid[], ${placements.map(({ number }) => number)}::int[],
        ${placements.map(({ position }) => position)}::text[], ${placements.map(({ search }) => search.join('\n'))}::text[])
        as p(id, number, position, search)
      where t.tenant_id = ${tx.tenantId} and t.id = p.id`,
  )
}
