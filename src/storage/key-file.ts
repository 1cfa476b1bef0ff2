import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** The format of a key: in words, as a parser (undefined: invalid), and how to make a new one. */
export type KeyFormat = { allowed: string; read(text: string): unknown; make(): string }

/**
 * Reads a key of this installation from its file in the data folder, or creates the file at the first start (0600, on disk
 * before the key is used). Two processes that start at once get the same key.
 */
export async function loadOrCreateKey(
  folder: string,
  name: string,
  format: KeyFormat,
): Promise<{ value: string; isNew: boolean }> {
  const path = join(folder, name)
  const known = await readKeyFile(path, format)
  if (known !== null) return { value: known, isNew: false }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${format.make()}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  // `link` fails if the name exists: the second process then reads the key of the first.
  const isFirst = await link(draft, path).then(
    () => true,
    () => false,
  )
  await rm(draft)
  const value = await readKeyFile(path, format)
  if (value === null)
    throw new Error(
      `The key could not be written to ${path}. Is the folder writable, and on a file system with hard links?`,
    )
  return { value, isNew: isFirst }
}

/** The key in the file, or null if there is no such file. */
export async function readKeyFile(path: string, format: Pick<KeyFormat, 'allowed' | 'read'>): Promise<string | null> {
  try {
    const text = (await readFile(path, 'utf8')).trim()
    // A key that is cut short or in another notation would silently be a weaker key.
    if (format.read(text) === undefined) {
      throw new Error(
        `The key in ${path} must be ${format.allowed}. Restore the file, or remove it to have a new key made.`,
      )
    }
    return text
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
