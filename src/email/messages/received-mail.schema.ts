import type { Static } from 'typebox'
import { Id, OwnerOnly, PageQuery, PaginationSchema, StrictObject, TimestampInput } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import type { StoredMessageWithText } from '../message.rules.ts'
import { EmailMessage, emailMessageView } from '../message.schema.ts'

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

const Message = Type.Object(
  {
    ...EmailMessage.properties,
    text: OwnerOnly(
      Type.String({ examples: ['See you on Thursday.'] }),
      'The text of the mail. Null for administrators of the platform below OWNER: mails carry links that log in.',
    ),
  },
  { title: 'TenantEmailMessage', additionalProperties: false },
)

export const MessageList = StrictObject({ messages: Type.Array(EmailMessage), pagination: PaginationSchema })
export const MessageDetail = StrictObject({ message: Message })

export function tenantMessageView(message: StoredMessageWithText): Static<typeof Message> {
  return emailMessageView(message)
}
