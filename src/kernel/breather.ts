// Long enough that giving way costs nothing beside the work, short enough that nobody notices the wait.
const patienceMs = 10

/**
 * For long work on many records: to be awaited after each, it lets everything else of this process happen whenever it
 * has waited for 10 ms. Waiting for a database alone does not: one in this process answers without giving way.
 */
export function breather(): () => Promise<void> {
  let sinceMs = performance.now()
  return async () => {
    if (performance.now() - sinceMs < patienceMs) return
    await new Promise<void>((resolve) => setImmediate(resolve))
    sinceMs = performance.now()
  }
}
