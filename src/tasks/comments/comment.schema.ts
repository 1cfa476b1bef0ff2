import type { Static } from 'typebox'
import { Id, isoOrNull, Nullable, PageQuery, PaginationSchema, StrictObject, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { Person } from '../person.schema.ts'
import type { Comment } from './comment.store.ts'

const Text = Type.String({ minLength: 1, maxLength: 10_000, pattern: '\\S', examples: ['The draft is in the wiki.'] })

export const CommentBody = StrictObject({ text: Text })

const CommentAnswer = Type.Object(
  {
    id: Id,
    text: Text,
    author: Nullable(Person, 'Null: the user was removed.'),
    createdAt: Timestamp,
    editedAt: Nullable(Timestamp),
  },
  { title: 'TaskComment', additionalProperties: false },
)

export const CommentDetail = StrictObject({ comment: CommentAnswer })
export const CommentList = StrictObject({ comments: Type.Array(CommentAnswer), pagination: PaginationSchema })
export const CommentQuery = StrictObject({ ...PageQuery })

export function commentView({
  id,
  text,
  authorId,
  authorName,
  createdAt,
  editedAt,
}: Comment): Static<typeof CommentAnswer> {
  return {
    id,
    text,
    author: authorId === null ? null : { userId: authorId, name: authorName },
    createdAt: createdAt.toISOString(),
    editedAt: isoOrNull(editedAt),
  }
}
