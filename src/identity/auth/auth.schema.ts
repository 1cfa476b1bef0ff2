import type { Static } from 'typebox'
import { Nullable, StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import type { IssuedTokens } from '../tokens/session.service.ts'
import { Email, Name, UserAnswer, userView } from '../users/user.schema.ts'

/** Allows 128 characters in any Unicode form. The rules check the real length. */
const passwordLengthMax = 1024
export const NewPassword = Type.String({
  maxLength: passwordLengthMax,
  description: '8 to 128 characters of any kind. Common passwords and your e-mail name are rejected.',
  examples: ['correct-horse-battery'],
})
const Password = Type.String({ minLength: 1, maxLength: passwordLengthMax, examples: ['correct-horse-battery'] })
export const TokenAnswer = Type.Object(
  {
    accessToken: Type.String({
      description: 'A JWT. Send it as `Authorization: Bearer <token>`.',
      examples: ['eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTkzYjZhMCJ9.c2lnbmF0dXJl'],
    }),
    refreshToken: Type.String({
      description: 'Can be used once, within 30 days.',
      examples: ['atrr_BmNyZAlMxY9kLwX8jKvW7iJuV6hItU5gHsT4fGrS3eF4GCYMi'],
    }),
    tokenType: StringEnum(['Bearer']),
    expiresIn: Type.Integer({ description: 'Seconds until the access token expires.', examples: [3600] }),
    user: UserAnswer,
  },
  { title: 'Tokens' },
)

export const Registration = StrictObject({ email: Email, password: NewPassword, name: Type.Optional(Nullable(Name)) })
export type Registration = Static<typeof Registration>
export const Credentials = StrictObject({ email: Email, password: Password })
export type Credentials = Static<typeof Credentials>
export const Refresh = StrictObject({
  refreshToken: Type.String({ maxLength: 512, examples: ['atrr_BmNyZAlMxY9kLwX8jKvW7iJuV6hItU5gHsT4fGrS3eF4GCYMi'] }),
})
export const Logout = StrictObject({
  all: Type.Optional(Type.Boolean({ description: 'Also end all other sessions of the user.', examples: [false] })),
})
export const PasswordChange = StrictObject({ currentPassword: Password, newPassword: NewPassword })
export type PasswordChange = Static<typeof PasswordChange>
export const Removal = StrictObject({ currentPassword: Password })

export const OwnChange = StrictObject({
  name: Type.Optional(Nullable(Name)),
  email: Type.Optional(Email),
  currentPassword: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: passwordLengthMax,
      description: 'Required to change the e-mail address.',
      examples: ['correct-horse-battery'],
    }),
  ),
})
export type OwnChange = Static<typeof OwnChange>

export function tokensView({ accessToken, refreshToken, expiresIn, user }: IssuedTokens): Static<typeof TokenAnswer> {
  return { accessToken, refreshToken, tokenType: 'Bearer', expiresIn, user: userView(user) }
}
