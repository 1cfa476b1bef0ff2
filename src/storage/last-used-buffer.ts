/**
 * "Last used" times, written late and off the request path: at most one write a row and minute. A kill loses up to
 * `delayMs` of them, a clean stop none. Stamps are for people to look at. One thing depends on them, and to minutes only:
 * whether a rotated key is still used (identity/keys/key-life.rules.ts).
 */
export type LastUsedBuffer = {
  mark(key: string, at: Date): void
  flush(): Promise<void>
}

const quietMs = 60_000
const pendingMax = 10_000

export function lastUsedBuffer({
  delayMs,
  write,
}: {
  delayMs: number
  write: (marks: { key: string; at: Date }[]) => Promise<void>
}): LastUsedBuffer {
  const pending = new Map<string, Date>()
  const written = new Map<string, number>()
  let timer: NodeJS.Timeout | null = null
  const flush = async (): Promise<void> => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const marks = [...pending].map(([key, at]) => ({ key, at }))
    pending.clear()
    if (marks.length > 0) await write(marks).catch(() => undefined) // a lost stamp is no reason to fail anything
  }
  return {
    mark: (key, at) => {
      if (at.getTime() - (written.get(key) ?? Number.NEGATIVE_INFINITY) < quietMs || pending.size >= pendingMax) return
      if (written.size >= pendingMax) written.clear()
      written.set(key, at.getTime())
      pending.set(key, at)
      timer ??= setTimeout(() => void flush(), delayMs).unref()
    },
    flush,
  }
}
