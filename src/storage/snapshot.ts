import { constants } from 'node:fs'
import { copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { notFound, Refusal } from '../kernel/refusal.ts'

export type Snapshot = {
  /** How long the database answered nobody. */
  pausedMs: number
  bytes: number
}

type Seen = { size: number; changedNs: bigint; isRecent: boolean }

// A file system's clock moves in ticks of some milliseconds: of a file that was changed just now the time does not tell
// whether it was changed again since.
const recentNs = 2_000_000_000n

/**
 * Copies the files of an embedded database that is in use. First all of them, while others write; then, while nobody
 * can, those that changed since: so the pause depends on what was written meanwhile and not on the size of the database.
 * The copy is what a crash at that moment would have left, and PostgreSQL recovers from it what was committed.
 *
 * @param to a folder that does not exist yet, in one that does; else it refuses STATE_CONFLICT or NOT_FOUND
 * @param alone runs its work while no statement is running and none begins
 */
export async function copyDatabase(
  { from, to }: { from: string; to: string },
  alone: (work: () => Promise<void>) => Promise<void>,
): Promise<Snapshot> {
  await mkdir(to, { mode: 0o700 }).catch(refuse)
  const copied = new Map<string, Seen>()
  await bring(from, to, copied)
  let pausedMs = 0
  let bytes = 0
  await alone(async () => {
    const startedAt = performance.now()
    bytes = await bring(from, to, copied)
    pausedMs = performance.now() - startedAt
  })
  return { pausedMs, bytes }
}

function refuse(error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOENT') throw notFound()
  if (error.code === 'EEXIST') throw new Refusal('STATE_CONFLICT', { detail: 'The folder holds a snapshot already.' })
  throw error
}

/** Makes `to` equal to `from`, trusting the copies in `copied`. The size of all files. */
async function bring(from: string, to: string, copied: Map<string, Seen>): Promise<number> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  const present = new Set<string>()
  let bytes = 0
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name).slice(from.length + 1)
    present.add(path)
    if (entry.isDirectory()) await mkdir(join(to, path), { recursive: true })
    else bytes += await bringFile({ from: join(from, path), to: join(to, path) }, path, copied)
  }
  for (const path of copied.keys()) if (!present.has(path)) await rm(join(to, path), { force: true })
  return bytes
}

async function bringFile(
  { from, to }: { from: string; to: string },
  path: string,
  copied: Map<string, Seen>,
): Promise<number> {
  try {
    const seen = await look(from)
    const known = copied.get(path)
    if (known && !known.isRecent && known.size === seen.size && known.changedNs === seen.changedNs) return seen.size
    await copyFile(from, to, constants.COPYFILE_FICLONE)
    copied.set(path, seen)
    return seen.size
  } catch (error) {
    // Removed since the folder was read, which happens only while others write: the second look will not list it.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}

async function look(path: string): Promise<Seen> {
  const { size, mtimeNs } = await stat(path, { bigint: true })
  const nowNs = BigInt(Date.now()) * 1_000_000n
  return { size: Number(size), changedNs: mtimeNs, isRecent: nowNs - mtimeNs < recentNs }
}
