import { Closed, Id, Nullable, Words } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { causes } from './causes.ts'
import { deliveryStatuses } from './delivery.rules.ts'
import { effectsMember } from './delivery.schema.ts'

export const TrialAnswer = Closed({
  isVerified: Type.Boolean({ examples: [true] }),
  status: Words(deliveryStatuses, { description: 'Of the delivery; rejected: it was not taken.' }),
  deliveryId: Nullable(Id, 'In the log of deliveries.'),
  cause: Nullable(Words(causes)),
  detail: Nullable(Type.String({ examples: ['The connection is paused.'] })),
  effects: effectsMember,
})
