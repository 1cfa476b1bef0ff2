import { Readable } from 'node:stream'
import { created, noContent, ok } from '../../http/answer.ts'
import { withETag } from '../../http/cache/precondition.ts'
import { csvAnswer, csvMediaType, wantsCsv } from '../../http/csv-answer.ts'
import { type Route, route } from '../../http/route.ts'
import { ruleFor } from '../../kernel/field-rules.ts'
import { toPagination } from '../../kernel/paging.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import { taskAccess as access, base, tag } from '../access.ts'
import { NewTask, OwnTaskQuery, TaskChange, TaskDetail, TaskList, TaskQuery, taskView } from './task.schema.ts'
import { filterOf, requireNoFilter, type TaskOfDay, type Tasks } from './task.service.ts'
import { taskCsv } from './task-csv.rules.ts'

type Deps = { tasks: Tasks; members: OrganizationMembers }

export function taskRoutes(deps: Deps): Route[] {
  return [listRoute(deps), listOwnRoute(deps), createRoute(deps), getRoute(deps), updateRoute(deps), deleteRoute(deps)]
}

function listRoute({ tasks }: Deps): Route {
  return route({
    method: 'GET',
    path: base,
    name: 'listOrgTasks',
    tag,
    summary: 'List the tasks of an organization',
    description:
      'For every member. Proposals are shown only to people who may read their meeting. As `text/csv` (`Accept` or `format=csv`) all tasks that match, not only one page: up to 100,000, the first in the order of `sort`.',
    access,
    query: TaskQuery,
    answers: {
      200: { json: TaskList, rawTypes: [csvMediaType], description: 'The tasks, as JSON or as a CSV file.' },
    },
    refusals: ['NOT_FOUND'],
    handle: async ({ scope, user, params: { orgId }, query, headers }) => {
      const { page = 1, limit = 20, sort = 'board' } = query
      const search = { orgId, filter: filterOf(user, query), sort }
      if (wantsCsv(query.format, headers.accept)) {
        const batches = await tasks.exportAll(scope, user, search)
        return csvAnswer(Readable.from(taskCsv(batches)), 'tasks')
      }
      const { tasks: found, today, total } = await tasks.list(scope, user, { ...search, page: { page, limit } })
      const body = {
        tasks: found.map((task) => taskView(task, today)),
        pagination: toPagination({ page, limit }, total),
      }
      return { ...ok(body), headers: { vary: 'Accept' } }
    },
  })
}

function listOwnRoute({ tasks }: Deps): Route {
  return route({
    method: 'GET',
    path: '/assistant/v1/tasks',
    name: 'listOwnTasks',
    tag,
    summary: 'List your tasks in all organizations',
    description: 'Those that are assigned to you. Days are those of each organization.',
    access,
    query: OwnTaskQuery,
    answers: { 200: TaskList },
    refusals: ['INSUFFICIENT_ROLE'],
    rules: ({ query }) => [() => requireNoFilter(query)],
    handle: async ({ scope, user, query }) => {
      requireNoFilter(query)
      const { page = 1, limit = 20, sort = 'due', scope: which = 'own' } = query
      const search = { filter: filterOf(user, query), sort, page: { page, limit } }
      const { items, total } =
        which === 'own'
          ? await tasks.listOwn(scope, user, search)
          : await tasks.listWithoutBoard(scope, user, { page, limit })
      const found = items.map(({ task, today }) => taskView(task, today))
      return ok({ tasks: found, pagination: toPagination({ page, limit }, total) })
    },
  })
}

function createRoute({ tasks, members }: Deps): Route {
  return route({
    method: 'POST',
    path: base,
    name: 'createOrgTask',
    tag,
    summary: 'Create a task',
    description: 'For members, admins and owners. The task is `open`, at the end of its column.',
    access,
    body: NewTask,
    answers: { 201: TaskDetail },
    refusals: ['INSUFFICIENT_ROLE', 'QUOTA_EXCEEDED', 'NOT_FOUND'],
    idempotent: true,
    authorizeRepeat: ({ scope, user, params: { orgId } }) => members.get(scope, user, { orgId }),
    rules: ({ scope, user, params: { orgId }, body }) => [
      ruleFor(body.assigneeId, (userId) => tasks.assigneeRule(scope, user, { orgId, userId })),
    ],
    handle: async ({ scope, user, params: { orgId }, body }) => {
      const made = await tasks.create(scope, user, { orgId, ...body })
      const { id } = made.task
      const location = `${base.replace(':orgId', orgId)}/${id}`
      return withETag({ ...created(location, detail(made)), subjectId: id }, made.task)
    },
  })
}

function getRoute({ tasks }: Deps): Route {
  return route({
    method: 'GET',
    path: `${base}/:taskId`,
    name: 'getOrgTask',
    tag,
    summary: 'Get a task',
    access,
    answers: { 200: TaskDetail },
    handle: async ({ scope, user, params: { orgId, taskId: id } }) => {
      const found = await tasks.get(scope, user, { orgId, id })
      return withETag(ok(detail(found)), found.task)
    },
  })
}

function updateRoute({ tasks }: Deps): Route {
  return route({
    method: 'PATCH',
    path: `${base}/:taskId`,
    name: 'updateOrgTask',
    tag,
    summary: 'Update a task',
    description:
      'For members, admins and owners. Members of the body that are absent stay unchanged. A proposal is accepted by any status but `dismissed`. With a new status the task goes to the end of that column. Title, status, assignee and due day of an issue can only be changed in its tracker.',
    access,
    body: TaskChange,
    answers: { 200: TaskDetail },
    refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT', 'QUOTA_EXCEEDED'],
    conditional: true,
    rules: ({ scope, user, params: { orgId }, body }) => [
      ruleFor(body.assigneeId, (userId) => tasks.assigneeRule(scope, user, { orgId, userId })),
    ],
    handle: async ({ scope, user, params: { orgId, taskId: id }, body, headers }) => {
      const changed = await tasks.update(scope, { user, orgId, id, ifMatch: headers['if-match'] }, body)
      return withETag(ok(detail(changed)), changed.task)
    },
  })
}

function deleteRoute({ tasks }: Deps): Route {
  return route({
    method: 'DELETE',
    path: `${base}/:taskId`,
    name: 'deleteOrgTask',
    tag,
    summary: 'Delete a task',
    description: 'With its comments and history. For its creator, and for admins and owners.',
    access,
    answers: { 204: null },
    refusals: ['INSUFFICIENT_ROLE'],
    conditional: true,
    handle: async ({ scope, user, params: { orgId, taskId: id }, headers }) => {
      await tasks.remove(scope, { user, orgId, id, ifMatch: headers['if-match'] })
      return noContent()
    },
  })
}

export function detail({ task, today }: TaskOfDay) {
  return { task: taskView(task, today) }
}
