import type { Static } from 'typebox'
import {
  Id,
  Nullable,
  PaginationSchema,
  SingleLine,
  StrictObject,
  StringEnum,
  Timestamp,
  TimestampInput,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { keyStatuses } from '../keys/key.schema.ts'
import { adminRoles } from './admin-key.rules.ts'

const name = SingleLine({ lettersMax: 120, example: 'Ana, support' })

const role = StringEnum(adminRoles, {
  description: 'OWNER: all. EDITOR: reads, and changes the catalog and content. VIEWER: reads.',
})

export const NewAdminKey = StrictObject({
  name,
  role,
  expiresAt: Type.Optional(Nullable(TimestampInput, 'In the future; null or left out: never.')),
})
export type NewAdminKey = Static<typeof NewAdminKey>

export const AdminKeyChange = StrictObject({ name: Type.Optional(name) })

const members = {
  id: Id,
  name: Type.String({ examples: ['Ana, support'] }),
  role,
  keyPrefix: Type.String({ description: 'The start of the key.', examples: ['atradm_Ab3d'] }),
  status: StringEnum(keyStatuses),
  expiresAt: Nullable(Timestamp, 'null: never.'),
  lastUsedAt: Nullable(Timestamp, 'To the minute or so; null: never.'),
  createdAt: Timestamp,
  revokedAt: Nullable(Type.String({ format: 'date-time', examples: [null] })),
}

export const AdminKeyView = Type.Object(members, { title: 'AdminKey' })
export type AdminKeyView = Static<typeof AdminKeyView>

const key = Type.String({
  description: 'The key itself: shown in this answer alone.',
  examples: ['atradm_Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy3SxWrx'],
})

export const AdminKeyDetail = StrictObject({ adminKey: AdminKeyView })
export const AdminKeyCreated = StrictObject({ adminKey: Type.Object({ ...members, key }, { title: 'NewAdminKey' }) })
export const AdminKeyList = StrictObject({ adminKeys: Type.Array(AdminKeyView), pagination: PaginationSchema })
