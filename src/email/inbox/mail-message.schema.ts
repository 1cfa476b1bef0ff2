import type { Static } from 'typebox'
import {
  Id,
  Nullable,
  OwnerOnly,
  PageQuery,
  PaginationSchema,
  StrictObject,
  StringEnum,
  Timestamp,
  TimestampInput,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import type { MailMessage, MailMessageWithText } from './mail-message.store.ts'

export const MessageQuery = StrictObject({
  ...PageQuery,
  connectionId: Type.Optional(Id),
  sender: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 320,
      description: 'The address of `from`, in any letter case.',
      examples: ['ana@example.com'],
    }),
  ),
  from: Type.Optional({ ...TimestampInput, description: 'Received at this time or later.' }),
  to: Type.Optional({ ...TimestampInput, description: 'Received before this time.' }),
})

const Address = Type.String({ examples: ['ana@example.com'] })
const MessageId = Type.String({ examples: ['<CAF=7x@mail.example.com>'] })

const members = {
  id: Id,
  connectionId: { ...Id, description: 'The connection that it was delivered to.' },
  messageId: { ...MessageId, description: 'Its Message-ID; a digest if it has none or a very long one.' },
  inReplyTo: Nullable(MessageId),
  references: Type.Array(MessageId),
  from: { ...Address, description: 'Empty if the mail names nobody.' },
  envelopeFrom: Nullable(Address, 'Empty for a bounce; null if the provider does not tell it.'),
  to: Type.Array(Address),
  subject: Type.String({ examples: ['Notes of Thursday'] }),
  verdicts: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'The results of the provider for SPF, DKIM, DMARC and spam, in its words.',
    examples: [{ spf: 'PASS', dkim: 'PASS' }],
  }),
  rawBytes: Nullable(
    Type.Integer({ examples: [48_210] }),
    'The size of the mail as it is stored; null if the provider keeps it elsewhere.',
  ),
  status: StringEnum(['received']),
  receivedAt: Timestamp,
}

const MessageLine = Type.Object(members, { title: 'ReceivedMail', additionalProperties: false })
const Message = Type.Object(
  {
    ...members,
    text: OwnerOnly(
      Type.String({ examples: ['See you on Thursday.'] }),
      'The first plain text of the mail. Null for administrators of the platform below OWNER: mails carry links that log in.',
    ),
  },
  { title: 'ReceivedMailWithText', additionalProperties: false },
)

export const MessageList = StrictObject({ messages: Type.Array(MessageLine), pagination: PaginationSchema })
export const MessageDetail = StrictObject({ message: Message })

export function messageLine({ receivedAt, ...message }: MailMessage): Static<typeof MessageLine> {
  return { ...message, status: 'received', receivedAt: receivedAt.toISOString() }
}

export function messageView({ text, ...message }: MailMessageWithText): Static<typeof Message> {
  return { ...messageLine(message), text }
}
