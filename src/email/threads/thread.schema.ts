import type { Static } from 'typebox'
import { Id, Nullable, PageQuery, PaginationSchema, StrictObject, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import type { StoredMessage } from '../message.rules.ts'
import { EmailMessage, emailMessageLine } from '../message.schema.ts'
import type { Thread } from './thread.store.ts'

const members = {
  id: Id,
  orgId: Nullable(Id, 'Null: the tenant’s.'),
  subject: Type.String({ description: 'Of its first mail.', examples: ['Notes of Thursday'] }),
  correspondents: Type.Array(Type.String({ examples: ['ana@example.com'] })),
  messageCount: Type.Integer({ examples: [2] }),
  lastMessageAt: Timestamp,
  createdAt: Timestamp,
}
const ThreadLine = Type.Object(members, { title: 'EmailThread', additionalProperties: false })
const ThreadAnswer = Type.Object(
  { ...members, messages: Type.Array(EmailMessage, { description: 'The newest 200, oldest first, without texts.' }) },
  { title: 'EmailThreadWithMessages', additionalProperties: false },
)

export const ThreadQuery = StrictObject({
  ...PageQuery,
  orgId: Type.Optional({ ...Id, description: 'The organization. Absent: the tenant, for its administrators.' }),
})
export const ThreadList = StrictObject({ threads: Type.Array(ThreadLine), pagination: PaginationSchema })
export const ThreadDetail = StrictObject({ thread: ThreadAnswer })

export function threadLine({ ownerId: _, lastMessageAt, createdAt, ...thread }: Thread): Static<typeof ThreadLine> {
  return { ...thread, lastMessageAt: lastMessageAt.toISOString(), createdAt: createdAt.toISOString() }
}

export function threadView(thread: Thread, messages: StoredMessage[]): Static<typeof ThreadAnswer> {
  return { ...threadLine(thread), messages: messages.map(emailMessageLine) }
}
