import { requireRevision } from '../../http/cache/precondition.ts'
import { isId } from '../../kernel/ids.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { invalidField, notFound, Refusal, refuseFields } from '../../kernel/refusal.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Quotas } from '../../usage/index.ts'
import { conflictOf, dayIn, normalized } from './task.rules.ts'
import type { NewTask, OwnTaskQuery, TaskChange } from './task.schema.ts'
import {
  findTask,
  lockTasks,
  type MeetingReadableBy,
  type Reader,
  type ReadTask,
  readsMeetingOfTask,
  readsNoMeeting,
  type TaskKey,
} from './task.store.ts'
import {
  type Board,
  listOwnTasks,
  listTaskIds,
  listTasks,
  listTasksById,
  listTasksWithoutBoard,
  type TaskFilter,
  type TaskSort,
} from './task-list.store.ts'
import type { RecordDeps, TaskRecords } from './task-record.ts'

export type TaskDeps = Pick<RecordDeps, 'clock'> & {
  quotas: Quotas
  records: TaskRecords
  members: OrganizationMembers
  meetingReadableBy: MeetingReadableBy
}

export type User = { id: string; role: 'USER' | 'ADMIN' }

/** A task, and the day that it is in its organization. */
export type TaskOfDay = { task: ReadTask; today: string }
export type TasksOfDay = { tasks: ReadTask[]; today: string }

export type Target = TaskKey & { user: User; ifMatch?: string | undefined }
type Assignment = { orgId: string; userId: string | null | undefined; path?: string }
type Search = { filter: TaskFilter; sort: TaskSort }

/** More is no list that anybody reads. */
const exportedMax = 100_000
const batchTasks = 500

export type Tasks = ReturnType<typeof taskService>

