/**
 * What the work comes to, or a rejection when that takes longer. Measured in two halves: when we are too busy to read for
 * longer than `ms`, the answer is read between them.
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise: silence, reject } = Promise.withResolvers<never>()
  const giveUp = () => reject(new Error(`no answer within ${ms} ms`))
  let timer = setTimeout(() => {
    timer = setTimeout(giveUp, ms / 2)
  }, ms / 2)
  try {
    return await Promise.race([work, silence])
  } finally {
    clearTimeout(timer)
  }
}
