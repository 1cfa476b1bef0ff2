import type { Static } from 'typebox'
import { Closed, Id, isoOrNull, Nullable, PageQuery, PaginationAnswer, Timestamp, Words } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import type { IssuedTokens } from '../tokens/session.service.ts'
import { type User, userRoles, userStatuses } from './user.rules.ts'

export const Email = Type.String({
  maxLength: 320,
  description: 'Read in any case; 254 characters at most.',
  examples: ['ana@example.com'],
})
/** Wide enough for 128 characters in any spelling; how long a password may be is the rules' to say. */
const passwordLengthMax = 1024
export const NewPassword = Type.String({
  maxLength: passwordLengthMax,
  description: '8 to 128 characters of any kind; common passwords and the own e-mail name are refused.',
  examples: ['correct-horse-battery'],
})
const Password = Type.String({ minLength: 1, maxLength: passwordLengthMax, examples: ['correct-horse-battery'] })
const Name = Type.String({
  maxLength: 200,
  pattern: '\\S',
  description: 'As the person writes it.',
  examples: ['Ana López'],
})

const UserAnswer = Type.Object(
  {
    id: Id,
    tenantId: Id,
    email: Type.String({ examples: ['ana@example.com'] }),
    name: Nullable(Type.String({ examples: ['Ana López'] })),
    role: Words(userRoles, { description: 'ADMIN administers its own tenant.' }),
    status: Words(userStatuses, { description: 'A SUSPENDED user cannot log in.' }),
    emailVerified: Type.Boolean({ examples: [false] }),
    googleLinked: Type.Boolean({ description: 'Whether the user can log in with Google.', examples: [false] }),
    lastLoginAt: Nullable(Timestamp, 'Null: never since the registration.'),
    createdAt: Timestamp,
  },
  { title: 'User' },
)

export const UserDetail = Closed({ user: UserAnswer })
export const UserList = Closed({ users: Type.Array(UserAnswer), pagination: PaginationAnswer })

export const TokenAnswer = Type.Object(
  {
    accessToken: Type.String({
      description: 'A JWT, sent as `Authorization: Bearer`.',
      examples: ['eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTkzYjZhMCJ9.c2lnbmF0dXJl'],
    }),
    refreshToken: Type.String({
      description: 'Good for one exchange within 30 days.',
      examples: ['atrr_BmNyZAlMxY9kLwX8jKvW7iJuV6hItU5gHsT4fGrS3eF4GCYMi'],
    }),
    tokenType: Words(['Bearer']),
    expiresIn: Type.Integer({ description: 'Seconds until the access token expires.', examples: [3600] }),
    user: UserAnswer,
  },
  { title: 'Tokens' },
)

export const Registration = Closed({ email: Email, password: NewPassword, name: Type.Optional(Nullable(Name)) })
export type Registration = Static<typeof Registration>
export const Credentials = Closed({ email: Email, password: Password })
export type Credentials = Static<typeof Credentials>
export const Refresh = Closed({
  refreshToken: Type.String({ maxLength: 512, examples: ['atrr_BmNyZAlMxY9kLwX8jKvW7iJuV6hItU5gHsT4fGrS3eF4GCYMi'] }),
})
export const Logout = Closed({
  all: Type.Optional(Type.Boolean({ description: 'Ends every session of the user.', examples: [false] })),
})
export const PasswordChange = Closed({ currentPassword: Password, newPassword: NewPassword })
export type PasswordChange = Static<typeof PasswordChange>
export const Removal = Closed({ currentPassword: Password })

export const OwnChange = Closed({
  name: Type.Optional(Nullable(Name)),
  email: Type.Optional(Email),
  currentPassword: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: passwordLengthMax,
      description: 'Needed for another e-mail address.',
      examples: ['correct-horse-battery'],
    }),
  ),
})
export type OwnChange = Static<typeof OwnChange>

export const AdminChange = Closed({
  name: Type.Optional(Nullable(Name)),
  role: Type.Optional(Words(userRoles)),
  status: Type.Optional(Words(userStatuses, { description: 'SUSPENDED ends every session of the user.' })),
})
export type AdminChange = Static<typeof AdminChange>

export const UserQuery = Closed({
  ...PageQuery,
  tenantId: Type.Optional(Id),
  email: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 320,
      description: 'A whole address, or how it starts (with or without a `*` behind).',
      examples: ['ana@example.com'],
    }),
  ),
})

/** A user as anyone may see it who may see it at all. */
export function viewOf(user: User): Static<typeof UserAnswer> {
  const { id, tenantId, email, name, role, status, emailVerified, googleLinked, lastLoginAt, createdAt } = user
  return {
    ...{ id, tenantId, email, name, role, status, emailVerified, googleLinked },
    lastLoginAt: isoOrNull(lastLoginAt),
    createdAt: createdAt.toISOString(),
  }
}

export function tokensOf({ accessToken, refreshToken, expiresIn, user }: IssuedTokens): Static<typeof TokenAnswer> {
  return { accessToken, refreshToken, tokenType: 'Bearer', expiresIn, user: viewOf(user) }
}