export function taskService({ clock, quotas, records, members, meetingReadableBy }: TaskDeps) {
  const readerOf = ({ id }: User): Reader => ({ userId: id, readsMeeting: readsMeetingOfTask(meetingReadableBy, id) })
  const todayIn = ({ timeZone }: { timeZone: string }) => dayIn(timeZone, clock.now())

  /** Refuses NOT_FOUND. */
  async function get(scope: TenantScope, user: User, { orgId, id }: TaskKey): Promise<TaskOfDay> {
    const organization = await members.get(scope, user, { orgId })
    const task = isId(id) ? await findTask(scope, { orgId, id }, readerOf(user)) : null
    if (task === null) throw notFound()
    return { task, today: todayIn(organization) }
  }

  /** Refuses NOT_FOUND. */
  async function list(
    scope: TenantScope,
    user: User,
    { orgId, page, ...search }: Search & { orgId: string; page: PageRequest },
  ) {
    const today = todayIn(await members.get(scope, user, { orgId }))
    const { items, total } = await listTasks(scope, { orgId, today }, { ...search, page, reader: readerOf(user) })
    return { tasks: items, today, total }
  }

  /** All that `list` has on all pages, in batches. Refuses NOT_FOUND. */
  async function exportAll(
    scope: TenantScope,
    user: User,
    { orgId, ...search }: Search & { orgId: string },
  ): Promise<AsyncGenerator<TasksOfDay>> {
    const today = todayIn(await members.get(scope, user, { orgId }))
    const reader = readerOf(user)
    const ids = await listTaskIds(scope, { orgId, today }, { ...search, reader, max: exportedMax })
    return (async function* batches() {
      for (let start = 0; start < ids.length; start += batchTasks) {
        const batch = { orgId, ids: ids.slice(start, start + batchTasks) }
        yield { tasks: await listTasksById(scope, batch, reader), today }
      }
    })()
  }

  /** The tasks that are assigned to the user. `total` may be a lower bound (`TaskList`). */
  async function listOwn(
    scope: TenantScope,
    user: User,
    { page, ...search }: Search & { page: PageRequest },
  ): Promise<Page<TaskOfDay>> {
    const boards: Board[] = (await members.listOwn(scope, user)).map((org) => ({ orgId: org.id, today: todayIn(org) }))
    const today = new Map(boards.map((board) => [board.orgId, board.today]))
    const { items, total } = await listOwnTasks(scope, boards, { ...search, page, reader: readerOf(user) })
    return { items: items.map((task) => ({ task, today: today.get(task.orgId ?? '') ?? '' })), total }
  }

  /** Issues whose connection has no organization, for administrators of the tenant. Refuses INSUFFICIENT_ROLE. */
  async function listWithoutBoard(scope: TenantScope, user: User, page: PageRequest): Promise<Page<TaskOfDay>> {
    if (user.role !== 'ADMIN') throw new Refusal('INSUFFICIENT_ROLE')
    const { items, total } = await listTasksWithoutBoard(scope, page, readsNoMeeting)
    return { items: items.map((task) => ({ task, today: dayIn('UTC', clock.now()) })), total }
  }

  /** Refuses NOT_FOUND, INSUFFICIENT_ROLE, VALIDATION_ERROR and QUOTA_EXCEEDED. */
  const create = (
    scope: TenantScope,
    user: User,
    { orgId, ...body }: NewTask & { orgId: string },
  ): Promise<TaskOfDay> =>
    transaction(scope, async (tx) => {
      const limits = await quotas.lockLimits(tx, user.id)
      const organization = await members.lock(tx, user, { orgId, least: 'member' })
      await requireAssignee(tx, { orgId, userId: body.assigneeId })
      const draft = { ...normalized(body), orgId, status: 'open', source: 'manual', createdBy: user.id } as const
      return { task: { ...(await records.create(tx, draft, limits)), evidence: null }, today: todayIn(organization) }
    })

  /** Refuses NOT_FOUND, INSUFFICIENT_ROLE, PRECONDITION_FAILED, STATE_CONFLICT, VALIDATION_ERROR and QUOTA_EXCEEDED. */
  const update = (scope: TenantScope, { user, orgId, id, ifMatch }: Target, body: TaskChange): Promise<TaskOfDay> =>
    transaction(scope, async (tx) => {
      const organization = await members.lock(tx, user, { orgId, least: 'member' })
      const task = await lock(tx, { user, orgId, id })
      requireRevision(ifMatch, task)
      requireChange(task, body)
      await requireAssignee(tx, { orgId, userId: body.assigneeId })
      const after = await records.change(tx, task, normalized(body), { origin: 'user', actorId: user.id })
      return { task: { ...after, evidence: task.evidence }, today: todayIn(organization) }
    })

  /** Refuses NOT_FOUND, INSUFFICIENT_ROLE and PRECONDITION_FAILED. */
  const remove = (scope: TenantScope, { user, orgId, id, ifMatch }: Target): Promise<void> =>
    transaction(scope, async (tx) => {
      const { role } = await members.lock(tx, user, { orgId, least: 'member' })
      const task = await lock(tx, { user, orgId, id })
      if (task.createdBy !== user.id) members.requireRole(role, 'admin')
      requireRevision(ifMatch, task)
      await records.remove(tx, task)
    })

  /** A visible task, locked. The organization must be locked. Refuses NOT_FOUND. */
  async function lock(tx: TenantScope, { user, orgId, id }: Target): Promise<ReadTask> {
    const [task] = isId(id) ? await lockTasks(tx, { orgId, ids: [id] }, readerOf(user)) : []
    if (task === undefined) throw notFound()
    return task
  }

  /** Refuses VALIDATION_ERROR for somebody who is no member. */
  async function requireAssignee(
    scope: TenantScope,
    { orgId, userId, path = '/body/assigneeId' }: Assignment,
  ): Promise<void> {
    if (userId === null || userId === undefined) return
    if (!isId(userId) || !(await members.isMember(scope, { orgId, userId })))
      throw invalidField(path, { code: 'unknown', message: 'must be a member of the organization' })
  }

  /** The same as a rule of a route: to who is no member it must not tell who is one. Refuses NOT_FOUND, too. */
  async function assigneeRule(scope: TenantScope, user: User, assignment: Assignment): Promise<void> {
    await members.get(scope, user, { orgId: assignment.orgId })
    await requireAssignee(scope, assignment)
  }

  return {
    get,
    list,
    exportAll,
    listOwn,
    listWithoutBoard,
    create,
    update,
    remove,
    lock,
    requireAssignee,
    assigneeRule,
    todayIn,
    readerOf,
  }
}

/** Refuses STATE_CONFLICT for a change that the task does not allow. */
export function requireChange(task: ReadTask, change: TaskChange): void {
  const conflict = conflictOf(task, change)
  if (conflict !== null) throw new Refusal('STATE_CONFLICT', conflict)
}

/** The list of issues without a board is newest first and not filtered. Refuses VALIDATION_ERROR. */
export function requireNoFilter({ scope, page: _page, limit: _limit, ...filters }: { [name: string]: unknown }): void {
  if (scope !== 'tenant') return
  const message = 'cannot be combined with `scope=tenant`'
  refuseFields(Object.keys(filters).map((name) => ({ path: `/query/${name}`, code: 'unknown', message })))
}

/** What the filters of a query ask for. */
export function filterOf(
  user: User,
  { assignee, ...query }: Omit<OwnTaskQuery, 'sort' | 'scope'> & { assignee?: string },
): TaskFilter {
  const { status, due, from, to, label, source, meetingId, q } = query
  const who =
    assignee === undefined ? {} : { assignee: assignee === 'none' ? null : assignee === 'me' ? user.id : assignee }
  return { status, due, from, to, label: label?.trim(), source, meetingId, q, ...who }
}
