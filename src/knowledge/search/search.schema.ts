import type { Static } from 'typebox'
import { Id, Nullable, StrictObject, StringEnum, TimestampInput } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'

const itemKinds = ['document', 'meeting'] as const

/** What narrows a search and a question. */
export const filterFields = {
  kind: Type.Optional(StringEnum(itemKinds, { description: 'Only documents, or only transcripts of meetings.' })),
  collectionId: Type.Optional({ ...Id, description: 'Only documents of this collection.' }),
  documentId: Type.Optional({ ...Id, description: 'Only this document.' }),
  meetingId: Type.Optional({ ...Id, description: 'Only the transcript of this meeting.' }),
  from: Type.Optional({
    ...TimestampInput,
    description: 'Only documents created, and meetings started, at this time or later.',
  }),
  to: Type.Optional({
    ...TimestampInput,
    description: 'Only documents created, and meetings started, until this time.',
  }),
}

export const SearchQuery = StrictObject({
  q: Type.String({
    minLength: 1,
    maxLength: 500,
    description:
      'Up to 32 words. `"several words"` must stand together somewhere in the document or meeting, `-word` nowhere in it, and of two phrases joined by `or` one is enough.',
    examples: ['retention "audit log" -draft'],
  }),
  ...filterFields,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10, description: 'Results at most.' })),
})

export const Corrected = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'Words that occur nowhere, with the words that were searched instead.',
  examples: [{ retentoin: 'retention' }],
})

export const Searched = StrictObject({
  documents: Type.Integer({ description: 'Documents that were searched.', examples: [12] }),
  meetings: Type.Integer({ description: 'Meetings whose transcripts were searched.', examples: [3] }),
  waiting: Type.Integer({
    description: 'Documents, and meetings that are not live, that cannot be found yet.',
    examples: [0],
  }),
})

const Heading = Type.Array(Type.String(), {
  description: 'The headings above it, outermost first.',
  examples: [['Policy', 'Logs']],
})

/** Where something stands. Members that do not apply are null. */
export const placeFields = {
  kind: StringEnum(itemKinds),
  documentId: Nullable(Id),
  meetingId: Nullable(Id),
  version: Nullable(Type.Integer({ description: 'Of the document.', examples: [1] })),
  title: Type.String({ description: 'Of the document or meeting.', examples: ['Security policy'] }),
  page: Nullable(Type.Integer({ description: 'From 1; of a presentation the slide.', examples: [4] })),
  heading: Heading,
  seq: Nullable(Type.Integer({ description: 'The number of the transcript entry.', examples: [12] })),
  speaker: Nullable(Type.String({ examples: ['Ada Lovelace'] })),
  timestamp: Nullable(
    Type.String({ description: 'When it was said, `HH:MM:SS` into the meeting.', examples: ['00:12:31'] }),
  ),
  path: Type.String({
    description: 'The API path of what is cited.',
    examples: [
      '/assistant/v1/orgs/0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57/documents/0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a58',
    ],
  }),
}

const SearchResult = Type.Object(
  {
    ...placeFields,
    snippet: Type.String({
      description: 'HTML: the text is escaped, and `<mark>` is the only element.',
      examples: ['Entries of the <mark>audit log</mark> are kept for a year.'],
    }),
  },
  { title: 'SearchResult', additionalProperties: false },
)
export type SearchResultView = Static<typeof SearchResult>

export const SearchResults = StrictObject({
  results: Type.Array(SearchResult),
  corrected: Corrected,
  searched: Searched,
})
