import type { TenantScope } from '../../storage/scope.ts'
import { formatTimestamp } from '../entries/entry.rules.ts'
import { findEntries, streamEntries } from '../entries/entry.store.ts'
import { listSummaryPointers } from '../summaries/summary-pointers.store.ts'
import {
  type EntryKey,
  findFirstChange,
  findSearchable,
  holdMeetings,
  holdSearchable,
  listEnded,
  listReadableEntries,
  meetingIdsFor,
  type TranscriptReader,
} from './searchable-transcript.store.ts'

/** What a search may quote. `timestamp`: `HH:MM:SS`. */
export type QuotableEntry = EntryKey & {
  title: string
  speaker: string
  text: string
  timestamp: string
  /** Grows with every change of the entry. */
  changedSeq: number
}

/** What search and ask may know of meetings. */
export const searchableTranscripts = {
  find: findSearchable,
  hold: holdSearchable,
  listEnded,
  holdAll: holdMeetings,
  streamEntries,
  findEntries,
  findFirstChange,
  listSummaryPointers,
  meetingIdsFor,
  /** Those of the entries that exist and that the reader may read now. */
  readEntries: async (
    scope: TenantScope,
    asking: { orgId: string; reader: TranscriptReader },
    keys: readonly EntryKey[],
  ): Promise<QuotableEntry[]> =>
    (await listReadableEntries(scope, asking, keys)).map(({ offsetSeconds, ...entry }) => ({
      ...entry,
      timestamp: formatTimestamp(offsetSeconds),
    })),
}

export type SearchableTranscripts = typeof searchableTranscripts
