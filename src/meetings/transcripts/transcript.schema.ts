import type { Static } from 'typebox'
import { Id, Nullable, StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { EntryAnswer } from '../entries/entry.schema.ts'
import { meetingStatuses } from '../meetings/meeting.rules.ts'

export const AppendAnswer = StrictObject({
  meetingId: Id,
  added: Type.Integer({ description: 'Entries that are new.', examples: [2] }),
  replaced: Type.Integer({ description: 'Entries that took the place of one with the same segmentId.', examples: [0] }),
  unchanged: Type.Integer({ description: 'Entries that were there already, word for word.', examples: [0] }),
  lastSeq: Type.Integer({ description: 'The last number given to an entry or to a change of one.', examples: [2] }),
  entryCount: Type.Integer({ examples: [2] }),
  status: StringEnum(meetingStatuses),
  revision: Type.Integer({ examples: [2] }),
})

export const importFormats = ['vtt', 'srt', 'json'] as const

export const ImportQuery = StrictObject({
  format: Type.Optional(
    StringEnum(importFormats, { description: 'Absent: what `Content-Type` says. Needed with `text/plain`.' }),
  ),
})
export type ImportQuery = Static<typeof ImportQuery>

export const exportFormats = ['json', 'vtt', 'txt'] as const

const pageEntriesMax = 1000

export const TranscriptQuery = StrictObject({
  format: Type.Optional(StringEnum(exportFormats, { description: 'Absent: what `Accept` prefers, else `json`.' })),
  afterSeq: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'Only what comes after it.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: pageEntriesMax,
      description: 'A page of at most so many entries, of `json` alone. Absent: all of them.',
      examples: [100],
    }),
  ),
})
export type TranscriptQuery = Static<typeof TranscriptQuery>

export const TranscriptAnswer = StrictObject({
  meetingId: Id,
  entries: Type.Array(EntryAnswer),
  nextAfterSeq: Nullable(
    Type.Integer({ examples: [100] }),
    'The `afterSeq` of the next page; null: this is the end. A page may be shorter than `limit`.',
  ),
})
