import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

// SQLite's result codes, the primary one in the low byte: https://www.sqlite.org/rescode.html
const sqliteBusy = 5

// Kept referenced: an unused connection would be garbage collected, and its lock released.
const held = new Set<DatabaseSync>()

export type FolderLock = { release(): Promise<void> }

/** Another process holds the folder. */
export class FolderInUse extends Error {}

/**
 * Locks the data folder (0700) for this process until it ends or calls `release`. Throws with the owner's name if another
 * process holds it.
 *
 * Node has no function for locks of the operating system, but its SQLite takes one on the file it opens. The system
 * releases such a lock when the process dies, also by `kill -9`, so there are no stale locks. Nothing else in this
 * process may open `atrium.lock`: closing a file releases the locks on it.
 */
export async function lockDataFolder(folder: string): Promise<FolderLock> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const ownerFile = join(folder, 'atrium.pid')
  const lock = await takeLock(folder, ownerFile)
  held.add(lock)
  await writeFile(ownerFile, `${process.pid} on ${hostname()}\n`)
  return {
    release: async () => {
      await rm(ownerFile, { force: true })
      held.delete(lock)
      lock.close()
    },
  }
}

async function takeLock(folder: string, ownerFile: string): Promise<DatabaseSync> {
  const path = join(folder, 'atrium.lock')
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(path)
    // The file stays empty and alone: an open transaction without a change, its journal in memory.
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return lock
  } catch (error) {
    lock?.close()
    const { errcode = 0, message } = error as Error & { errcode?: number }
    if ((errcode & 0xff) !== sqliteBusy) throw new Error(`${path} cannot be locked: ${message}.`, { cause: error })
    const owner = await readFile(ownerFile, 'utf8').catch(() => 'unknown')
    throw new FolderInUse(
      `The data folder ${folder} is in use by another Atrium, process ${owner.trim()}. Stop that one first, or give ` +
        'this one a folder of its own. To run several, give all of them one PostgreSQL as DATABASE_URL.',
    )
  }
}
