import { fsyncSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { syncFolder } from './sync-folder.ts'

// PGlite is started with fsync off (`-F`), and with `fdatasync`, the usual method, its file layer has nothing to call.
const durably = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'],
]

// POSIX's EIO as WASI numbers it.
const wasiEio = 29

type EmscriptenStream = { nfd?: number; node: object }
type EmscriptenModule = {
  FS: { ErrnoError: new (errno: number) => Error }
  NODEFS: { stream_ops: { fsync?: (stream: EmscriptenStream) => number }; realPath(node: object): string }
}

/**
 * PGlite's files in a folder, with the one thing they lack: an `fsync` that reaches the disk. Set before PostgreSQL
 * starts, because recovery after a crash relies on it too.
 */
class DurableFiles extends NodeFS {
  override async init(...[pglite, options]: Parameters<NodeFS['init']>) {
    const { emscriptenOpts } = await super.init(pglite, options)
    const addSync = (module: unknown) => {
      const { FS, NODEFS } = module as EmscriptenModule
      NODEFS.stream_ops.fsync = (stream) => {
        try {
          if (stream.nfd === undefined) syncFolder(NODEFS.realPath(stream.node))
          else fsyncSync(stream.nfd)
          return 0
        } catch {
          // PostgreSQL must know, and stops: after a failed fsync nobody can say what is on the disk.
          throw new FS.ErrnoError(wasiEio)
        }
      }
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addSync] } }
  }
}

/** A database in memory for tests. `image` is an empty cluster to start from, which is four times as fast as making one. */
export function openMemory(image?: Blob): Promise<PGlite> {
  return start({ dataDir: 'memory://', ...(image ? { loadDataDir: image } : {}) })
}

/** The database in `folder`, made there if it is missing. What was committed is on the disk. */
export async function openFolder(folder: string): Promise<PGlite> {
  if (!(await isDatabase(folder))) await create(folder)
  return start({ fs: new DurableFiles(folder), startParams: durably })
}

/** A database for a look at something, made in an empty folder that is removed afterwards: it does not wait for the disk. */
export function openScratch(folder: string): Promise<PGlite> {
  return start({ fs: new NodeFS(folder) })
}

/** Where the embedded database lies in a data folder. */
export function databaseFolder(dataFolder: string): string {
  return join(dataFolder, 'database')
}

/** Whether there is a database in `folder`. */
export function isDatabase(folder: string): Promise<boolean> {
  return exists(join(folder, 'PG_VERSION'))
}

/** Made beside its place and moved there when it is whole and on the disk, so that a crash leaves all of it or nothing. */
async function create(folder: string): Promise<void> {
  const draft = `${folder}.new`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  const pglite = await start({ fs: new NodeFS(draft) })
  await pglite.close()
  await syncTree(draft)
  await rename(draft, folder)
  syncFolder(dirname(folder))
}

async function start(options: PGliteOptions): Promise<PGlite> {
  let said = ''
  const onStderr = (line: string) => {
    said = `${said}\n${line}`.slice(-2000)
    return false
  }
  try {
    return await PGlite.create({ ...options, onStderr })
  } catch (error) {
    throw new Error(`The embedded database does not start: ${String(error)}${said}`, { cause: error })
  }
}

async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await syncTree(path)
    else await syncFile(path)
  }
  syncFolder(folder)
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.sync()
  await file.close()
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
}
