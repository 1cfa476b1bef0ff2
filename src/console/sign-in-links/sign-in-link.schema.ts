import type { Static } from 'typebox'
import { AdminRoleWord } from '../../http/access/admin-role.schema.ts'
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
import { linkStatus, linkStatuses, type SignInLink } from './sign-in-link.rules.ts'

export const NewSignInLink = StrictObject({
  role: AdminRoleWord,
  keyId: Type.Optional({
    ...Id,
    description: 'The named key that the session will depend on. Absent: the key with which the link is made.',
  }),
  expiresInSeconds: Type.Optional(
    Type.Integer({ minimum: 60, maximum: 86_400, default: 1800, description: 'How long the link can be used, once.' }),
  ),
})
export type NewSignInLink = Static<typeof NewSignInLink>

const fields = {
  id: Id,
  role: AdminRoleWord,
  keyId: Nullable(Id, 'Null: the key of the environment.'),
  expiresAt: Timestamp,
}

export const SignInLinkCreated = StrictObject({
  signInLink: Type.Object(
    {
      ...fields,
      url: Type.String({
        description: 'Opens the console signed in, once. Only this answer shows it.',
        examples: ['https://atrium.example.com/console#link=atrlink_VF1q0vJ9mJ7w3tXhJkq2b8YzTn4sRcDpLgA6eUo5iWx1a2b3c'],
      }),
    },
    { title: 'NewSignInLink' },
  ),
})

const SignInLinkView = Type.Object(
  { ...fields, createdAt: Timestamp, usedAt: Nullable(Timestamp), status: StringEnum(linkStatuses) },
  { title: 'SignInLink' },
)

export const SignInLinkQuery = StrictObject(PageQuery)
export const SignInLinkList = StrictObject({ signInLinks: Type.Array(SignInLinkView), pagination: PaginationSchema })

export function signInLinkView(link: SignInLink, now: Date): Static<typeof SignInLinkView> {
  const { id, role, keyId, createdAt, expiresAt, usedAt } = link
  return {
    id,
    role,
    keyId,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    usedAt: isoOrNull(usedAt),
    status: linkStatus(link, now),
  }
}
