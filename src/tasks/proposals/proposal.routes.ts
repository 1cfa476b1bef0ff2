import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { taskAccess as access, tag } from '../access.ts'
import { TaskAnswer, taskView } from '../tasks/task.schema.ts'
import type { Proposals } from './proposal.service.ts'

const ProposedTasks = StrictObject({ tasks: Type.Array(TaskAnswer) })

export function proposalRoutes(proposals: Proposals): Route[] {
  return [
    route({
      method: 'POST',
      path: '/assistant/v1/meetings/:meetingId/tasks',
      name: 'proposeMeetingTasks',
      tag,
      summary: 'Propose tasks from a meeting',
      description:
        'Proposes what was promised or given out in the transcript so far, and answers what is new. Each is proposed once: to repeat it is safe, and what was dismissed stays so. When a meeting of an organization ends, this happens by itself. Needs `write` on the meeting.',
      access,
      answers: { 200: ProposedTasks },
      refusals: ['STATE_CONFLICT', 'QUOTA_EXCEEDED', 'INSUFFICIENT_ROLE', 'UNAVAILABLE'],
      handle: async ({ scope, user, params: { meetingId } }) => {
        const { tasks, today } = await proposals.propose(scope, user, meetingId)
        return ok({ tasks: tasks.map((task) => taskView(task, today)) })
      },
    }),
  ]
}
