import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { announcedAddress } from '../storage/address-file.ts'
import { FolderInUse, lockDataFolder } from '../storage/folder-lock.ts'
import type { Migration } from '../storage/migrations.ts'
import { databaseFolder, isDatabase } from '../storage/pglite.ts'
import { copySession, folderSession, newFolderDatabase, type Session, serverSession } from './session.ts'

export type DatabaseLocation = { databaseUrl: string | null; dataFolder: string }

export type Source = DatabaseLocation & {
  /** Asked only where a service has the data folder. */
  adminKey: () => Promise<string>
}

export type SourceSession = {
  session: Session
  /** How long the service's callers had to wait, where there was one to ask. */
  pausedMs: number | null
}

const snapshotName = /^snapshot-[0-9a-f]{12}$/

/**
 * A way to read a whole database: PostgreSQL directly, also while nodes write; an embedded one in its folder, or, where
 * a service has that, a snapshot which the service makes of it. The snapshot is read in this process and not in the
 * service, which has one thread for its requests and its database together.
 */
export async function openSource({ databaseUrl, dataFolder, adminKey }: Source): Promise<SourceSession> {
  if (databaseUrl !== null) return { session: await serverSession(databaseUrl), pausedMs: null }
  if (!(await isDatabase(databaseFolder(dataFolder)))) {
    throw new Error(
      `There is no embedded database in ${dataFolder}. Name another folder as DATA_DIR, or PostgreSQL as DATABASE_URL.`,
    )
  }
  try {
    const session = await folderSession(dataFolder)
    await removeLeftovers(dataFolder)
    return { session, pausedMs: null }
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    return snapshotOf(dataFolder, { adminKey: await adminKey(), inUse: error })
  }
}

/**
 * Gives `fill` a database to restore into.
 * @param migrations of the backup: a new embedded database has their tables already, which takes a second less than to make them.
 */
export async function fillTarget(
  { databaseUrl, dataFolder }: DatabaseLocation,
  migrations: Migration[],
  fill: (session: Session, isPrepared: boolean) => Promise<void>,
): Promise<void> {
  if (databaseUrl === null && !(await isDatabase(databaseFolder(dataFolder)))) {
    return newFolderDatabase(dataFolder, migrations, (session) => fill(session, true))
  }
  const session = await (databaseUrl === null ? folderSession(dataFolder) : serverSession(databaseUrl))
  await fill(session, false).finally(session.close)
}

async function snapshotOf(
  dataFolder: string,
  { adminKey, inUse }: { adminKey: string; inUse: FolderInUse },
): Promise<SourceSession> {
  const address = await announcedAddress(dataFolder)
  if (address === null) throw inUse
  await removeLeftovers(dataFolder)
  const name = `snapshot-${randomBytes(6).toString('hex')}`
  const folder = join(dataFolder, name)
  // Locked from the beginning: a folder without a lock is taken for what a killed backup left.
  const lock = await lockDataFolder(folder)
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const pausedMs = await askForSnapshot({ address, adminKey, name })
    const session = await copySession(folder, lock)
    return { session: { ...session, close: () => session.close().finally(remove) }, pausedMs }
  } catch (error) {
    await lock.release()
    await remove()
    throw error
  }
}

async function askForSnapshot(ask: { address: string; adminKey: string; name: string }): Promise<number> {
  const answer = await fetch(`${ask.address}/v1/platform/admin/snapshots`, {
    method: 'POST',
    headers: { 'x-admin-key': ask.adminKey, 'content-type': 'application/json' },
    body: JSON.stringify({ folder: ask.name }),
  }).catch((error: Error) => {
    throw new Error(
      `The service at ${ask.address} has the data folder and does not answer: ${String(error.cause ?? error)}`,
    )
  })
  const said = (await answer.json()) as { snapshot?: { pausedMs: number }; code?: string; detail?: string }
  if (said.snapshot !== undefined) return said.snapshot.pausedMs
  throw new Error(`The service at ${ask.address} made no snapshot: ${answer.status} ${said.code} ${said.detail ?? ''}`)
}

/** What a backup left that was killed. One that is still at work holds the lock of its folder and is left alone. */
async function removeLeftovers(dataFolder: string): Promise<void> {
  for (const name of await readdir(dataFolder)) {
    if (!snapshotName.test(name)) continue
    const folder = join(dataFolder, name)
    const lock = await lockDataFolder(folder).catch(() => null)
    if (lock === null) continue
    await lock.release()
    await rm(folder, { recursive: true, force: true })
  }
}
