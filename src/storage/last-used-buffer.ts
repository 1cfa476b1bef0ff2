/**
 * "Last used" times, written later than the request and at most once a minute for each row. A killed process loses those of
 * the last `delayMs`, a clean stop none. They are for people to read. One rule depends on them, with a precision of
 * minutes: whether a rotated key is still used.
 */
export type LastUsedBuffer = {
  mark(key: string, at: Date): void
  flush(): Promise<void>
}

const intervalMs = 60_000
const pendingMax = 10_000

export function lastUsedBuffer({
  delayMs,
  write,
}: {
  delayMs: number
  write: (entries: { key: string; at: Date }[]) => Promise<void>
}): LastUsedBuffer {
  const pending = new Map<string, Date>()
  const written = new Map<string, number>()
  let timer: NodeJS.Timeout | null = null
  const flush = async (): Promise<void> => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const entries = [...pending].map(([key, at]) => ({ key, at }))
    pending.clear()
    if (entries.length > 0) await write(entries).catch(() => undefined) // a lost time must not fail anything
  }
  return {
    mark: (key, at) => {
      if (at.getTime() - (written.get(key) ?? Number.NEGATIVE_INFINITY) < intervalMs || pending.size >= pendingMax)
        return
      if (written.size >= pendingMax) written.clear()
      written.set(key, at.getTime())
      pending.set(key, at)
      timer ??= setTimeout(() => void flush(), delayMs).unref()
    },
    flush,
  }
}
