import type { EmulatorClock } from './emulator.ts'

/**
 * What a search finds: things only some seconds after they were made, as with the providers' indexes. A thing that is changed stays
 * in the index, with what it had before until then.
 */
export type SearchIndex = { lagSeconds: number; isIndexed(since: Date): boolean }

export function searchIndex(clock: EmulatorClock, lagSeconds: number): SearchIndex {
  const index: SearchIndex = {
    lagSeconds,
    isIndexed: (since) => clock.now().getTime() >= since.getTime() + index.lagSeconds * 1000,
  }
  return index
}
