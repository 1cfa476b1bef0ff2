type Pages = { read: number; of: number | null }

/** Often enough for who waits, and seldom enough to cost nothing. */
const intervalMs = 500

/** Saves how far the reading of a file is: now and then, one after another, and never in the way of the reading. */
export function progressReport(save: (pages: Pages) => Promise<void>) {
  let lastAtMs = Number.NEGATIVE_INFINITY
  let saving: Promise<unknown> = Promise.resolve()
  return {
    onPage: (read: number, of: number | null): void => {
      if (performance.now() - lastAtMs < intervalMs) return
      lastAtMs = performance.now()
      // Progress that could not be saved is told with the next page.
      saving = saving.then(() => save({ read, of })).catch(() => undefined)
    },
    settled: () => saving,
  }
}
