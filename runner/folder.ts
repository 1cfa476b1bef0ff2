import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Readable by the owner only: the files hold the runner's token and words of meetings that are not sent yet. */
const mode = 0o600

/** A folder whose files are replaced in one step. */
export type Folder = {
  path(name: string): string
  names(): Promise<string[]>
  /** Undefined if the file does not exist. */
  read(name: string): Promise<string | undefined>
  write(name: string, text: string): Promise<void>
  append(name: string, text: string): Promise<void>
  /** A file, or a folder with all that is in it. */
  remove(name: string): Promise<void>
}

export async function openFolder(root: string): Promise<Folder> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  const path = (name: string) => join(root, name)
  return {
    path,
    names: () => readdir(root),
    read: async (name) => {
      try {
        return await readFile(path(name), 'utf8')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    write: async (name, text) => {
      await writeFile(path(`${name}.new`), text, { mode, flush: true })
      await rename(path(`${name}.new`), path(name))
    },
    append: (name, text) => appendFile(path(name), text, { mode, flush: true }),
    remove: (name) => rm(path(name), { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  }
}
