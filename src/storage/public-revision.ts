import { withTimeout } from '../kernel/with-timeout.ts'
import type { FanOut } from './fan-out.ts'
import { readPipelined, run, sql } from './query.ts'
import type { PlatformScope, Scope } from './scope.ts'

/**
 * Called inside the transaction of every change to public content. Its commit invalidates cached answers: on this node
 * before the change is answered, on all others as soon as the message arrives, and within a second in any case.
 */
export type PublicChanged = (tx: Scope) => Promise<void>

export type PublicRevision = {
  changed: PublicChanged
  /**
   * Counts how often public content may have changed. Answers that were cached under another number are invalid.
   * Waits only if nobody asked for a second: while requests come in, the database is queried in the background.
   */
  current(): number | Promise<number>
}

const channel = 'storage.public-revision'
/** A change on another node is noticed this late at most, even without its message. */
const validMs = 800
const refreshAfterMs = 250
/** If the database does not answer for longer, cached answers are still served. */
const queryTimeoutMs = 1_000
/** While it does not answer, a request now and then waits this long: a database that is back answers in time. */
const retryTimeoutMs = 100

/**
 * @param isShared whether other processes write to the database. If not, every change is known at once.
 */
export function createPublicRevision(parts: {
  platform: PlatformScope
  fanOut: FanOut
  isShared: boolean
}): PublicRevision {
  const { platform, fanOut, isShared } = parts
  let generation = 0
  let seen: string | null = null
  let confirmedAtMs = Number.NEGATIVE_INFINITY
  let isUnreachable = false
  let refreshing: Promise<void> | null = null
  const onChange = () => {
    generation += 1
  }
  fanOut.subscribe(channel, { message: onChange, gap: onChange })

  const refresh = async (): Promise<void> => {
    const startedAtMs = performance.now()
    try {
      const revision = await withTimeout(isUnreachable ? retryTimeoutMs : queryTimeoutMs, currentRevision(platform))
      if (seen !== null && revision !== seen) generation += 1
      seen = revision
      isUnreachable = false
      confirmedAtMs = startedAtMs
    } catch {
      // Unreachable. Cached answers need no database, and most requests for them do not wait for it either.
      isUnreachable = true
      confirmedAtMs = performance.now() - validMs + refreshAfterMs
    }
    refreshing = null
  }

  return {
    changed: async (tx) => {
      await run(tx, sql`update public_revision set revision = revision + 1`)
      tx.handle.afterCommit(() => fanOut.publish(channel, ''))
    },
    current: () => {
      if (!isShared) return generation
      const ageMs = performance.now() - confirmedAtMs
      if (ageMs > refreshAfterMs) refreshing ??= refresh()
      if (ageMs <= validMs) return generation
      return (refreshing as Promise<void>).then(() => generation)
    },
  }
}

async function currentRevision(platform: PlatformScope): Promise<string> {
  return (
    (await readPipelined(platform, sql<{ revision: string }>`select revision from public_revision`))?.revision ?? ''
  )
}
