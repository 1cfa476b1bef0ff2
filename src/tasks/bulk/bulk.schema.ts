import type { Static } from 'typebox'
import { Id, StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { Status, TaskChange } from '../tasks/task.schema.ts'

export const BulkChange = StrictObject({
  ids: Type.Array(Id, { minItems: 1, maxItems: 200, uniqueItems: true }),
  change: TaskChange,
})
export type BulkChange = Static<typeof BulkChange>

/** Thin: 200 descriptions would be megabytes. */
export const BulkChanged = StrictObject({
  tasks: Type.Array(StrictObject({ id: Id, status: Status, revision: Type.Integer({ examples: [2] }) })),
})
