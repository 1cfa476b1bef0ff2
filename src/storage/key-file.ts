import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** What a key has to be, in words and as a check, and how a new one is made. */
export type KeyFormat = { allowed: string; read(text: string): unknown; make(): string }

/**
 * A key of this installation: read from its file in the data folder, or made there at the first start (0600, on disk
 * before it is used). Two processes that start at once end with the same key.
 */
export async function loadOrCreateKey(
  folder: string,
  name: string,
  form: KeyFormat,
): Promise<{ value: string; isNew: boolean }> {
  const path = join(folder, name)
  const known = await readKeyFile(path, form)
  if (known !== null) return { value: known, isNew: false }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${form.make()}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  // A link fails where the name exists: whoever comes second reads what the first one made.
  const isFirst = await link(draft, path).then(
    () => true,
    () => false,
  )
  await rm(draft)
  const value = await readKeyFile(path, form)
  if (value === null)
    throw new Error(`The key could not be kept in ${path}: is the folder writable, on a file system with links?`)
  return { value, isNew: isFirst }
}

/** The key of that name, or null where none has been made. */
export async function readKeyFile(path: string, form: Pick<KeyFormat, 'allowed' | 'read'>): Promise<string | null> {
  try {
    const text = (await readFile(path, 'utf8')).trim()
    // A key cut short or in another notation would be a weaker key without a word.
    if (form.read(text) === undefined) {
      throw new Error(
        `The key in ${path} must be ${form.allowed}. Put it back, or remove the file to have a new one made.`,
      )
    }
    return text
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
