import type { Static } from 'typebox'
import { Id, Nullable, PageQuery, PaginationSchema, StrictObject, StringEnum, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { type Suppression, suppressionReasons } from './suppression.rules.ts'

const Address = Type.String({ minLength: 3, maxLength: 320, examples: ['ana@example.com'] })

export const OwnerQuery = StrictObject({
  orgId: Type.Optional({ ...Id, description: 'The organization. Without it: the tenant, for its administrators.' }),
})
export const SuppressionQuery = StrictObject({
  ...PageQuery,
  orgId: Type.Optional({ ...Id, description: 'The organization. Without it: the tenant, for its administrators.' }),
  address: Type.Optional({ ...Address, description: 'In any letter case.' }),
})

export const NewSuppression = StrictObject({ address: Address })

const SuppressionAnswer = Type.Object(
  {
    id: Id,
    orgId: Nullable(Id, 'The organization whose mail led to it. Null: the tenant itself.'),
    address: Address,
    reason: StringEnum(suppressionReasons, {
      description:
        'bounce: a mail server said that the address does not exist or takes no mail. delivery_failures: five mails in 14 days could not be delivered. complaint: somebody reported a mail as spam. unsubscribed: they asked for no more mails. manual: added by an administrator.',
    }),
    until: Nullable(Timestamp, 'When mails are sent again. Null: never.'),
    createdAt: Timestamp,
  },
  { title: 'EmailSuppression', additionalProperties: false },
)

export const SuppressionDetail = StrictObject({ suppression: SuppressionAnswer })
export const SuppressionList = StrictObject({
  suppressions: Type.Array(SuppressionAnswer),
  pagination: PaginationSchema,
})

export function suppressionView({
  ownerId: _,
  until,
  createdAt,
  ...rest
}: Suppression): Static<typeof SuppressionAnswer> {
  return { ...rest, until: until?.toISOString() ?? null, createdAt: createdAt.toISOString() }
}
