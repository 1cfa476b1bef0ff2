import type { Static } from 'typebox'
import {
  Id,
  Nullable,
  PageQuery,
  PaginationSchema,
  SingleLine,
  StrictObject,
  StringEnum,
  Timestamp,
  TimestampInput,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'

export const keyStatuses = ['ACTIVE', 'REVOKED', 'EXPIRED'] as const

export const NewKey = StrictObject({
  name: SingleLine({ lettersMax: 120, example: 'Android app' }),
  products: Type.Array(Type.String({ minLength: 1, maxLength: 100, examples: ['vault-vpn'] }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: 'Slugs of the products that the key may be used with.',
    examples: [['vault-vpn', 'assistant-ai']],
  }),
  expiresAt: Type.Optional(Nullable(TimestampInput, 'In the future; null or left out: never.')),
})
export type NewKey = Static<typeof NewKey>

export const Rotation = StrictObject({
  overlapSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 604_800,
      default: 86_400,
      description: 'How long the old key still works.',
      examples: [86_400],
    }),
  ),
})

export const RotationEnd = StrictObject({
  force: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Also a key that was used in the last 15 minutes.',
      examples: [false],
    }),
  ),
})

export const KeyQuery = StrictObject({ ...PageQuery, status: Type.Optional(StringEnum(keyStatuses)) })

const members = {
  id: Id,
  tenantId: Id,
  name: Type.String({ examples: ['Android app'] }),
  products: Type.Array(Type.String({ examples: ['vault-vpn'] })),
  keyPrefix: Type.String({ description: 'The start of the key.', examples: ['atr_Ab3d'] }),
  status: StringEnum(keyStatuses),
  expiresAt: Nullable(Timestamp, 'null: never.'),
  lastUsedAt: Nullable(Timestamp, 'To the minute or so; null: never.'),
  createdAt: Timestamp,
  revokedAt: Nullable(Type.String({ format: 'date-time', examples: [null] })),
}

export const KeyView = Type.Object(members, { title: 'ApiKey' })
export type KeyView = Static<typeof KeyView>

const key = Type.String({
  description: 'The key itself: shown in this answer alone.',
  examples: ['atr_Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy3SxWrx'],
})

export const KeyDetail = StrictObject({ apiKey: KeyView })
export const KeyCreated = StrictObject({ apiKey: Type.Object({ ...members, key }, { title: 'NewApiKey' }) })
export const KeyList = StrictObject({ apiKeys: Type.Array(KeyView), pagination: PaginationSchema })
