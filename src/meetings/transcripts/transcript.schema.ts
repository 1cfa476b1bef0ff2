import type { Static } from 'typebox'
import { Id, Nullable, StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { EntryAnswer } from '../entries/entry.schema.ts'
import { GapsAnswer } from '../entries/gap.schema.ts'
import { meetingStatuses } from '../meetings/meeting.rules.ts'

export const AppendAnswer = StrictObject({
  meetingId: Id,
  added: Type.Integer({ description: 'The number of new entries.', examples: [2] }),
  replaced: Type.Integer({
    description: 'The number of entries that replaced one with the same `segmentId`.',
    examples: [0],
  }),
  unchanged: Type.Integer({
    description: 'The number of entries that were already stored without any difference.',
    examples: [0],
  }),
  lastSeq: Type.Integer({ description: 'The last number given to an entry or to its replacement.', examples: [2] }),
  entryCount: Type.Integer({ examples: [2] }),
  status: StringEnum(meetingStatuses),
  revision: Type.Integer({ examples: [2] }),
})

export const importFormats = ['vtt', 'srt', 'json'] as const

export const ImportQuery = StrictObject({
  format: Type.Optional(
    StringEnum(importFormats, {
      description: 'Default: the format that `Content-Type` names. Required with `text/plain`.',
    }),
  ),
})
export type ImportQuery = Static<typeof ImportQuery>

export const exportFormats = ['json', 'vtt', 'srt', 'txt'] as const

const pageEntriesMax = 1000

export const TranscriptQuery = StrictObject({
  format: Type.Optional(
    StringEnum(exportFormats, { description: 'Default: the format that `Accept` prefers, or `json`.' }),
  ),
  afterSeq: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'Returns only entries after this number.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: pageEntriesMax,
      description: 'The maximum number of entries in a page, for `json` only. Default: all entries.',
      examples: [100],
    }),
  ),
})
export type TranscriptQuery = Static<typeof TranscriptQuery>

export const TranscriptAnswer = StrictObject({
  meetingId: Id,
  gaps: GapsAnswer,
  entries: Type.Array(EntryAnswer),
  nextAfterSeq: Nullable(
    Type.Integer({ examples: [100] }),
    'The `afterSeq` of the next page; null on the last page. A page may be shorter than `limit`.',
  ),
})
