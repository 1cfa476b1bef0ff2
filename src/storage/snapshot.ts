import { constants } from 'node:fs'
import { copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { notFound, Refusal } from '../kernel/refusal.ts'

export type Snapshot = {
  /** For how long the database answered no statement. */
  pausedMs: number
  bytes: number
}

type FileState = { size: number; changedNs: bigint; isRecent: boolean }

// A file system's clock has a resolution of some milliseconds: the time of a file that was changed just now does not show
// whether it was changed again since.
const recentNs = 2_000_000_000n

/**
 * Copies the files of an embedded database that is in use. First it copies all files while statements run. Then, while none
 * runs, it copies those that have changed: so the pause depends on what was written meanwhile, not on the database's size.
 * The copy is what a crash at that moment would have left; PostgreSQL recovers what was committed.
 *
 * @param to a new folder in an existing one; otherwise refuses STATE_CONFLICT or NOT_FOUND
 * @param alone runs its work while no statement runs
 */
export async function copyDatabase(
  { from, to }: { from: string; to: string },
  alone: (work: () => Promise<void>) => Promise<void>,
): Promise<Snapshot> {
  await mkdir(to, { mode: 0o700 }).catch(refuse)
  const copied = new Map<string, FileState>()
  await copyChanges(from, to, copied)
  let pausedMs = 0
  let bytes = 0
  await alone(async () => {
    const startedAt = performance.now()
    bytes = await copyChanges(from, to, copied)
    pausedMs = performance.now() - startedAt
  })
  return { pausedMs, bytes }
}

function refuse(error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOENT') throw notFound()
  if (error.code === 'EEXIST') throw new Refusal('STATE_CONFLICT', { detail: 'The folder already holds a snapshot.' })
  throw error
}

/** Makes `to` equal to `from`, without the files that are unchanged since `copied`. Returns the size of all files. */
async function copyChanges(from: string, to: string, copied: Map<string, FileState>): Promise<number> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  const present = new Set<string>()
  let bytes = 0
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name).slice(from.length + 1)
    present.add(path)
    if (entry.isDirectory()) await mkdir(join(to, path), { recursive: true })
    else bytes += await copyChangedFile({ from: join(from, path), to: join(to, path) }, path, copied)
  }
  for (const path of copied.keys()) if (!present.has(path)) await rm(join(to, path), { force: true })
  return bytes
}

async function copyChangedFile(
  { from, to }: { from: string; to: string },
  path: string,
  copied: Map<string, FileState>,
): Promise<number> {
  try {
    const state = await readState(from)
    const known = copied.get(path)
    if (known && !known.isRecent && known.size === state.size && known.changedNs === state.changedNs) return state.size
    await copyFile(from, to, constants.COPYFILE_FICLONE)
    copied.set(path, state)
    return state.size
  } catch (error) {
    // Removed since the folder was read, which happens only in the first pass: the second will not list it.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}

async function readState(path: string): Promise<FileState> {
  const { size, mtimeNs } = await stat(path, { bigint: true })
  const nowNs = BigInt(Date.now()) * 1_000_000n
  return { size: Number(size), changedNs: mtimeNs, isRecent: nowNs - mtimeNs < recentNs }
}
