import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../dist/served', import.meta.url))

/** A file that the build has made; null if it has not. `name` is a path of our own, never a client's. */
export async function readServedFile(name: string): Promise<Buffer | null> {
  try {
    return await readFile(join(root, name))
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null
    throw error
  }
}

/** After `npm ci --omit=dev`, which leaves out what the build needs. */
export const buildMissing = 'It is not built. Run npm ci and npm start in the folder of Atrium.'
