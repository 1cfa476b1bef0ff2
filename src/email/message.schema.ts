import type { Static } from 'typebox'
import { Id, isoOrNull, Nullable, StringEnum, Timestamp } from '../kernel/schemas.ts'
import { Type } from '../kernel/type.ts'
import {
  authenticities,
  directions,
  messageStatuses,
  type StoredMessage,
  type StoredMessageWithText,
} from './message.rules.ts'

const Address = Type.String({ examples: ['ana@example.com'] })
const MessageId = Type.String({ examples: ['<CAF=7x@mail.example.com>'] })

const Attachment = Type.Object(
  {
    filename: Nullable(Type.String({ examples: ['notes.vtt'] })),
    type: Type.String({ description: 'By its first bytes, whatever the mail says.', examples: ['text/vtt'] }),
    sizeBytes: Type.Integer({ examples: [5210] }),
  },
  { title: 'EmailAttachment', additionalProperties: false },
)

const Citation = Type.Object(
  {
    kind: Type.String({ examples: ['meeting'] }),
    id: Id,
    quote: Type.String({ examples: ['We ship on Thursday.'] }),
    offsetMs: Nullable(Type.Integer({ examples: [61_000] })),
    page: Nullable(Type.Integer({ examples: [1] })),
  },
  { title: 'EmailCitation', additionalProperties: false },
)

const members = {
  id: Id,
  threadId: Nullable(Id, 'Null: it reached none of our addresses.'),
  orgId: Nullable(Id),
  connectionId: Nullable(Id, 'The inbound webhook that delivered it. Null: it came another way.'),
  direction: StringEnum(directions),
  messageId: { ...MessageId, description: 'Its Message-ID; a digest if it has none or a very long one.' },
  inReplyTo: Nullable(MessageId),
  references: Type.Array(MessageId),
  from: { ...Address, description: 'Empty if the mail names nobody.' },
  envelopeFrom: Nullable(Address, 'Empty for a bounce; null if it is not known.'),
  to: Type.Array(Address),
  cc: Type.Array(Address),
  subject: Type.String({ examples: ['Notes of Thursday'] }),
  replyText: Nullable(
    Type.String({ examples: ['Who has the slides?'] }),
    'The text without quotes and signature. Null until it was read.',
  ),
  status: StringEnum(messageStatuses, {
    description:
      'Received mails: `received`, `processed`, `ignored`, `quarantined`, `dead`. Mails of ours: `draft`, `discarded`, `queued`, `sending`, `sent`, `deferred`, `bounced`, `failed`, `suppressed`.',
  }),
  authenticity: Nullable(
    StringEnum(authenticities),
    'By DMARC. `none`: nothing that can be checked. Null: not checked.',
  ),
  isStranger: Type.Boolean({ description: 'The sender is not in the thread, and gets no answer.', examples: [false] }),
  automatic: Nullable(Type.String({ examples: ['AUTO_SUBMITTED'] }), 'Why it counts as written by a program.'),
  attachments: Type.Array(Attachment),
  citations: Type.Array(Citation),
  outcome: Nullable(Type.String({ examples: ['drafted'] }), 'What happened to it.'),
  cause: Nullable(Type.String({ examples: ['NOT_ALLOWED'] }), 'Why.'),
  verdicts: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'The results for SPF, DKIM, DMARC, ARC and spam: our own, or those of the provider in its words.',
    examples: [{ spf: 'pass', dkim: 'pass' }],
  }),
  rawBytes: Nullable(
    Type.Integer({ examples: [48_210] }),
    'The size of the mail as it came. It is kept for 30 days; null: there is none.',
  ),
  receivedAt: { ...Timestamp, description: 'For a mail of ours: when it was written.' },
  sentAt: Nullable(Timestamp),
  revision: Type.Integer({ description: 'Grows with every change.', examples: [1] }),
}

export const EmailMessage = Type.Object(members, { title: 'EmailMessage', additionalProperties: false })
export const EmailMessageWithText = Type.Object(
  { ...members, text: Type.String({ description: 'The whole text.', examples: ['See you on Thursday.'] }) },
  { title: 'EmailMessageWithText', additionalProperties: false },
)
export const EmailMessageDetail = Type.Object({ message: EmailMessageWithText }, { additionalProperties: false })

export function emailMessageLine({
  ownerId: _,
  receivedAt,
  sentAt,
  ...message
}: StoredMessage): Static<typeof EmailMessage> {
  return { ...message, receivedAt: receivedAt.toISOString(), sentAt: isoOrNull(sentAt) }
}

export function emailMessageView({ text, ...message }: StoredMessageWithText): Static<typeof EmailMessageWithText> {
  return { ...emailMessageLine(message), text }
}
