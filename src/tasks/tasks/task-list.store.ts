import { type Page, type PageRequest, pageOffset } from '../../kernel/paging.ts'
import { listPage, many, run, type Sql, sql } from '../../storage/query.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import { searchWords, type TaskSource, type TaskStatus, wordTerm } from './task.rules.ts'
import {
  isAcceptedOr,
  isMember,
  isVisible,
  type Reader,
  type ReadsMeeting,
  type ReadTask,
  readColumns,
} from './task.store.ts'

/** An organization, and the day that it is there. */
export type Board = { orgId: string; today: string }

export type TaskFilter = {
  status?: TaskStatus[] | undefined
  /** A user's id; null: nobody. */
  assignee?: string | null | undefined
  due?: 'overdue' | 'today' | 'week' | 'none' | undefined
  from?: string | undefined
  to?: string | undefined
  label?: string | undefined
  source?: TaskSource | undefined
  meetingId?: string | undefined
  q?: string | undefined
}

export type TaskSort = 'board' | 'due' | 'updated' | 'created'

type Keys = { row: Sql; id: Sql }

/** Of a task, and of the row that it has for a label: an index is found only by the columns of its own table. */
const keysOfTask: Keys = { row: sql`t`, id: sql`t.id` }
const keysOfLabel: Keys = { row: sql`l`, id: sql`l.task_id` }

function orders({ row, id }: Keys): Record<TaskSort, Sql> {
  return {
    board: sql`${row}.org_id, ${row}.status desc, ${row}.position, ${id}`,
    due: sql`${row}.due, ${id}`,
    updated: sql`${row}.updated_at desc, ${id} desc`,
    created: sql`${row}.number desc`,
  }
}
/** Over several organizations. */
const createdFirst = sql`t.created_at desc, t.id desc`

/** Each word costs a look into the index, and more than ten narrow no search. The schema tells it. */
const wordsOfQueryMax = 10

export type TaskSearch = { filter: TaskFilter; sort: TaskSort; reader: Reader }

/** Enough for the pages that people turn. To count more would cost more the more tasks there are. */
const countMax = 1000

/** The visible tasks of one organization. */
export function listTasks(
  scope: TenantScope,
  { orgId, today }: Board,
  { page, ...search }: TaskSearch & { page: PageRequest },
): Promise<Page<ReadTask>> {
  const { readsMeeting } = search.reader
  return listCounted(scope, page, { ...orgTasks(scope, { orgId, today }, search), readsMeeting })
}

/** The ids of the same, at most `max`, in the order of the list. */
export async function listTaskIds(
  scope: TenantScope,
  board: Board,
  { max, ...search }: TaskSearch & { max: number },
): Promise<string[]> {
  const { matching, orderBy } = orgTasks(scope, board, search)
  const rows = await plannedForValues(scope, (tx) =>
    many(tx, sql<{ id: string }>`select t.id ${matching} order by ${orderBy} limit ${max}`),
  )
  return rows.map(({ id }) => id)
}

/** The visible ones of these tasks, in this order. */
export function listTasksById(
  scope: TenantScope,
  { orgId, ids }: { orgId: string; ids: string[] },
  reader: Reader,
): Promise<ReadTask[]> {
  return many(
    scope,
    sql<ReadTask>`select ${readColumns(reader.readsMeeting)}
      from unnest(${ids}::uuid[]) with ordinality as wanted(id, place) join tasks t on t.id = wanted.id
      where ${isVisible(scope, { orgId, reader })} order by wanted.place`,
  )
}

type Matches = {
  matching: Sql
  orderBy: Sql
  /** As many rows, at a lower cost. */
  counted?: Sql
}

function orgTasks(scope: TenantScope, { orgId, today }: Board, { filter, sort, reader }: TaskSearch): Matches {
  const { tenantId } = scope
  const { label, ...others } = filter
  const keys = label === undefined ? keysOfTask : keysOfLabel
  const context = { today: sql`${today}::date`, orgIds: [orgId], readsMeeting: reader.readsMeeting, row: keys.row }
  const filters = filterConditions(others, context)
  const orderBy = orders(keys)[sort]
  const member = isMember(scope, { orgId, userId: reader.userId })
  const isSeen = sql`(t.visible_to_members or ${reader.readsMeeting})`
  if (label === undefined) {
    const conditions = [sql`t.tenant_id = ${tenantId} and t.org_id = ${orgId} and ${isSeen}`, member, ...filters]
    return { matching: sql`from tasks t where ${sql.join(conditions, sql` and `)}`, orderBy }
  }
  const isLabelled = sql`l.tenant_id = ${tenantId} and l.org_id = ${orgId} and l.label = ${label}`
  const isTask = sql`t.tenant_id = l.tenant_id and t.id = l.task_id`
  const conditions = sql.join([isLabelled, isSeen, member, ...filters], sql` and `)
  const matching = sql`from labelled_tasks l join tasks t on ${isTask} where ${conditions}`
  if (filters.length > 0) return { matching, orderBy }
  const counted = sql`from labelled_tasks l where ${isLabelled} and ${member}
    and (l.visible_to_members or exists (select from tasks t where ${isTask} and ${reader.readsMeeting} offset 0))`
  return { matching, orderBy, counted }
}

