import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { summarizeVisits } from '../summaries/summary.rules.ts'
import { insertEntry, lockDays, writtenIds } from './event-write.store.ts'
import type { VisitRecord } from './visit.rules.ts'
import { firstEqualIndexes, groupIntoBatches } from './visit-batch.rules.ts'
import { visitorMemory } from './visitor-memory.ts'

/** @param isAgain a retry after an unknown outcome: the visits may already be written. */
export type WriteVisits = (facts: VisitRecord[], isAgain: boolean) => Promise<void>

/**
 * Writes visits and updates the summaries in one transaction, so the summaries always equal a recount of the visits. Nodes
 * take turns per day, so that a visitor served by two nodes counts once.
 */
export function eventWriter(platform: PlatformScope): WriteVisits {
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
      const alike = firstEqualIndexes(facts)
      const { isRepeat, additions } = summarizeVisits(facts, alike, drafts)
      const lastSeqs = await insertEntry(tx, groupIntoBatches(facts, alike, isRepeat), additions)
      tx.handle.afterCommit(() => {
        for (const { day, seq } of lastSeqs) drafts.get(day)?.keep(seq)
      })
    })
  }
}
