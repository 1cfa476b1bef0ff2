import type { Static } from 'typebox'
import { AdminRoleWord } from '../../http/access/admin-role.schema.ts'
import type { BrowserSession } from '../../http/access/callers.ts'
import { Id, isoOrNull, Nullable, PageQuery, PaginationSchema, StrictObject, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { idleExpiry, type StoredBrowserSession } from './browser-session.rules.ts'

const AdminKeyText = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'The admin key, of the environment or a named one.',
  examples: ['atradm_Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy3SxWrx'],
})

/** One of both. */
export const SignIn = StrictObject({
  adminKey: Type.Optional(AdminKeyText),
  link: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'What stands behind `#link=` in a sign-in link.',
      examples: ['atrlink_VF1q0vJ9mJ7w3tXhJkq2b8YzTn4sRcDpLgA6eUo5iWx1a2b3c'],
    }),
  ),
})

export const Confirmation = StrictObject({ adminKey: AdminKeyText })

const fields = {
  id: Id,
  role: AdminRoleWord,
  keyId: Nullable(Id, 'The named key that the session depends on. Null: the key of the environment.'),
  keyName: Type.String({ examples: ['Ana, support'] }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  idleExpiresAt: {
    ...Timestamp,
    description: 'When the session ends if nobody uses it. Requests with `X-Atrium-Poll: 1` do not count.',
  },
  confirmedUntil: Nullable(Timestamp, 'Until then sensitive operations are allowed.'),
}

export const BrowserSessionDetail = StrictObject({ session: Type.Object(fields, { title: 'BrowserSession' }) })

const SignedInBrowser = Type.Object(
  {
    ...fields,
    signInLinkId: Nullable(Id, 'The link that was used. Null: signed in with the key itself.'),
    ip: Nullable(Type.String({ examples: ['203.0.113.7'] }), 'The address from which somebody signed in.'),
    lastActiveAt: Timestamp,
  },
  { title: 'SignedInBrowser' },
)

export const BrowserSessionQuery = StrictObject(PageQuery)
export const BrowserSessionList = StrictObject({
  sessions: Type.Array(SignedInBrowser),
  pagination: PaginationSchema,
})

export function browserSessionView(session: StoredBrowserSession): Static<typeof BrowserSessionDetail>['session'] {
  const { id, role, keyId, keyName, createdAt, expiresAt, confirmedUntil } = session
  return {
    id,
    role,
    keyId,
    keyName,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    idleExpiresAt: idleExpiry(session).toISOString(),
    confirmedUntil: isoOrNull(confirmedUntil),
  }
}

export function signedInBrowserView(session: StoredBrowserSession): Static<typeof SignedInBrowser> {
  const { signInLinkId, ip, lastActiveAt } = session
  return { ...browserSessionView(session), signInLinkId, ip, lastActiveAt: lastActiveAt.toISOString() }
}

/** What the gate knows of a session. */
export function toBrowserSession({ id, role, keyId, keyName, confirmedUntil }: StoredBrowserSession): BrowserSession {
  return { id, confirmedUntil, admin: { id: keyId, label: keyName, role } }
}
