import type { Static } from 'typebox'
import {
  Id,
  Nullable,
  PageQuery,
  PaginationSchema,
  SingleLine,
  StrictObject,
  StringEnum,
  Timestamp,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { accessWords, type Collection, historyActions, memberAccessWords } from './collection.rules.ts'
import type { ReadChange } from './collection-history.store.ts'

const Name = SingleLine({ lettersMax: 80, example: 'Contracts' })
const Access = StringEnum(accessWords, {
  description: '`open`: to all members of the organization. `restricted`: to the listed members alone.',
})
const MemberAccess = StringEnum(memberAccessWords)

export const NewCollection = StrictObject({ name: Name, access: Type.Optional({ ...Access, default: 'open' }) })
export type NewCollection = Static<typeof NewCollection>

export const CollectionPatch = StrictObject({ name: Type.Optional(Name), access: Type.Optional(Access) })
export type CollectionPatch = Static<typeof CollectionPatch>

export const MemberBody = StrictObject({ access: MemberAccess })

const CollectionAnswer = Type.Object(
  {
    id: Id,
    name: Name,
    access: Access,
    members: Type.Array(StrictObject({ userId: Id, access: MemberAccess }), {
      description: 'Of an open collection: who keeps access when it is restricted.',
    }),
    documentCount: Type.Integer({ examples: [12] }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    revision: Type.Integer({ description: 'Grows with every change. The ETag contains it.', examples: [1] }),
  },
  { title: 'Collection', additionalProperties: false },
)

export const CollectionDetail = StrictObject({ collection: CollectionAnswer })
export const CollectionList = StrictObject({
  collections: Type.Array(CollectionAnswer),
  pagination: PaginationSchema,
})

export const CollectionQuery = StrictObject({
  ...PageQuery,
  scope: Type.Optional(
    StringEnum(['own', 'all'], {
      description:
        '`own`: those that you may read. `all`: every one, for owners, who may add themselves to its members.',
    }),
  ),
})

export const CollectionDeletion = StrictObject({
  documents: Type.Optional(
    StringEnum(['erase'], { description: 'Erases the documents, too. Required if there are any.' }),
  ),
})

export const HistoryList = StrictObject({
  history: Type.Array(
    Type.Object(
      {
        revision: Type.Integer({ description: 'Of the collection after the change.', examples: [2] }),
        action: StringEnum(historyActions),
        fields: Type.Array(Type.String({ examples: ['access'] }), { description: 'The names of the changed fields.' }),
        actor: Type.Unsafe<{ userId: string; name: string | null } | null>({
          ...StrictObject(
            { userId: Id, name: Nullable(Type.String({ examples: ['Ada'] })) },
            { description: 'Null: the service, or a user who was removed.' },
          ),
          type: ['object', 'null'],
        }),
        userId: Nullable(Id, 'The member whose access has changed.'),
        at: Timestamp,
      },
      { title: 'CollectionHistoryEntry', additionalProperties: false },
    ),
  ),
  pagination: PaginationSchema,
})

export function collectionView({
  orgId: _,
  ownAccess: __,
  ...collection
}: Collection): Static<typeof CollectionAnswer> {
  return {
    ...collection,
    createdAt: collection.createdAt.toISOString(),
    updatedAt: collection.updatedAt.toISOString(),
  }
}

export function changeView({ actorId, actorName, at, ...change }: ReadChange) {
  return { ...change, actor: actorId === null ? null : { userId: actorId, name: actorName }, at: at.toISOString() }
}
