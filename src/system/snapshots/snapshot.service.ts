import type { Audit } from '../../identity/index.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import type { Snapshot } from '../../storage/snapshot.ts'

export type SnapshotDeps = {
  /** Null for a PostgreSQL server, from which a backup is read directly. */
  snapshotDatabase: ((folder: string) => Promise<Snapshot>) | null
  audit: Audit
}

/** Copies the embedded database while it is in use. */
export function snapshotService({ snapshotDatabase, audit }: SnapshotDeps) {
  /** Copies it into an empty folder of the data folder. Refuses STATE_CONFLICT and NOT_FOUND. */
  const create = async (platform: PlatformScope, folder: string): Promise<Snapshot> => {
    if (snapshotDatabase === null)
      throw new Refusal('STATE_CONFLICT', { detail: 'Only an embedded database in a folder is copied this way.' })
    // Before the copy, so that the copy contains this audit entry.
    await transaction(platform, (tx) =>
      audit(tx, { action: 'snapshot.create', target: { type: 'snapshot', id: folder } }),
    )
    return snapshotDatabase(folder)
  }

  return { create }
}
