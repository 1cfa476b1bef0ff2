/** However often it is called, the work is done once, and all callers get the same result, or the same promise. */
export function once<T>(work: () => T): () => T {
  let done: { value: T } | null = null
  return () => {
    done ??= { value: work() }
    return done.value
  }
}
