import { StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'

export const Erasure = StrictObject({
  confirm: Type.String({ maxLength: 100, description: 'The slug of the tenant, as confirmation.', examples: ['acme'] }),
})

export const Erased = StrictObject({
  erased: Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'The number of deleted rows per table.',
    examples: [{ users: 12, devices: 30 }],
  }),
})
