import { yieldPeriodically } from '../../kernel/event-loop.ts'
import type { SearchableTranscripts } from '../../meetings/index.ts'
import { transcriptCutter } from '../../retrieval/chunks/cut-transcript.ts'
import type { Language } from '../../retrieval/language/language.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import { findExtendable, findLastChunkBefore } from './extended-item.store.ts'
import type { ItemIndex } from './item-index.service.ts'

export type TranscriptExtensionDeps = { items: ItemIndex; transcripts: SearchableTranscripts }

/** More is indexed as a whole, in small transactions. */
const chunksMax = 50

type Meeting = NonNullable<Awaited<ReturnType<SearchableTranscripts['find']>>>

/**
 * Indexes what was said and changed in a meeting since it was indexed, and the chunk before it. Returns the language of the index,
 * or null where the whole transcript must be indexed.
 */
export function transcriptExtension({ items, transcripts }: TranscriptExtensionDeps) {
  return async (scope: TenantScope, meeting: Meeting): Promise<Language | null> => {
    const known = await findExtendable(scope, meeting)
    if (known === null) return null
    // The words of a summary are indexed with the whole.
    if ((await transcripts.listSummaryPointers(scope, [meeting.id])).length > 0) return null
    const first = await transcripts.findFirstChange(scope, { meetingId: meeting.id, after: known.lastChange })
    const language = known.language as Language
    if (first === null) return known.version === meeting.contentRevision ? language : null
    const before = await findLastChunkBefore(scope, { indexedId: known.id, seq: first })
    const from = before ?? { ordinal: 0, seq: 0, start: 0 }
    const chunks = await cutFrom(scope, meeting.id, from)
    if (chunks === null) return null
    const { title, contentRevision: version, lastChange } = meeting
    const isExtended = await transaction(scope, async (tx) => {
      const held = await transcripts.hold(tx, meeting.id)
      // It was deleted or moved meanwhile.
      if (held?.orgId !== meeting.orgId) return true
      return items.extend(tx, known, {
        ...{ title, version, lastChange, fromOrdinal: from.ordinal, language },
        chunks: chunks.map(({ text, parts }) => ({ text, headings: [], entries: parts })),
      })
    })
    return isExtended ? language : null
  }

  /** Null: too many. */
  async function cutFrom(scope: TenantScope, meetingId: string, { seq, start }: { seq: number; start: number }) {
    const { chunks, add } = transcriptCutter()
    const pause = yieldPeriodically()
    for await (const batch of transcripts.streamEntries(scope, meetingId, Math.max(0, seq - 1)))
      for (const entry of batch) {
        add(entry, entry.seq === seq ? start : 0)
        if (chunks.length > chunksMax) return null
        await pause()
      }
    return chunks
  }
}
