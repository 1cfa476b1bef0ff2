// Most statements take less than half a millisecond, but some take 8: without a turn for everybody else after each of those, a
// burst of logins makes all wait for 20. A turn after each millisecond cost 2 to 4 % of the deliveries that were worked on.
const sliceMsMax = 2

let sliceStartedAtMs = 0
let isCounting = false

/**
 * Asked before each piece of work that blocks the event loop and ends without yielding to it. Null while the loop has been
 * blocked for less than two milliseconds, else a promise to await. Without it, pieces that finish synchronously follow each
 * other for as long as there are any, and everybody else waits.
 */
export function yieldToEventLoop(): Promise<void> | null {
  if (isCounting)
    return performance.now() - sliceStartedAtMs < sliceMsMax ? null : new Promise((resolve) => setImmediate(resolve))
  isCounting = true
  sliceStartedAtMs = performance.now()
  setImmediate(() => {
    isCounting = false
  })
  return null
}

// Long enough that yielding costs nothing beside the work, short enough that nobody notices the wait.
const yieldEveryMs = 10

/**
 * For long work on many records: await the returned function after each record. Every 10 ms it lets the rest of this
 * process run. Awaiting the database is not enough: the embedded one answers without yielding to the event loop.
 */
export function yieldPeriodically(): () => Promise<void> {
  let lastYieldMs = performance.now()
  return async () => {
    if (performance.now() - lastYieldMs < yieldEveryMs) return
    await new Promise<void>((resolve) => setImmediate(resolve))
    lastYieldMs = performance.now()
  }
}
