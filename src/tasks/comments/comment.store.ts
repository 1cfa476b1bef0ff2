import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, maybeOne, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { isVisible, type Reader, type TaskKey } from '../tasks/task.store.ts'

export type Comment = {
  id: string
  text: string
  authorId: string | null
  authorName: string | null
  createdAt: Date
  editedAt: Date | null
  revision: number
}

type CommentKey = { taskId: string; id: string }

const columns = sql`c.id, c.text, c.author_id as "authorId", u.name as "authorName", c.created_at as "createdAt",
  c.edited_at as "editedAt", c.revision`
const source = sql`from task_comments c left join users u on u.tenant_id = c.tenant_id and u.id = c.author_id`

/** In the order in which they were written. */
export function listComments(
  scope: TenantScope,
  { orgId, id }: TaskKey,
  { reader, ...page }: PageRequest & { reader: Reader },
): Promise<Page<Comment>> {
  return listPage<Comment>(scope, page, {
    columns,
    from: sql`${source} join tasks t on t.tenant_id = c.tenant_id and t.id = c.task_id
      where c.tenant_id = ${scope.tenantId} and c.task_id = ${id} and ${isVisible(scope, { orgId, reader })}`,
    orderBy: sql`c.created_at, c.id`,
  })
}

export function findComment(scope: TenantScope, { taskId, id }: CommentKey): Promise<Comment | null> {
  return maybeOne(
    scope,
    sql<Comment>`select ${columns} ${source}
      where c.tenant_id = ${scope.tenantId} and c.task_id = ${taskId} and c.id = ${id}`,
  )
}

type NewComment = CommentKey & { text: string; authorId: string; now: Date }

export async function insertComment(tx: TenantScope, { id, taskId, text, authorId, now }: NewComment): Promise<void> {
  await run(
    tx,
    sql`insert into task_comments (tenant_id, id, task_id, text, author_id, created_at)
      values (${tx.tenantId}, ${id}, ${taskId}, ${text}, ${authorId}, ${now})`,
  )
}

export async function saveComment(
  tx: TenantScope,
  { id, text, now }: { id: string; text: string; now: Date },
): Promise<void> {
  await run(
    tx,
    sql`update task_comments set text = ${text}, edited_at = ${now}, revision = revision + 1
      where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

export async function deleteComment(tx: TenantScope, id: string): Promise<void> {
  await run(tx, sql`delete from task_comments where tenant_id = ${tx.tenantId} and id = ${id}`)
}
