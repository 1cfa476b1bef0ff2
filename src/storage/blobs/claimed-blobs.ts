import type { StorageLog } from '../pool.ts'
import { type Scope, transaction } from '../scope.ts'
import { listUnclaimed, lockBlobs } from './blob-claims.store.ts'
import type { Blobs } from './blobs.ts'
import type { Draft } from './drafts.ts'

/** A draft that becomes the blob of a row. */
export type StoredBlob = { draft: Draft; contentType: string }

export type ClaimedBlobs = ReturnType<typeof claimedBlobs>

/**
 * Keeps blobs and rows consistent, although no transaction covers both. A blob is stored before its row, so a crash can
 * only leave a blob without a row, which the sweep removes. A blob is removed only under the lock that adding rows takes.
 */
export function claimedBlobs({ blobs, log }: { blobs: Blobs; log: StorageLog }) {
  const removeUnclaimed = (scope: Scope, key: string): Promise<boolean> =>
    transaction(scope, async (tx) => {
      await lockBlobs(tx, [key])
      if ((await listUnclaimed(tx, [key])).length === 0) return false
      await blobs.remove(key)
      return true
    })
  return {
    /** Call it before the transaction, because it takes long. */
    put: async (kept: StoredBlob[]): Promise<void> => {
      for (const { draft, contentType } of kept) await blobs.put(draft, { contentType })
    },

    /** Call it first in the transaction that adds the rows: from then on these blobs exist and stay. */
    claim: async (tx: Scope, kept: StoredBlob[]): Promise<void> => {
      await lockBlobs(
        tx,
        kept.map(({ draft }) => draft.sha256),
      )
      for (const { draft, contentType } of kept) {
        // A failed upload of the same bytes may have removed it meanwhile.
        if ((await blobs.stat(draft.sha256)) === null) await blobs.put(draft, { contentType })
      }
    },

    /** Removes the blob if no row uses it; returns whether it did. */
    removeUnclaimed,

    /** Removes leftovers of a change or a failure. If this fails, too, the sweep removes them. */
    tidy: async (scope: Scope, keys: string[]): Promise<void> => {
      for (const key of new Set(keys)) {
        await removeUnclaimed(scope, key).catch((err) =>
          log.warn({ err }, 'a blob that nothing claims was left to the sweep'),
        )
      }
    },
  }
}
