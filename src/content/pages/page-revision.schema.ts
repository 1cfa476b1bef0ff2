import type { Static } from 'typebox'
import { Id, Nullable, PageQuery, PaginationSchema, StrictObject, StringEnum, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { pageStatuses } from './page.rules.ts'
import { Copy } from './page.schema.ts'

export const pageActions = [
  'CREATED',
  'SAVED',
  'DRAFT_SAVED',
  'DRAFT_DISCARDED',
  'PUBLISHED',
  'SCHEDULED',
  'UNPUBLISHED',
  'ARCHIVED',
  'RESTORED',
] as const
export type PageAction = (typeof pageActions)[number]

const members = {
  number: Type.Integer({ description: 'Increases with each change of the page.', examples: [3] }),
  action: StringEnum(pageActions),
  isDraft: Type.Boolean({ description: 'Whether it is a revision of the draft.', examples: [false] }),
  slug: Type.String({ examples: ['home'] }),
  title: Type.String({ examples: ['Home'] }),
  status: StringEnum(pageStatuses),
  note: Nullable(Type.String({ examples: ['New headline'] })),
  actor: StrictObject({
    type: Type.String({ examples: ['ADMIN'] }),
    id: Nullable(Id),
    label: Type.String({ examples: ['environment'] }),
  }),
  createdAt: Timestamp,
}

const RevisionLine = Type.Object(members, { title: 'PageRevisionLine' })
export type RevisionLine = Static<typeof RevisionLine>
const Revision = Type.Object({ ...members, snapshot: Copy }, { title: 'PageRevision' })

export const RevisionQuery = StrictObject({ ...PageQuery })
export const RevisionList = StrictObject({ revisions: Type.Array(RevisionLine), pagination: PaginationSchema })
export const RevisionDetail = StrictObject({ revision: Revision })

export const DiffQuery = StrictObject({
  against: Type.Optional(
    Type.String({
      pattern: '^([1-9][0-9]{0,8}|current|draft)$',
      default: 'current',
      description: 'The number of another revision, `current` for the page, or `draft` for its draft.',
      examples: ['current'],
    }),
  ),
})

const Operation = Type.Object(
  {
    op: StringEnum(['add', 'remove', 'replace', 'move', 'copy', 'test']),
    path: Type.String({ examples: ['/sections/0/content/heading'] }),
  },
  { additionalProperties: true, examples: [{ op: 'replace', path: '/title', value: 'Welcome' }] },
)
export const DiffAnswer = StrictObject({
  from: Type.Integer({ examples: [1] }),
  to: Type.String({ examples: ['current'] }),
  patch: Type.Array(Operation, {
    description: 'A JSON Patch (RFC 6902) that turns the revision into the other state.',
  }),
})
