import { requireRevision } from '../../http/cache/precondition.ts'
import { eraseStoredAnswers } from '../../http/idempotency.store.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Tasks, User } from '../tasks/task.service.ts'
import { auditTarget } from '../tasks/task-record.ts'
import { type Comment, deleteComment, findComment, insertComment, listComments, saveComment } from './comment.store.ts'

export type CommentDeps = { clock: Clock; audit: Audit; tasks: Tasks; members: OrganizationMembers }

type TaskTarget = { user: User; orgId: string; taskId: string }
type CommentKey = { taskId: string; id: string }
type Target = TaskTarget & { id: string; ifMatch?: string | undefined }

export type Comments = ReturnType<typeof commentService>

/** Every change holds the lock of the organization, so that the role that it has checked still holds. */
export function commentService({ clock, audit, tasks, members }: CommentDeps) {
  /** Refuses NOT_FOUND. */
  async function list(
    scope: TenantScope,
    { user, orgId, taskId }: TaskTarget,
    page: PageRequest,
  ): Promise<Page<Comment>> {
    await tasks.get(scope, user, { orgId, id: taskId })
    return listComments(scope, { orgId, id: taskId }, { ...page, reader: tasks.readerOf(user) })
  }

  /** Refuses NOT_FOUND, INSUFFICIENT_ROLE and STATE_CONFLICT. */
  const create = (scope: TenantScope, target: TaskTarget, text: string): Promise<Comment> =>
    transaction(scope, async (tx) => {
      const { task } = await lockTask(tx, target)
      // Once it is accepted every member would read what was written for the readers of its meeting.
      if (task.acceptedRevision === null)
        throw new Refusal('STATE_CONFLICT', { detail: 'A proposal has no comments until somebody accepts it.' })
      const { user, taskId } = target
      const now = clock.now()
      const id = newId(now)
      await insertComment(tx, { id, taskId, text, authorId: user.id, now })
      await record(tx, { taskId, id }, 'task.comment.create')
      return getComment(tx, { taskId, id })
    })

  /** By its author. Refuses NOT_FOUND, INSUFFICIENT_ROLE and PRECONDITION_FAILED. */
  const update = (scope: TenantScope, target: Target, text: string): Promise<Comment> =>
    transaction(scope, async (tx) => {
      await lockTask(tx, target)
      const comment = await getComment(tx, target)
      if (comment.authorId !== target.user.id)
        throw new Refusal('INSUFFICIENT_ROLE', { detail: 'Only its author can change a comment.' })
      requireRevision(target.ifMatch, comment)
      if (comment.text === text) return comment
      await saveComment(tx, { id: comment.id, text, now: clock.now() })
      // They hold the former text.
      await eraseStoredAnswers(tx, [target.taskId])
      await record(tx, target, 'task.comment.update')
      return getComment(tx, target)
    })

  /** By its author or an admin. Refuses NOT_FOUND, INSUFFICIENT_ROLE and PRECONDITION_FAILED. */
  const remove = (scope: TenantScope, target: Target): Promise<void> =>
    transaction(scope, async (tx) => {
      const { role } = await lockTask(tx, target)
      const comment = await getComment(tx, target)
      if (comment.authorId !== target.user.id) members.requireRole(role, 'admin')
      requireRevision(target.ifMatch, comment)
      await deleteComment(tx, comment.id)
      // They hold its text.
      await eraseStoredAnswers(tx, [target.taskId])
      await record(tx, target, 'task.comment.delete')
    })

  async function lockTask(tx: TenantScope, { user, orgId, taskId }: TaskTarget) {
    const { role } = await members.lock(tx, user, { orgId, least: 'member' })
    return { role, task: await tasks.lock(tx, { user, orgId, id: taskId }) }
  }

  const record = (tx: TenantScope, { taskId, id }: CommentKey, action: string): Promise<void> =>
    audit(tx, { action, target: auditTarget({ id: taskId }), changes: { commentId: id } })

  return { list, create, update, remove }
}

async function getComment(scope: TenantScope, key: CommentKey): Promise<Comment> {
  const comment = await findComment(scope, key)
  if (comment === null) throw notFound()
  return comment
}
