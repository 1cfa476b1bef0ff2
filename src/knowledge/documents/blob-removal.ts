import type { ClaimedBlobs } from '../../storage/blobs/claimed-blobs.ts'
import type { PlatformScope, Scope } from '../../storage/scope.ts'

/** Removes blobs that nothing claims any more, once the change that freed them is certain. */
export type RemoveBlobs = (scope: Scope, keys: string[]) => Promise<void>

/** Waits for the removal, except in a transaction that its caller commits: there it comes after the commit. */
export function blobRemoval({
  platform,
  claimed,
}: {
  platform: PlatformScope
  claimed: Pick<ClaimedBlobs, 'tidy'>
}): RemoveBlobs {
  return async (scope, keys) => {
    if (!scope.handle.inTransaction) return claimed.tidy(platform, keys)
    scope.handle.afterCommit(() => void claimed.tidy(platform, keys))
  }
}
