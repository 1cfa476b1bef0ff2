import type { Log } from '../../http/server-deps.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { claimedAfter, unclaimedOf } from './blob-claims.store.ts'
import type { Keeping } from './keeping.service.ts'

/** Longer than any upload may take: what is younger may belong to one that runs. */
const graceMs = 60 * 60_000
const batch = 500

export type Swept = { drafts: number; orphans: string[]; missing: string[] }

export type SweepDeps = { clock: Clock; log: Log; metrics: Metrics; blobs: Blobs; keeping: Keeping }

/** Finds what crashes have left: blobs without rows go, rows without blobs are told, because nothing can bring them back. */
export function sweepService({ clock, log, metrics, blobs, keeping }: SweepDeps) {
  const removed = metrics.counter({
    name: 'media_orphans_removed_total',
    help: 'Blobs and drafts that belonged to no file and were removed.',
  })()
  let missingCount = 0
  metrics.sampled(
    {
      name: 'media_missing_blobs',
      help: 'Files whose bytes the last sweep of this node did not find.',
      kind: 'gauge',
    },
    () => [{ value: missingCount }],
  )

  const removeOrphans = async (platform: PlatformScope, keys: string[]): Promise<string[]> => {
    const gone: string[] = []
    for (const key of await unclaimedOf(platform, keys)) {
      if (await keeping.removeUnclaimed(platform, key)) gone.push(key)
    }
    return gone
  }

  /** Both lists are ascending: one pass over both finds what only one of them has. */
  const walk = async (platform: PlatformScope, signal: AbortSignal): Promise<Pick<Swept, 'orphans' | 'missing'>> => {
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
    // What was removed while we looked has no row any more, either.
    const gone = new Set(await unclaimedOf(platform, missing ?? []))
    return { orphans: orphans ?? [], missing: (missing ?? []).filter((key) => !gone.has(key)) }
  }

  return {
    sweep: async (platform: PlatformScope, signal: AbortSignal): Promise<Swept> => {
      const drafts = await blobs.drafts.removeOlder(new Date(clock.now().getTime() - graceMs))
      const { orphans, missing } = await walk(platform, signal)
      removed.add(drafts + orphans.length)
      missingCount = missing.length
      if (drafts + orphans.length > 0)
        log.info({ drafts, orphans: orphans.length }, 'removed media that belonged to no file')
      if (missing.length > 0)
        log.error({ missing: missing.length, first: missing.slice(0, 5) }, 'files have lost their bytes')
      return { drafts, orphans, missing }
    },
    /** At the start of a node: its own drafts, which a crash has left. */
    removeOldDrafts: () => blobs.drafts.removeOlder(new Date(clock.now().getTime() - graceMs)),
  }
}

async function* claimedKeys(platform: PlatformScope): AsyncGenerator<string, undefined> {
  for (let after = ''; ; ) {
    const keys = await claimedAfter(platform, after, batch)
    yield* keys
    if (keys.length < batch) return undefined
    after = keys.at(-1) as string
  }
}
