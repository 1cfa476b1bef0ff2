import { ok } from '../../http/answer.ts'
import { withETag } from '../../http/cache/precondition.ts'
import { type Route, route } from '../../http/route.ts'
import { taskAccess as access, base, tag } from '../access.ts'
import { detail } from '../tasks/task.routes.ts'
import { TaskDetail } from '../tasks/task.schema.ts'
import { Move } from './move.schema.ts'
import { type Moves, requireOnePlace } from './move.service.ts'

export function moveRoute({ moves }: { moves: Moves }): Route {
  return route({
    method: 'POST',
    path: `${base}/:taskId/move`,
    name: 'moveOrgTask',
    tag,
    summary: 'Move a task on the board',
    description:
      'To a place in its column or in another one. Without `before` and `after` it goes to the end. Several people can move tasks at the same time; all see the same order. The same move again changes nothing.',
    access,
    body: Move,
    answers: { 200: TaskDetail },
    refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT', 'NOT_FOUND'],
    conditional: true,
    rules: ({ body }) => [() => requireOnePlace(body)],
    handle: async ({ scope, user, params: { orgId, taskId: id }, body, headers }) => {
      const moved = await moves.move(scope, { user, orgId, id, ifMatch: headers['if-match'] }, body)
      return withETag(ok(detail(moved)), moved.task)
    },
  })
}
