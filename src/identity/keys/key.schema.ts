import type { Static } from 'typebox'
import {
  Id,
  isoOrNull,
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
import { type ApiKey, type KeyLifecycle, keyStatus, keyStatuses } from './key.rules.ts'

/** The members that the keys of tenants and of administrators have in common. */
export function keyLifecycleFields(prefixExample: string) {
  return {
    keyPrefix: Type.String({ description: 'The first characters of the key.', examples: [prefixExample] }),
    status: StringEnum(keyStatuses),
    expiresAt: Nullable(Timestamp, 'Null: never.'),
    lastUsedAt: Nullable(Timestamp, 'Accurate to about a minute. Null: never used.'),
    createdAt: Timestamp,
    revokedAt: Nullable(Type.String({ format: 'date-time', examples: [null] })),
  }
}

export function keyLifecycleView(key: KeyLifecycle, now: Date) {
  return {
    keyPrefix: key.keyPrefix,
    status: keyStatus(key, now),
    expiresAt: isoOrNull(key.expiresAt),
    lastUsedAt: isoOrNull(key.lastUsedAt),
    createdAt: key.createdAt.toISOString(),
    revokedAt: isoOrNull(key.revokedAt),
  }
}

/** The key itself, in the only answer that shows it. */
export const KeyText = (example: string) =>
  Type.String({ description: 'The key itself. It is shown only in this answer.', examples: [example] })

export const KeyExpiry = Type.Optional(Nullable(TimestampInput, 'A time in the future. Null or absent: never.'))

export const NewKey = StrictObject({
  name: SingleLine({ lettersMax: 120, example: 'Android app' }),
  products: Type.Array(Type.String({ minLength: 1, maxLength: 100, examples: ['vault-vpn'] }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: 'The slugs of the products that the key may be used with.',
    examples: [['vault-vpn', 'assistant-ai']],
  }),
  expiresAt: KeyExpiry,
})
export type NewKey = Static<typeof NewKey>

export const Rotation = StrictObject({
  overlapSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 604_800,
      default: 86_400,
      description: 'How long the old key stays valid.',
      examples: [86_400],
    }),
  ),
})

export const RotationEnd = StrictObject({
  force: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'End the old key even if it was used in the last 15 minutes.',
      examples: [false],
    }),
  ),
})

export const KeyQuery = StrictObject({ ...PageQuery, status: Type.Optional(StringEnum(keyStatuses)) })

const fields = {
  id: Id,
  tenantId: Id,
  name: Type.String({ examples: ['Android app'] }),
  products: Type.Array(Type.String({ examples: ['vault-vpn'] })),
  ...keyLifecycleFields('atr_Ab3d'),
}

export const KeyView = Type.Object(fields, { title: 'ApiKey' })

export function keyView(key: ApiKey, now: Date): Static<typeof KeyView> {
  const { id, tenantId, name, products } = key
  return { id, tenantId, name, products, ...keyLifecycleView(key, now) }
}

export const KeyDetail = StrictObject({ apiKey: KeyView })
export const KeyCreated = StrictObject({
  apiKey: Type.Object({ ...fields, key: KeyText('atr_Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy3SxWrx') }, { title: 'NewApiKey' }),
})
export const KeyList = StrictObject({ apiKeys: Type.Array(KeyView), pagination: PaginationSchema })
