import { constants } from 'node:fs'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Readable by the owner only: the files hold keys and tokens. */
const mode = 0o600

/** A folder with atomic writes: after a power failure each file holds its old or its new text. */
export type Folder = {
  path(name: string): string
  /** Undefined if the file does not exist. */
  read(name: string): Promise<string | undefined>
  write(name: string, text: string): Promise<void>
  /** Flushed to disk when it resolves. */
  append(name: string, text: string): Promise<void>
  remove(name: string): Promise<void>
  /** A file that exists only while `use` runs. `wg` needs a file, because Node's pipes are sockets. */
  withTemporaryFile<T>(text: string, use: (path: string) => Promise<T>): Promise<T>
}

export async function openFolder(root: string): Promise<Folder> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  let temporaryFiles = 0
  const path = (name: string) => join(root, name)
  const remove = (name: string) => rm(path(name), { force: true })
  return {
    path,
    remove,
    read: async (name) => {
      try {
        return await readFile(path(name), 'utf8')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    write: async (name, text) => {
      await put(path(`${name}.new`), text, 'w')
      await rename(path(`${name}.new`), path(name))
      await syncFolder(dirname(path(name)))
    },
    append: (name, text) => put(path(name), text, 'a'),
    withTemporaryFile: async (text, use) => {
      const name = `temporary-${process.pid}-${temporaryFiles++}`
      const handle = await open(path(name), 'wx', mode)
      try {
        await handle.writeFile(text)
        await handle.close()
        return await use(path(name))
      } finally {
        await remove(name)
      }
    },
  }
}

async function put(path: string, text: string, flags: 'w' | 'a'): Promise<void> {
  const handle = await open(path, flags, mode)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A rename is durable once its folder is flushed. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY)
  await handle.sync().finally(() => handle.close())
}
