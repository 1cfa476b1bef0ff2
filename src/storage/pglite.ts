import { fsyncSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { MemoryFS, PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { compiledPglite } from './compiled-pglite.ts'
import { syncFolder } from './sync-folder.ts'

// WebAssembly fills all of PostgreSQL's buffers with zeros at the start, so that they are our memory from then on: its own default is
// 128 MB. What they do not hold is read from the system's cache of files. For reads and writes beside the process, of which there
// are none, PostgreSQL would take 3 MB.
// An analysis of a table holds the event loop, for some 70 ms if each row has a text vector of 120 terms. With PostgreSQL's own
// default of 100, which reads ten times as many rows, it would be some 350 ms.
const leanParams = [
  ...PGlite.defaultStartParams,
  ...['-c', 'shared_buffers=16MB', '-c', 'io_max_concurrency=1', '-c', 'default_statistics_target=10'],
]

// PGlite is started with fsync off (`-F`), and with `fdatasync`, the usual method, its file layer has nothing to call.
const durableParams = [
  ...leanParams.filter((parameter) => parameter !== '-F'),
  ...['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'],
]

// Where PGlite looks for its files.
const pgliteData = '/pglite/data'

// POSIX's EIO as WASI numbers it.
const wasiEio = 29

/** The files of a database that was shut down. Paths are relative; a folder comes before those inside it. */
export type DatabaseFiles = { folders: string[]; files: { path: string; bytes: Uint8Array }[] }

type EmscriptenStream = { nfd?: number; node: object }
type EmscriptenModule = {
  FS: {
    ErrnoError: new (errno: number) => Error
    mkdirTree(path: string, mode: number): void
    writeFile(path: string, bytes: Uint8Array, options: { canOwn: boolean }): void
  }
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

/** PGlite's files in memory, at first a copy of those given. */
class CopiedFiles extends MemoryFS {
  private readonly copied: DatabaseFiles

  constructor(copied: DatabaseFiles) {
    super()
    this.copied = copied
  }

  override async init(...[pglite, options]: Parameters<MemoryFS['init']>) {
    const { emscriptenOpts } = await super.init(pglite, options)
    const addFiles = (module: unknown) => {
      const { FS } = module as EmscriptenModule
      FS.mkdirTree(pgliteData, 0o700)
      for (const path of this.copied.folders) FS.mkdirTree(join(pgliteData, path), 0o700)
      // A copy, which the file system may keep: two databases would write into the same bytes.
      for (const { path, bytes } of this.copied.files)
        FS.writeFile(join(pgliteData, path), new Uint8Array(bytes), { canOwn: true })
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addFiles] } }
  }
}

// A new file of the write-ahead log is made at its full size of 16 MB. Written bit by bit, the file in memory would be copied each
// time it grows.
const inMemoryParams = [...leanParams, '-c', 'shared_buffers=8MB', '-c', 'wal_init_zero=off']

export type Extensions = NonNullable<PGliteOptions['extensions']>

/** A database in memory for tests, at first with a copy of these files. `extensions` can be created there. */
export function openMemory(copied: DatabaseFiles, extensions: Extensions = {}): Promise<PGlite> {
  return start({ fs: new CopiedFiles(copied), startParams: inMemoryParams, extensions })
}

/** The major version of PGlite's PostgreSQL: it reads no files of another one. */
const embeddedVersion = '18'

/** The database in `folder`, which must be there. What was committed is on the disk. */
export async function openFolder(folder: string): Promise<PGlite> {
  await requireVersion(folder)
  return start({ fs: new DurableFiles(folder), startParams: durableParams })
}

// Otherwise files of the log that are no longer needed are kept for later.
const scratchParams = [...leanParams, '-c', 'wal_recycle=off']

/** The database in `folder`, made there if the folder is empty; it does not wait for the disk. */
export function openScratch(folder: string): Promise<PGlite> {
  return start({ fs: new NodeFS(folder), startParams: scratchParams })
}

/** A copy of a database, in `folder`, that is only read and soon gone: its files are not synced one by one. */
export async function openCopy(folder: string): Promise<PGlite> {
  await requireVersion(folder)
  return openScratch(folder)
}

async function requireVersion(folder: string): Promise<void> {
  const version = (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim()
  if (version !== embeddedVersion)
    throw new Error(
      `The embedded database does not start: its files are of PostgreSQL ${version}, and this version of Atrium brings ` +
        `PostgreSQL ${embeddedVersion}. Make a backup with the version of Atrium that wrote them, and restore it with this one: docs/upgrades.md.`,
    )
}

/** The folder of the embedded database in a data folder. */
export function databaseFolder(dataFolder: string): string {
  return join(dataFolder, 'database')
}

/** Whether there is a database in `folder`. */
export function isDatabase(folder: string): Promise<boolean> {
  return exists(join(folder, 'PG_VERSION'))
}

async function start(options: PGliteOptions): Promise<PGlite> {
  let output = ''
  const onStderr = (line: string) => {
    output = `${output}\n${line}`.slice(-2000)
    return false
  }
  const compiled = compiledPglite()
  try {
    return await PGlite.create({ ...options, onStderr, ...(compiled && { pgliteWasmModule: compiled }) })
  } catch (error) {
    throw new Error(`The embedded database does not start: ${String(error)}${output}`, { cause: error })
  }
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
