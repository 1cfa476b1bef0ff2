import type { Static } from 'typebox'
import {
  Id,
  isoOrNull,
  Nullable,
  PageQuery,
  PaginationSchema,
  SingleLine,
  StrictObject,
  StringEnum,
  Timestamp,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import {
  type Document,
  type DocumentVersion,
  documentStatuses,
  failureCodes,
  fileBytesMax,
  titleLettersMax,
} from './document.rules.ts'

const Title = SingleLine({ lettersMax: titleLettersMax, example: 'Terms of delivery' })
const Tag = SingleLine({ lettersMax: 50, example: 'legal' })
const Tags = Type.Array(Tag, { maxItems: 20 })

/** The text fields of an upload. */
export const DocumentFields = StrictObject({
  title: Type.Optional({ ...Title, description: 'Default: the name of the file.' }),
  collectionId: Type.Optional({ ...Id, description: 'Default: the collection "General".' }),
  tags: Type.Optional(Tags),
})

export const VersionFields = StrictObject({})

const Text = Type.String({ minLength: 1, maxLength: fileBytesMax, examples: ['# Terms\n\nDelivery takes three days.'] })
const Format = StringEnum(['markdown', 'text'])

export const TextDocument = StrictObject({
  title: Title,
  text: Text,
  format: Type.Optional({ ...Format, default: 'markdown' }),
  collectionId: Type.Optional({ ...Id, description: 'Default: the collection "General".' }),
  tags: Type.Optional(Tags),
})

export const TextVersion = StrictObject({ text: Text, format: Type.Optional({ ...Format, default: 'markdown' }) })

export const DocumentPatch = StrictObject({
  title: Type.Optional(Title),
  tags: Type.Optional(Tags),
  collectionId: Type.Optional({ ...Id, description: 'Moves the document: needs `write` in both collections.' }),
})
export type DocumentPatch = Static<typeof DocumentPatch>

export const DocumentQuery = StrictObject({
  ...PageQuery,
  collectionId: Type.Optional(Id),
  status: Type.Optional(StringEnum(documentStatuses)),
  tag: Type.Optional(Tag),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'A part of the title or of the file name. To search in texts, use `search`.',
      examples: ['delivery'],
    }),
  ),
})

const Failure = Type.Unsafe<Document['failure']>({
  ...StrictObject(
    { code: StringEnum(failureCodes), detail: Type.String({ examples: ['The document needs a password.'] }) },
    {
      description:
        '`NO_TEXT`: nothing but pictures or white space. `TOO_LONG`: more than 1,000 pages or 5 million characters. `TOO_MUCH`: of time, memory or unpacked bytes. `USAGE_EXCEEDED`: a limit of pages or bytes; try again in the next window.',
    },
  ),
  type: ['object', 'null'],
})
const Progress = Type.Unsafe<Document['progress']>({
  ...StrictObject(
    { pagesRead: Type.Integer({ examples: [12] }), pages: Nullable(Type.Integer({ examples: [300] })) },
    { description: 'While the status is `extracting`.' },
  ),
  type: ['object', 'null'],
})

const ofVersion = {
  filename: Type.String({ examples: ['terms.pdf'] }),
  mimeType: Type.String({ description: 'Detected from the bytes where possible.', examples: ['application/pdf'] }),
  size: Type.Integer({ description: 'Of the file, in bytes.', examples: [48_213] }),
  sha256: Type.String({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] }),
  language: Nullable(Type.String({ examples: ['en'] }), 'ISO 639-1; `und` if it cannot be told.'),
  status: StringEnum(documentStatuses),
  failure: Failure,
  pages: Nullable(Type.Integer({ examples: [12] }), 'Pages or slides. Null for types without them.'),
  progress: Progress,
  characters: Nullable(Type.Integer({ examples: [31_042] }), 'Code points of the text.'),
}

const DocumentAnswer = Type.Object(
  {
    id: Id,
    collectionId: Id,
    title: Title,
    ...ofVersion,
    version: Type.Integer({
      description: 'The current version. Until one has been ready, the last one. The other members are about it.',
      examples: [1],
    }),
    tags: Tags,
    createdBy: Nullable(Id, 'Null: a user who was removed.'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    indexedAt: Nullable(Timestamp, 'Since when its text is found.'),
    revision: Type.Integer({ description: 'Grows with every change. The ETag contains it.', examples: [1] }),
  },
  { title: 'Document', additionalProperties: false },
)

const VersionAnswer = Type.Object(
  {
    version: Type.Integer({ examples: [2] }),
    ...ofVersion,
    isCurrent: Type.Boolean({ examples: [true] }),
    createdBy: Nullable(Id, 'Null: a user who was removed.'),
    createdAt: Timestamp,
    indexedAt: Nullable(Timestamp),
  },
  { title: 'DocumentVersion', additionalProperties: false },
)

export const DocumentDetail = StrictObject({ document: DocumentAnswer })
export const DocumentAdded = StrictObject({
  document: DocumentAnswer,
  duplicate: Type.Optional(
    Type.Boolean({
      description: 'True if the collection already has a document with the same bytes: it is this one.',
      examples: [true],
    }),
  ),
})
export const DocumentList = StrictObject({ documents: Type.Array(DocumentAnswer), pagination: PaginationSchema })
export const VersionList = StrictObject({ versions: Type.Array(VersionAnswer) })
export const VersionAdded = StrictObject({ document: DocumentAnswer, version: VersionAnswer })

export const ContentQuery = StrictObject({
  format: Type.Optional(
    StringEnum(['original', 'text'], {
      description: '`original` (the default): the file. `text`: what was read from it.',
    }),
  ),
  version: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Default: the current one.' }),
  ),
})

export function documentView({ orgId: _, ...document }: Document): Static<typeof DocumentAnswer> {
  return {
    ...document,
    createdAt: document.createdAt.toISOString(),
    updatedAt: document.updatedAt.toISOString(),
    indexedAt: isoOrNull(document.indexedAt),
  }
}

export function versionView(version: DocumentVersion, document: Document): Static<typeof VersionAnswer> {
  return {
    ...version,
    isCurrent: document.status === 'ready' && document.version === version.version,
    createdAt: version.createdAt.toISOString(),
    indexedAt: isoOrNull(version.indexedAt),
  }
}
