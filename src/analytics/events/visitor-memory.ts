import { idTimeMs } from '../../kernel/ids.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { placeMarks, visitorMark } from '../summaries/mark.rules.ts'
import { batchesSince, type WrittenBatch } from './event-write.store.ts'
import { draftOver, type MarkTable, markTable } from './mark-table.ts'

/** What is known of a day, and what a batch adds to it once it is committed. */
export type DayDraft = MarkTable & { keep(lastSeq: number): void }

export type VisitorMemory = {
  /** Reads a day's visits where this was never done, so that the others need not wait for it. */
  prepare(scope: PlatformScope, days: string[]): Promise<void>
  /** A draft for each of the days, over all that is written. Inside the transaction that holds the days (`lockDays`). */
  draft(scope: PlatformScope, days: string[]): Promise<Map<string, DayDraft>>
}

type Known = { marks: MarkTable; lastSeq: number }

const daysMax = 2
const batchesAtOnce = 50
const dayMs = 24 * 3600 * 1000

/**
 * Who has seen what, and when last, of the days that are written now: in memory, because to ask the database for each visitor
 * costs more than all else of a visit. It says no more than the visits themselves, of which this process reads those that
 * others wrote since, and after a start all of the day.
 */
export function visitorMemory(): VisitorMemory {
  /** The one that was asked for last is the last. */
  const days = new Map<string, Known>()

  const catchUp = async (scope: PlatformScope, day: string): Promise<Known> => {
    const known = days.get(day) ?? { marks: markTable(), lastSeq: 0 }
    days.delete(day)
    days.set(day, known)
    if (days.size > daysMax) days.delete(days.keys().next().value as string)
    for (let found = batchesAtOnce; found === batchesAtOnce; ) {
      const batches = await batchesSince(scope, { day, seq: known.lastSeq, limit: batchesAtOnce })
      for (const batch of batches) learn(known, batch)
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
        const draft = draftOver(known.marks)
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

/** As `entryOf` made the marks when the visits were written; the same ones again change nothing. */
function learn(known: Known, { seq, type, productId, kinds, ids, visitors, kindsOf }: WrittenBatch): void {
  const marksOf = placeMarks()
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
