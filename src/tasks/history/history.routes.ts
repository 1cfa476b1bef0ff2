import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { Id, Nullable, PageQuery, PaginationSchema, StrictObject, StringEnum, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { taskAccess as access, base, tag } from '../access.ts'
import { Person } from '../person.schema.ts'
import { changedFields, origins } from '../tasks/task.rules.ts'
import type { Tasks } from '../tasks/task.service.ts'
import { listChanges } from './history.store.ts'

const Value = (description: string) => Nullable(Type.String({ examples: ['open'] }), description)

const HistoryList = StrictObject({
  history: Type.Array(
    Type.Object(
      {
        taskId: Id,
        revision: Type.Integer({ description: 'Of the task after the change.', examples: [2] }),
        field: StringEnum(changedFields),
        from: Value(
          'As text. Of a description neither the old one nor the new one is kept. Null, too, for what was changed in accepting a proposal, except for the status.',
        ),
        to: Value('As text.'),
        origin: StringEnum(origins, {
          description: 'A person, the meeting of a proposal, the tracker of an issue, or the service itself.',
        }),
        actor: Nullable(Person, 'Null: no person, or one who was removed.'),
        at: Timestamp,
      },
      { title: 'TaskHistoryEntry', additionalProperties: false },
    ),
  ),
  pagination: PaginationSchema,
})

export function historyRoute({ tasks }: { tasks: Tasks }): Route {
  return route({
    method: 'GET',
    path: `${base}/:taskId/history`,
    name: 'listOrgTaskHistory',
    tag,
    summary: 'List the changes of a task',
    description:
      'Newest first, with one entry for each field. Changes from before a proposal was accepted are shown only to people who may read its meeting.',
    access,
    query: StrictObject({ ...PageQuery }),
    answers: { 200: HistoryList },
    handle: async ({ scope, user, params: { orgId, taskId: id }, query: { page = 1, limit = 20 } }) => {
      await tasks.get(scope, user, { orgId, id })
      const { items, total } = await listChanges(scope, { orgId, id }, { page, limit, reader: tasks.readerOf(user) })
      const history = items.map(({ actorId, actorName, at, ...change }) => ({
        ...change,
        actor: actorId === null ? null : { userId: actorId, name: actorName },
        at: at.toISOString(),
      }))
      return ok({ history, pagination: toPagination({ page, limit }, total) })
    },
  })
}
