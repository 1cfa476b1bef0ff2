import type { Static } from 'typebox'
import {
  Id,
  isoOrNull,
  Nullable,
  PageQuery,
  PaginationSchema,
  StrictObject,
  StringEnum,
  Timestamp,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { type User, userRoles, userStatuses } from './user.rules.ts'

export const Email = Type.String({
  maxLength: 320,
  description: 'At most 254 characters. Upper and lower case are equal.',
  examples: ['ana@example.com'],
})
export const Name = Type.String({
  maxLength: 200,
  pattern: '\\S',
  description: 'The name as the person writes it.',
  examples: ['Ana López'],
})

export const UserAnswer = Type.Object(
  {
    id: Id,
    tenantId: Id,
    email: Type.String({ examples: ['ana@example.com'] }),
    name: Nullable(Type.String({ examples: ['Ana López'] })),
    role: StringEnum(userRoles, { description: 'An ADMIN administers the tenant.' }),
    status: StringEnum(userStatuses, { description: 'A SUSPENDED user cannot log in.' }),
    emailVerified: Type.Boolean({ examples: [false] }),
    googleLinked: Type.Boolean({ description: 'Whether the user can log in with Google.', examples: [false] }),
    lastLoginAt: Nullable(Timestamp, 'Null: never since registration.'),
    createdAt: Timestamp,
  },
  { title: 'User' },
)

export const UserDetail = StrictObject({ user: UserAnswer })
export const UserList = StrictObject({ users: Type.Array(UserAnswer), pagination: PaginationSchema })

export const AdminChange = StrictObject({
  name: Type.Optional(Nullable(Name)),
  role: Type.Optional(StringEnum(userRoles)),
  status: Type.Optional(StringEnum(userStatuses, { description: 'SUSPENDED ends all sessions of the user.' })),
})
export type AdminChange = Static<typeof AdminChange>

export const UserQuery = StrictObject({
  ...PageQuery,
  tenantId: Type.Optional(Id),
  email: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 320,
      description: 'A complete address, or the start of one, with or without a trailing `*`.',
      examples: ['ana@example.com'],
    }),
  ),
})

/** A user as the API shows it, to the user and to administrators. */
export function userView(user: User): Static<typeof UserAnswer> {
  const { id, tenantId, email, name, role, status, emailVerified, googleLinked, lastLoginAt, createdAt } = user
  return {
    id,
    tenantId,
    email,
    name,
    role,
    status,
    emailVerified,
    googleLinked,
    lastLoginAt: isoOrNull(lastLoginAt),
    createdAt: createdAt.toISOString(),
  }
}
