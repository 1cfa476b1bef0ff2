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
} from '../kernel/schemas.ts'
import { Type } from '../kernel/type.ts'
import { type Mail, mailKinds, mailStatuses } from './mail.rules.ts'

const status = StringEnum(mailStatuses, {
  description:
    'PENDING: not sent yet. FAILED: rejected by the mail server, or all attempts failed. DISCARDED: it was no longer valid or wanted before it could be sent.',
})

const MailAnswer = Type.Object(
  {
    id: Id,
    tenantId: Id,
    userId: Nullable(Id, 'Null: to an address that may have no user.'),
    recipient: Type.String({ examples: ['ana@example.com'] }),
    kind: StringEnum(mailKinds),
    status,
    attempts: Type.Integer({ examples: [1] }),
    lastError: Nullable(
      Type.String({ examples: ['450 4.2.1 The mailbox is busy'] }),
      'The last answer of the mail server.',
    ),
    createdAt: Timestamp,
    expiresAt: { ...Timestamp, description: 'The token in the mail is valid until then. The mail is not sent later.' },
    sentAt: Nullable(Timestamp),
  },
  { title: 'Mail' },
)

export const MailDetail = StrictObject({ mail: MailAnswer })
export const MailList = StrictObject({ mails: Type.Array(MailAnswer), pagination: PaginationSchema })

export const MailQuery = StrictObject({
  ...PageQuery,
  tenantId: Type.Optional(Id),
  status: Type.Optional(StringEnum(mailStatuses)),
})

export function mailView({ createdAt, expiresAt, sentAt, ...mail }: Mail): Static<typeof MailAnswer> {
  return {
    ...mail,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    sentAt: isoOrNull(sentAt),
  }
}
