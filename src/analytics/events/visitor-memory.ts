import { idTimeMs } from '../../kernel/ids.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { dimensionMarks, visitorMark } from '../summaries/mark.rules.ts'
import { listBatchesSince, type WrittenBatch } from './event-write.store.ts'
import { type SeenVisitorSet, seenVisitorDraft, seenVisitorSet } from './seen-visitor-set.ts'

/** A day's marks with the additions of a batch, which are kept once the batch is committed. */
export type DayDraft = SeenVisitorSet & { keep(lastSeq: number): void }

export type VisitorMemory = {
  /** Reads a day's visits if they are not in memory, before locks are taken, so that others need not wait. */
  prepare(scope: PlatformScope, days: string[]): Promise<void>
  /** A draft per day over everything written. Call it inside the transaction that holds the days (`lockDays`). */
  draft(scope: PlatformScope, days: string[]): Promise<Map<string, DayDraft>>
}

type Known = { marks: SeenVisitorSet; lastSeq: number }

const daysMax = 2
const batchesAtOnce = 50
const dayMs = 24 * 3600 * 1000

/**
 * Remembers which visitor saw what and when, for the days being written. It is in memory, because asking the database per
 * visitor would cost more than the rest of a visit. It is derived from the visits: this process reads those that other
 * nodes wrote meanwhile, and the whole day after a start.
 */
export function visitorMemory(): VisitorMemory {
  /** In order of use: the last entry was used last. */
  const days = new Map<string, Known>()

  const catchUp = async (scope: PlatformScope, day: string): Promise<Known> => {
    const known = days.get(day) ?? { marks: seenVisitorSet(), lastSeq: 0 }
    days.delete(day)
    days.set(day, known)
    if (days.size > daysMax) days.delete(days.keys().next().value as string)
    for (let found = batchesAtOnce; found === batchesAtOnce; ) {
      const batches = await listBatchesSince(scope, { day, seq: known.lastSeq, limit: batchesAtOnce })
      for (const batch of batches) addBatch(known, batch)
      found = batches.length
    }
    return known
  }

  return {
    prepare: async (scope, asked) => {
      for (const day of asked) if (!days.has(day)) await catchUp(scope, day)
    },
    draft: async (scope, asked) => {
      const drafts = new Map<string, DayDraft>()
      for (const day of asked) {
        const known = await catchUp(scope, day)
        const draft = seenVisitorDraft(known.marks)
        const keep = (lastSeq: number) => {
          draft.keep()
          known.lastSeq = Math.max(known.lastSeq, lastSeq)
        }
        drafts.set(day, { find: draft.find, make: draft.make, keep })
      }
      return drafts
    },
  }
}

/** Adds the marks as `summarizeVisits` did when the visits were written. Adding them again changes nothing. */
function addBatch(known: Known, { seq, type, productId, kinds, ids, visitors, kindsOf }: WrittenBatch): void {
  const marksOf = dimensionMarks()
  const places = kinds.map(({ page_slug: pageSlug = null, doc_slug: docSlug = null, download_id: downloadId = null }) =>
    marksOf({ type, productId, pageSlug, docSlug, downloadId }),
  )
  for (const [index, visitor] of visitors.entries()) {
    const kind = kindsOf[index] as number
    if (visitor === null || kinds[kind]?.is_repeat !== false) continue
    const [high, low] = visitorMark(visitor)
    const ms = idTimeMs(ids[index] as string) % dayMs
    for (const [placeHigh, placeLow] of places[kind] ?? []) known.marks.make(high ^ placeHigh, low ^ placeLow, ms)
  }
  known.lastSeq = Math.max(known.lastSeq, seq)
}
