import type { Log } from '../../http/server-deps.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import { listClaimedAfter, listUnclaimed } from '../../storage/blobs/blob-claims.store.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import type { ClaimedBlobs } from '../../storage/blobs/claimed-blobs.ts'
import type { PlatformScope } from '../../storage/scope.ts'

/** Longer than any upload takes: younger blobs may belong to a running upload. */
const graceMs = 60 * 60_000
const batch = 500

export type Swept = { drafts: number; orphans: string[]; missing: string[] }

export type SweepDeps = { clock: Clock; log: Log; metrics: Metrics; blobs: Blobs; claimedBlobs: ClaimedBlobs }

/** Finds what crashes left behind: removes blobs without rows, and reports rows without blobs, which cannot be repaired. */
export function sweepService({ clock, log, metrics, blobs, claimedBlobs }: SweepDeps) {
  const removed = metrics.counter({
    name: 'media_orphans_removed_total',
    help: 'Blobs and drafts without a file that the sweep removed.',
  })()
  let missingCount = 0
  metrics.sampled(
    {
      name: 'media_missing_blobs',
      help: 'Files whose bytes the last sweep of this node could not find.',
      kind: 'gauge',
    },
    () => [{ value: missingCount }],
  )

  const removeOrphans = async (platform: PlatformScope, keys: string[]): Promise<string[]> => {
    const gone: string[] = []
    for (const key of await listUnclaimed(platform, keys)) {
      if (await claimedBlobs.removeUnclaimed(platform, key)) gone.push(key)
    }
    return gone
  }

  /** Compares two ascending lists in one pass, and finds entries that only one of them has. */
  const compareBlobsWithRows = async (
    platform: PlatformScope,
    signal: AbortSignal,
  ): Promise<Pick<Swept, 'orphans' | 'missing'>> => {
    const claimed = claimedKeys(platform)
    const [orphans, missing, candidates]: string[][] = [[], [], []]
    const oldest = new Date(clock.now().getTime() - graceMs)
    let expected = (await claimed.next()).value
    const passUpTo = async (key: string | null) => {
      for (; expected !== undefined && (key === null || expected < key); expected = (await claimed.next()).value) {
        if ((await blobs.stat(expected)) === null) missing?.push(expected)
      }
      if (expected === key) expected = (await claimed.next()).value
    }
    for await (const { key, modifiedAt } of blobs.list()) {
      signal.throwIfAborted()
      await passUpTo(key)
      if (modifiedAt < oldest) candidates?.push(key)
      if ((candidates?.length ?? 0) >= batch)
        orphans?.push(...(await removeOrphans(platform, candidates?.splice(0) ?? [])))
    }
    orphans?.push(...(await removeOrphans(platform, candidates ?? [])))
    await passUpTo(null)
    // Entries removed meanwhile no longer have a row, either.
    const gone = new Set(await listUnclaimed(platform, missing ?? []))
    return { orphans: orphans ?? [], missing: (missing ?? []).filter((key) => !gone.has(key)) }
  }

  return {
    sweep: async (platform: PlatformScope, signal: AbortSignal): Promise<Swept> => {
      const drafts = await blobs.drafts.removeOlder(new Date(clock.now().getTime() - graceMs))
      const { orphans, missing } = await compareBlobsWithRows(platform, signal)
      removed.add(drafts + orphans.length)
      missingCount = missing.length
      if (drafts + orphans.length > 0)
        log.info({ drafts, orphans: orphans.length }, 'removed media that belonged to no file')
      if (missing.length > 0)
        log.error({ missing: missing.length, first: missing.slice(0, 5) }, 'files have lost their bytes')
      return { drafts, orphans, missing }
    },
    /** Removes the node's own drafts that a crash left, when it starts. */
    removeOldDrafts: () => blobs.drafts.removeOlder(new Date(clock.now().getTime() - graceMs)),
  }
}

async function* claimedKeys(platform: PlatformScope): AsyncGenerator<string, undefined> {
  for (let after = ''; ; ) {
    const keys = await listClaimedAfter(platform, after, batch)
    yield* keys
    if (keys.length < batch) return undefined
    after = keys.at(-1) as string
  }
}
