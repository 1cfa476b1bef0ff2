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
import { type Mail, mailKinds, mailStatuses } from './mail.rules.ts'

const status = StringEnum(mailStatuses, {
  description:
    'PENDING: not sent yet. FAILED: refused by the mail server, or tried too often. DISCARDED: what it carries was of no more use before it could be sent.',
})

const MailAnswer = Type.Object(
  {
    id: Id,
    tenantId: Id,
    userId: Id,
    recipient: Type.String({ examples: ['ana@example.com'] }),
    kind: StringEnum(mailKinds),
    status,
    attempts: Type.Integer({ examples: [1] }),
    lastError: Nullable(
      Type.String({ examples: ['450 4.2.1 The mailbox is busy'] }),
      'What the mail server answered last.',
    ),
    createdAt: Timestamp,
    expiresAt: { ...Timestamp, description: 'What it carries works until then; it is not sent later.' },
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

export function viewOf({ createdAt, expiresAt, sentAt, ...mail }: Mail): Static<typeof MailAnswer> {
  return {
    ...mail,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    sentAt: isoOrNull(sentAt),
  }
}
