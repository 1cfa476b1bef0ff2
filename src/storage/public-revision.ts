import type { FanOut } from './fan-out.ts'
import { one, run, sql } from './query.ts'
import type { PlatformScope, Scope } from './scope.ts'

/**
 * Called inside the transaction of every change of what the public can read: prepared answers are thrown away with its
 * commit, on this node before the change is answered, on all others as soon as they hear of it.
 */
export type PublicChanged = (tx: Scope) => Promise<void>

export const publicChannel = 'storage.public-revision'

export function publicChangedOf(fanOut: FanOut): PublicChanged {
  return async (tx) => {
    await run(tx, sql`update public_revision set revision = revision + 1`)
    tx.handle.afterCommit(() => fanOut.publish(publicChannel, ''))
  }
}

export async function publicRevision(platform: PlatformScope): Promise<string> {
  const { revision } = await one(platform, sql<{ revision: string }>`select revision from public_revision`)
  return revision
}
