import type { Log } from '../../http/server-deps.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import type { Draft } from '../../storage/blobs/drafts.ts'
import { type Scope, transaction } from '../../storage/scope.ts'
import { lockBlobs, unclaimedOf } from './blob-claims.store.ts'

/** A draft that is to be the blob of a row. */
export type Kept = { draft: Draft; contentType: string }

export type Keeping = ReturnType<typeof keepingService>

/**
 * Blobs and rows in step, though no transaction holds both. A blob is put before its row, so what a crash leaves is a
 * blob without a row, which the sweep finds; and a blob is removed only under the lock under which rows are made.
 */
export function keepingService({ blobs, log }: { blobs: Blobs; log: Log }) {
  const removeUnclaimed = (scope: Scope, key: string): Promise<boolean> =>
    transaction(scope, async (tx) => {
      await lockBlobs(tx, [key])
      if ((await unclaimedOf(tx, [key])).length === 0) return false
      await blobs.remove(key)
      return true
    })
  return {
    /** Before the transaction: what takes long. */
    put: async (kept: Kept[]): Promise<void> => {
      for (const { draft, contentType } of kept) await blobs.put(draft, { contentType })
    },

    /** First in the transaction that makes the rows: from here on these blobs are there and stay. */
    claim: async (tx: Scope, kept: Kept[]): Promise<void> => {
      await lockBlobs(
        tx,
        kept.map(({ draft }) => draft.sha256),
      )
      for (const { draft, contentType } of kept) {
        // Somebody else's failed upload of the same bytes may have removed it since it was put.
        if ((await blobs.stat(draft.sha256)) === null) await blobs.put(draft, { contentType })
      }
    },

    /** Removes the blob if no row claims it; says whether it did. */
    removeUnclaimed,

    /** The same for what a change or a failure has left. Its own failure is left to the sweep. */
    tidy: async (scope: Scope, keys: string[]): Promise<void> => {
      for (const key of new Set(keys)) {
        await removeUnclaimed(scope, key).catch((err) =>
          log.warn({ err }, 'a blob that nothing claims was left to the sweep'),
        )
      }
    },
  }
}
