import { withTimeout } from '../kernel/with-timeout.ts'
import type { FanOut } from './fan-out.ts'
import { readPipelined, run, sql } from './query.ts'
import type { PlatformScope, Scope } from './scope.ts'

/**
 * Called inside the transaction of every change of what the public can read: prepared answers are thrown away with its
 * commit, on this node before the change is answered, on all others as soon as they hear of it and within a second.
 */
export type PublicChanged = (tx: Scope) => Promise<void>

export type PublicRevision = {
  changed: PublicChanged
  /**
   * Counts the times that something public may have changed. What was prepared under another number is void.
   * Waits only where nobody asked for a second: while reads come, the database is asked beside them and not by them.
   */
  current(): number | Promise<number>
}

const channel = 'storage.public-revision'
/** A change on another node is seen this much later at most, also when no message of it arrives. */
const believedMs = 800
const renewedAfterMs = 250
/** A database that is away or silent for longer: what was prepared is served on, as it was. */
const patienceMs = 1_000
/** While it is silent, a reader now and then waits so long: one that is back answers in that. */
const silentPatienceMs = 100

/**
 * @param isShared whether other processes write to the database. If not, every change is known as it happens.
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
  let isSilent = false
  let asking: Promise<void> | null = null
  const changedHere = () => {
    generation += 1
  }
  fanOut.subscribe(channel, { message: changedHere, gap: changedHere })

  const ask = async (): Promise<void> => {
    const askedAtMs = performance.now()
    try {
      const revision = await withTimeout(isSilent ? silentPatienceMs : patienceMs, revisionNow(platform))
      if (seen !== null && revision !== seen) generation += 1
      seen = revision
      isSilent = false
      confirmedAtMs = askedAtMs
    } catch {
      // Away: nothing can be learned, and readers of what is prepared need no database. Most of them do not wait either.
      isSilent = true
      confirmedAtMs = performance.now() - believedMs + renewedAfterMs
    }
    asking = null
  }

  return {
    changed: async (tx) => {
      await run(tx, sql`update public_revision set revision = revision + 1`)
      tx.handle.afterCommit(() => fanOut.publish(channel, ''))
    },
    current: () => {
      if (!isShared) return generation
      const ageMs = performance.now() - confirmedAtMs
      if (ageMs > renewedAfterMs) asking ??= ask()
      if (ageMs <= believedMs) return generation
      return (asking as Promise<void>).then(() => generation)
    },
  }
}

async function revisionNow(platform: PlatformScope): Promise<string> {
  return (
    (await readPipelined(platform, sql<{ revision: string }>`select revision from public_revision`))?.revision ?? ''
  )
}
