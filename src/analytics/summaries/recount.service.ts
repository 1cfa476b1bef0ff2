import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { lockDays } from '../events/event-write.store.ts'
import { correctSummary, recountSlice, recountSlices, summariesOf } from './recount.store.ts'
import { differencesOf, merged, type Summary } from './summary.rules.ts'

/** The day's summaries as a recount of its events gives them. */
export async function recount(scope: PlatformScope, day: string): Promise<Summary[]> {
  const slices: Summary[] = []
  for (let slice = 0; slice < recountSlices; slice++) slices.push(...(await recountSlice(scope, { day, slice })))
  return merged(slices)
}

/** Makes the day's summaries what a recount gives; the lines that were otherwise, as they now are. */
export function rebuildDay(platform: PlatformScope, day: string): Promise<Summary[]> {
  return transaction(platform, async (tx) => {
    // Visits of this day wait in the memory of their nodes meanwhile.
    await lockDays(tx, [day])
    const differences = differencesOf(await summariesOf(tx, day), await recount(tx, day))
    for (const difference of differences) await correctSummary(tx, difference)
    return differences
  })
}
