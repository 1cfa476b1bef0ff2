import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { entryOf, marksOf } from '../summaries/summary.rules.ts'
import { findMarks, insertEntry, lockDays, writtenIds } from './event-write.store.ts'
import type { Fact } from './visit.rules.ts'

/** @param isAgain these were given before, and nobody knows whether they were written. */
export type WriteFacts = (facts: Fact[], isAgain: boolean) => Promise<void>

/**
 * Writes visits with what they add to the summaries, in one transaction: the summaries are a recount of the visits at
 * any moment. All nodes take turns at a day, so that a visitor who is served by two of them is one visitor.
 */
export function eventWriter(platform: PlatformScope): WriteFacts {
  return (given, isAgain) =>
    transaction(platform, async (tx) => {
      await lockDays(tx, [...new Set(given.map(({ day }) => day))])
      const written = isAgain
        ? await writtenIds(
            tx,
            given.map(({ id }) => id),
          )
        : new Set<string>()
      const facts = given.filter(({ id }) => !written.has(id))
      if (facts.length === 0) return
      const marks = marksOf(facts)
      const known = new Map<string, number>()
      for (const [day, asked] of Map.groupBy(marks.flat(), (mark) => mark.day)) {
        const seen = [...new Set(asked.map((mark) => mark.seen))]
        for (const [mark, viewedAtMs] of await findMarks(tx, day, seen)) known.set(mark, viewedAtMs)
      }
      await insertEntry(tx, facts, entryOf(facts, marks, known))
    })
}
