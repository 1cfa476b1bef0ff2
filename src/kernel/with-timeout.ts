/**
 * The result of the work, or a rejection after `ms`. The work itself continues, but nobody waits for it.
 *
 * The time is measured in two halves. If this process was too busy to read the answer for longer than `ms`, the answer
 * is read between the two timers.
 */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>()
  const fail = () => reject(new Error(`No answer within ${ms} ms`))
  let timer = setTimeout(() => {
    timer = setTimeout(fail, ms / 2)
  }, ms / 2)
  try {
    return await Promise.race([work, timedOut])
  } finally {
    clearTimeout(timer)
  }
}
