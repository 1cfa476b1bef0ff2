import type { EmulatorClock } from './emulator.ts'

/** What a search finds: things only some seconds after they were written, as with the providers' indexes. */
export type SearchIndex = { lagSeconds: number; isIndexed(writtenAt: Date): boolean }

export function searchIndex(clock: EmulatorClock, lagSeconds: number): SearchIndex {
  const index: SearchIndex = {
    lagSeconds,
    isIndexed: (writtenAt) => clock.now().getTime() >= writtenAt.getTime() + index.lagSeconds * 1000,
  }
  return index
}