/** The tasks that are assigned to a user, in these organizations. Former members have none. */
export function listOwnTasks(
  scope: TenantScope,
  boards: Board[],
  { page, filter, sort, reader: { userId, readsMeeting } }: TaskSearch & { page: PageRequest },
): Promise<Page<ReadTask>> {
  const orgIds = boards.map(({ orgId }) => orgId)
  const conditions = [
    sql`t.tenant_id = ${scope.tenantId} and t.assignee_id = ${userId}`,
    isAcceptedOr(readsMeeting),
    ...(filter.label === undefined ? [] : [sql`${filter.label} = any (t.labels)`]),
    ...filterConditions(filter, { today: sql`board.today`, orgIds, readsMeeting, row: keysOfTask.row }),
  ]
  const matching = sql`from tasks t
    join unnest(${orgIds}::uuid[], ${boards.map(({ today }) => today)}::date[]) as board(org_id, today)
      on board.org_id = t.org_id
    where ${sql.join(conditions, sql` and `)}`
  const orderBy = sort === 'created' ? createdFirst : orders(keysOfTask)[sort]
  return listCounted(scope, page, { matching, orderBy, readsMeeting })
}

/** Issues of trackers that are on no board, newest first. */
export function listTasksWithoutBoard(
  scope: TenantScope,
  page: PageRequest,
  readsMeeting: ReadsMeeting,
): Promise<Page<ReadTask>> {
  const matching = sql`from tasks t where t.tenant_id = ${scope.tenantId} and t.org_id is null`
  return listCounted(scope, page, { matching, orderBy: createdFirst, readsMeeting })
}

/** Counts at most 1,000 rows and those up to the page's end, and one more: so a client sees that there is a next page. */
function listCounted(
  scope: TenantScope,
  page: PageRequest,
  { matching, orderBy, counted = matching, readsMeeting }: Matches & { readsMeeting: ReadsMeeting },
): Promise<Page<ReadTask>> {
  const max = Math.max(countMax, pageOffset(page) + page.limit) + 1
  return plannedForValues(scope, (tx) =>
    listPage<ReadTask>(tx, page, {
      columns: readColumns(readsMeeting),
      from: matching,
      orderBy,
      countFrom: sql`from (select 1 ${counted} limit ${max}) counted`,
    }),
  )
}

/**
 * Which index is best depends on how frequent the asked status, label or word is. PostgreSQL would soon use one plan for
 * all values of a named statement.
 */
function plannedForValues<T>(scope: TenantScope, work: (tx: TenantScope) => Promise<T>): Promise<T> {
  return transaction(scope, async (tx) => {
    await run(tx, sql`set local plan_cache_mode = force_custom_plan`)
    return work(tx)
  })
}

type FilterContext = {
  today: Sql
  orgIds: string[]
  readsMeeting: ReadsMeeting
  /** Has the status and the day. */
  row: Sql
}

/** Of all filters but the label. */
function filterConditions(filter: TaskFilter, { today, orgIds, readsMeeting, row }: FilterContext): Sql[] {
  const { status, assignee, due, from, to, source, meetingId, q } = filter
  return [
    ...(status === undefined ? [] : [statusCondition(row, status)]),
    ...(assignee === undefined
      ? []
      : [assignee === null ? sql`t.assignee_id is null` : sql`t.assignee_id = ${assignee}`]),
    ...(due === undefined ? [] : [dueConditions(row, today)[due]]),
    ...(from === undefined ? [] : [sql`${row}.due >= ${from}::date`]),
    ...(to === undefined ? [] : [sql`${row}.due <= ${to}::date`]),
    ...(source === undefined ? [] : [sql`t.source = ${source}`]),
    ...(meetingId === undefined ? [] : [sql`t.meeting_id = ${meetingId} and ${readsMeeting}`]),
    ...(q === undefined ? [] : [searchCondition(q, orgIds)]),
  ]
}

/** One status is written as such: only then the board's index has the order, too. */
function statusCondition(row: Sql, statuses: TaskStatus[]): Sql {
  const [only] = statuses
  return statuses.length === 1 ? sql`${row}.status = ${only}` : sql`${row}.status = any (${statuses}::text[])`
}

function dueConditions(row: Sql, today: Sql): Record<NonNullable<TaskFilter['due']>, Sql> {
  return {
    overdue: sql`${row}.due < ${today} and ${row}.status not in ('done', 'dismissed')`,
    today: sql`${row}.due = ${today}`,
    week: sql`${row}.due between ${today} and ${today} + 6`,
    none: sql`${row}.due is null`,
  }
}

/** All words, in any of these organizations. A text without a word finds nothing. */
function searchCondition(q: string, orgIds: string[]): Sql {
  const words = searchWords(q).slice(0, wordsOfQueryMax)
  if (words.length === 0) return sql`false`
  const wanted = orgIds.map((orgId) => `(${words.map((word) => `${quoteTerm(wordTerm(orgId, word))}:*`).join(' & ')})`)
  return wanted.length === 0 ? sql`false` : sql`t.search @@ ${wanted.join(' | ')}::tsquery`
}

function quoteTerm(term: string): string {
  return `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
