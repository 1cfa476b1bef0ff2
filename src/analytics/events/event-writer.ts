import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { entryOf } from '../summaries/summary.rules.ts'
import { insertEntry, lockDays, writtenIds } from './event-write.store.ts'
import type { Fact } from './visit.rules.ts'
import { batchesOf, firstAlikeOf } from './visit-batch.rules.ts'
import { visitorMemory } from './visitor-memory.ts'

/** @param isAgain these were given before, and nobody knows whether they were written. */
export type WriteFacts = (facts: Fact[], isAgain: boolean) => Promise<void>

/**
 * Writes visits with what they add to the summaries, in one transaction: the summaries are a recount of the visits at
 * any moment. All nodes take turns at a day, so that a visitor who is served by two of them is one visitor.
 */
export function eventWriter(platform: PlatformScope): WriteFacts {
  const memory = visitorMemory()
  return async (given, isAgain) => {
    const days = [...new Set(given.map(({ day }) => day))]
    await memory.prepare(platform, days)
    await transaction(platform, async (tx) => {
      await lockDays(tx, days)
      const written = isAgain ? await writtenIds(tx, given) : new Set<string>()
      const facts = isAgain ? given.filter(({ id }) => !written.has(id)) : given
      if (facts.length === 0) return
      const drafts = await memory.draft(tx, days)
      const alike = firstAlikeOf(facts)
      const { isRepeat, additions } = entryOf(facts, alike, drafts)
      const lastSeqs = await insertEntry(tx, batchesOf(facts, alike, isRepeat), additions)
      tx.handle.afterCommit(() => {
        for (const { day, seq } of lastSeqs) drafts.get(day)?.keep(seq)
      })
    })
  }
}
