import { createHash, randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../kernel/refusal.ts'
import { storeUnavailable } from './fault.ts'

/** A finished file that is no blob yet, on the disk to its last byte. */
export type Draft = { path: string; size: number; sha256: string }

export type Drafts = {
  /** Writes what comes; removed again when the source or the disk fails, and the failure is passed on. */
  write(source: AsyncIterable<Uint8Array>): Promise<Draft>
  remove(draft: Pick<Draft, 'path'>): Promise<void>
  /** Removes what an ended process has left; says how many. */
  removeOlder(than: Date): Promise<number>
}

/** @param folder is made where it is missing, at the first draft. */
export function draftsIn(folder: string): Drafts {
  const remove = (path: string) => rm(path, { force: true })
  return {
    write: async (source) => {
      const path = join(folder, randomBytes(16).toString('hex'))
      const file = await opened(folder, path)
      try {
        const written = await writeAll(file, source)
        await file.sync().catch(failed)
        return { path, ...written }
      } catch (error) {
        await remove(path)
        throw error
      } finally {
        await file.close()
      }
    },
    remove: ({ path }) => remove(path),
    removeOlder: async (than) => {
      const names = await readdir(folder).catch(() => [])
      const old = await Promise.all(names.map((name) => isOlder(join(folder, name), than)))
      const paths = names.filter((_, index) => old[index]).map((name) => join(folder, name))
      await Promise.all(paths.map(remove))
      return paths.length
    },
  }
}

async function opened(folder: string, path: string): Promise<FileHandle> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return await open(path, 'wx', 0o600)
  } catch (error) {
    throw storeUnavailable('take a file', error)
  }
}

async function writeAll(
  file: FileHandle,
  source: AsyncIterable<Uint8Array>,
): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of source) {
    hash.update(chunk)
    // One write may take a part alone where the disk is nearly full.
    for (let from = 0; from < chunk.length; ) {
      const { bytesWritten } = await file.write(chunk, from).catch(failed)
      from += bytesWritten
    }
    size += chunk.length
  }
  return { size, sha256: hash.digest('hex') }
}

function failed(error: unknown): never {
  throw error instanceof Refusal ? error : storeUnavailable('write a file', error)
}

async function isOlder(path: string, than: Date): Promise<boolean> {
  // Its upload may have ended it meanwhile.
  return stat(path).then(
    ({ mtime }) => mtime < than,
    () => false,
  )
}
