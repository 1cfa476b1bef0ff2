import { many, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Entry, EntryRow, ExistingEntry } from './entry.rules.ts'

const entryColumns = sql`seq::float8 as seq, segment_id as "segmentId", speaker, text, offset_seconds::float8 as "offsetSeconds",
  changed_seq::float8 as "changedSeq"`

// A page of long entries is cut here, so that it stays a few megabytes whatever it contains.
const pageCharsMax = 4_000_000

export type EntryPage = { entries: Entry[]; hasMore: boolean }

/**
 * The entries after `afterSeq`, in the order of the transcript. Long entries make a page shorter than `limit`, but
 * never empty.
 */
export function listEntries(
  scope: TenantScope,
  meetingId: string,
  { afterSeq, limit }: { afterSeq: number; limit: number },
): Promise<EntryPage> {
  return listByOrder(scope, { meetingId, order: sql.raw('seq'), afterSeq, limit })
}

/**
 * The entries that were written or replaced after a number: what a reader has missed. They come in the order of
 * writing, so the last one's `changedSeq` is the next `afterSeq`.
 */
export function listChanges(
  scope: TenantScope,
  meetingId: string,
  { afterSeq, limit }: { afterSeq: number; limit: number },
): Promise<EntryPage> {
  return listByOrder(scope, { meetingId, order: sql.raw('changed_seq'), afterSeq, limit })
}

type PageQuery = { meetingId: string; order: ReturnType<typeof sql.raw>; afterSeq: number; limit: number }

async function listByOrder(scope: TenantScope, { meetingId, order, afterSeq, limit }: PageQuery): Promise<EntryPage> {
  // One row more than requested shows whether there are more.
  const rows = await many(
    scope,
    sql<Entry & { found: number }>`with found as (
        select * from transcript_entries where tenant_id = ${scope.tenantId} and meeting_id = ${meetingId} and ${order} > ${afterSeq}
        order by ${order} limit ${limit + 1}
      ), measured as (
        select *, sum(length(text)) over (order by ${order}) - length(text) as before, count(*) over () as found from found
      )
      select ${entryColumns}, found::int as found from measured where before < ${pageCharsMax} order by ${order} limit ${limit}`,
  )
  const found = rows[0]?.found ?? 0
  return { entries: rows.map(({ found: _, ...entry }) => entry), hasMore: found > rows.length }
}

const batchRows = 2000

/**
 * The whole transcript in batches. Each is read after the previous one was used, so the transcript is never in memory
 * as a whole.
 */
export async function* streamEntries(
  scope: TenantScope,
  meetingId: string,
  startAfterSeq = 0,
): AsyncGenerator<Entry[]> {
  for (let afterSeq = startAfterSeq; ; ) {
    const { entries, hasMore } = await listEntries(scope, meetingId, { afterSeq, limit: batchRows })
    if (entries.length > 0) yield entries
    const last = entries.at(-1)
    if (!hasMore || last === undefined) return
    afterSeq = last.seq
  }
}

/** The entries with these numbers, in the order of the transcript. Erased ones are missing. */
export async function findEntries(scope: TenantScope, meetingId: string, seqs: readonly number[]): Promise<Entry[]> {
  if (seqs.length === 0) return []
  return many(
    scope,
    sql<Entry>`select ${entryColumns} from transcript_entries
      where tenant_id = ${scope.tenantId} and meeting_id = ${meetingId} and seq = any (${seqs}::bigint[]) order by seq`,
  )
}

/** The stored entries that have one of these segment ids. */
export async function findSegments(tx: TenantScope, meetingId: string, segmentIds: string[]): Promise<ExistingEntry[]> {
  if (segmentIds.length === 0) return []
  return many(
    tx,
    sql<ExistingEntry>`select ${entryColumns}, words from transcript_entries
      where tenant_id = ${tx.tenantId} and meeting_id = ${meetingId} and segment_id = any (${segmentIds}::text[])`,
  )
}

/** One statement adds new entries and replaces those with a known segment id. */
export async function writeEntries(tx: TenantScope, meetingId: string, rows: EntryRow[]): Promise<void> {
  const column = <T>(pick: (row: EntryRow) => T): T[] => rows.map(pick)
  await run(
    tx,
    sql`insert into transcript_entries (tenant_id, meeting_id, seq, segment_id, speaker, text, offset_seconds, words, changed_seq)
      select ${tx.tenantId}, ${meetingId}, written.* from unnest(${column(({ seq }) => seq)}::bigint[],
        ${column(({ segmentId }) => segmentId)}::text[], ${column(({ speaker }) => speaker)}::text[],
        ${column(({ text }) => text)}::text[], ${column(({ offsetSeconds }) => offsetSeconds)}::numeric[],
        ${column(({ words }) => words)}::integer[], ${column(({ changedSeq }) => changedSeq)}::bigint[]) as written
      on conflict (tenant_id, meeting_id, segment_id) do update set speaker = excluded.speaker, text = excluded.text,
        offset_seconds = excluded.offset_seconds, words = excluded.words, changed_seq = excluded.changed_seq`,
  )
}
