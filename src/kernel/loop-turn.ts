// A statement takes 1 to 8 ms: with more than one of them a burst of logins makes everybody wait for 20.
const sliceMsMax = 1

let sliceFromMs = 0
let isCounting = false

/**
 * To be asked before each piece of work that holds the event loop and ends without a turn of it: null while this turn has
 * been short, else what to wait for. Without it pieces that answer at once follow each other for as long as there are any,
 * and everybody else waits.
 */
export function loopTurn(): Promise<void> | null {
  if (isCounting)
    return performance.now() - sliceFromMs < sliceMsMax ? null : new Promise((resolve) => setImmediate(resolve))
  isCounting = true
  sliceFromMs = performance.now()
  setImmediate(() => {
    isCounting = false
  })
  return null
}
