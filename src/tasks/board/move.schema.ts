import type { Static } from 'typebox'
import { Id } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { Status } from '../tasks/task.schema.ts'

export const Move = Type.Object(
  {
    status: Type.Optional({ ...Status, description: 'The column. Absent: the task stays in its own.' }),
    before: Type.Optional({ ...Id, description: 'The task of that column before which it is placed.' }),
    after: Type.Optional({
      ...Id,
      description: 'The task of that column after which it is placed, instead of `before`.',
    }),
  },
  {
    additionalProperties: false,
    examples: [{ status: 'in_progress', after: '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57' }],
  },
)
export type Move = Static<typeof Move>
