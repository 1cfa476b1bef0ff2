import { link, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { syncFolder } from '../sync-folder.ts'
import { type BlobStat, type Blobs, noBytes, refuseOtherKey } from './blobs.ts'
import { draftsIn } from './drafts.ts'
import { storeUnavailable } from './fault.ts'

/**
 * Blobs in a folder: `blobs/ab/abcdef...`, and drafts beside them, so that a draft becomes a blob by one more name for
 * the same bytes. Needs a file system with hard links.
 */
export function diskBlobs(folder: string): Blobs {
  const root = join(folder, 'blobs')
  const blobPath = (key: string): string => {
    refuseOtherKey(key)
    return join(root, key.slice(0, 2), key)
  }
  return {
    drafts: draftsIn(join(folder, 'drafts')),
    put: async ({ path, sha256 }) => {
      const place = blobPath(sha256)
      try {
        await mkdir(dirname(place), { recursive: true, mode: 0o700 })
        await link(path, place)
        // The name is on the disk before anybody is told of it, and so is the folder's own.
        for (const changed of [dirname(place), root]) syncFolder(changed)
      } catch (error) {
        if (!isCode(error, 'EEXIST')) throw storeUnavailable('keep a file', error)
      }
    },
    open: async (key, range) => {
      const place = blobPath(key)
      try {
        return await reading(place, range)
      } catch (error) {
        if (isCode(error, 'ENOENT')) return null
        throw storeUnavailable('read a file', error)
      }
    },
    stat: async (key) => statOf(blobPath(key)),
    remove: async (key) => {
      const place = blobPath(key)
      await rm(place, { force: true }).catch((error) => {
        throw storeUnavailable('remove a file', error)
      })
    },
    list: () => listed(root),
  }
}

async function reading(path: string, range: { start: number; end: number } | undefined): Promise<Readable> {
  if (range !== undefined && range.end < range.start) return noBytes()
  // Opened here, so that a missing file is known before the answer begins.
  const file = await open(path, 'r')
  return file.createReadStream({ ...range, highWaterMark: 256 * 1024 })
}

async function* listed(root: string): AsyncGenerator<BlobStat & { key: string }> {
  for (const shelf of await namesIn(root)) {
    for (const key of await namesIn(join(root, shelf))) {
      const known = await statOf(join(root, shelf, key))
      if (known !== null) yield { key, ...known }
    }
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    if (isCode(error, 'ENOENT')) return []
    throw storeUnavailable('list its files', error)
  }
}

async function statOf(path: string): Promise<BlobStat | null> {
  try {
    const { size, mtime } = await stat(path)
    return { size, modifiedAt: mtime }
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw storeUnavailable('look for a file', error)
  }
}

function isCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code
}
