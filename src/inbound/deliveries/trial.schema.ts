import { Id, Nullable, StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { causes } from './causes.ts'
import { deliveryStatuses } from './delivery.rules.ts'
import { effectsMember } from './delivery.schema.ts'

export const TrialAnswer = StrictObject({
  isVerified: Type.Boolean({ examples: [true] }),
  status: StringEnum(deliveryStatuses, { description: 'Of the delivery; rejected: it was not taken.' }),
  deliveryId: Nullable(Id, 'In the log of deliveries.'),
  cause: Nullable(StringEnum(causes)),
  detail: Nullable(Type.String({ examples: ['The connection is paused.'] })),
  effects: effectsMember,
})
