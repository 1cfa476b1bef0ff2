import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { lockDays } from '../events/event-write.store.ts'
import { correctSummary, listSummaries, recountSlice, recountSlices } from './recount.store.ts'
import { findDifferences, mergeSummaries, type Summary } from './summary.rules.ts'

/** Recomputes the day's summaries from its events. */
export async function recount(scope: PlatformScope, day: string): Promise<Summary[]> {
  const slices: Summary[] = []
  for (let slice = 0; slice < recountSlices; slice++) slices.push(...(await recountSlice(scope, { day, slice })))
  return mergeSummaries(slices)
}

/** Corrects the day's summaries by a recount; returns the corrected lines. */
export function rebuildDay(platform: PlatformScope, day: string): Promise<Summary[]> {
  return transaction(platform, async (tx) => {
    // Meanwhile new visits of this day wait in memory on their nodes.
    await lockDays(tx, [day])
    const differences = findDifferences(await listSummaries(tx, day), await recount(tx, day))
    for (const difference of differences) await correctSummary(tx, difference)
    return differences
  })
}
