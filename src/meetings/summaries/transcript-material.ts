import type { TenantScope } from '../../storage/scope.ts'
import { encodePortion, type SummaryMaterial } from '../../summarizer/writing/task.ts'
import { formatTimestamp } from '../entries/entry.rules.ts'
import { listEntries } from '../entries/entry.store.ts'
import type { Meeting, Settings } from '../meetings/meeting.rules.ts'

/** What an engine is given, with the `seq` of each entry by its index. */
export type ReadTranscript = { material: SummaryMaterial; seqs: number[] }

/** The entries of one read, which take a few milliseconds of the event loop. */
const batchEntries = 250

/** Reads the transcript in batches. Each is encoded for the worker before the next one is read. */
export async function readTranscript(
  scope: TenantScope,
  { id, title }: Pick<Meeting, 'id' | 'title'>,
  { mode, personality }: { mode: Settings['summaryMode']; personality: Settings['personality'] },
): Promise<ReadTranscript> {
  const portions: Uint8Array[] = []
  const seqs: number[] = []
  for (let afterSeq = 0, hasMore = true; hasMore; afterSeq = seqs.at(-1) ?? afterSeq) {
    const page = await listEntries(scope, id, { afterSeq, limit: batchEntries })
    hasMore = page.hasMore && page.entries.length > 0
    if (page.entries.length === 0) break
    seqs.push(...page.entries.map(({ seq }) => seq))
    portions.push(
      encodePortion(
        page.entries.map(({ speaker, text, offsetSeconds }) => ({
          speaker,
          text,
          timestamp: formatTimestamp(offsetSeconds),
        })),
      ),
    )
  }
  return { material: { title, mode, personality, portions }, seqs }
}
