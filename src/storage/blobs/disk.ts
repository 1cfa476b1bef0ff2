import { access, constants, link, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { syncFolder } from '../sync-folder.ts'
import { type BlobStat, type Blobs, checkBlobKey, noBytes } from './blobs.ts'
import { draftsIn } from './drafts.ts'
import { storeUnavailable } from './fault.ts'

/**
 * Blobs in a folder: `blobs/ab/abcdef...`, and drafts beside them, so that a draft becomes a blob by one more name for
 * the same bytes. Needs a file system with hard links.
 */
export function diskBlobs(folder: string): Blobs {
  const root = join(folder, 'blobs')
  const blobPath = (key: string): string => {
    checkBlobKey(key)
    return join(root, key.slice(0, 2), key)
  }
  return {
    place: { kind: 'folder', folder },
    ping: async () => {
      await mkdir(root, { recursive: true, mode: 0o700 })
      await access(root, constants.R_OK | constants.W_OK)
    },
    drafts: draftsIn(join(folder, 'drafts')),
    put: async ({ path, sha256 }) => {
      const target = blobPath(sha256)
      try {
        await mkdir(dirname(target), { recursive: true, mode: 0o700 })
        await link(path, target)
        // The names of the file and of its folder are on the disk before anybody learns of the blob.
        for (const changed of [dirname(target), root]) syncFolder(changed)
      } catch (error) {
        if (!isCode(error, 'EEXIST')) throw storeUnavailable('keep a file', error)
      }
    },
    open: async (key, range) => {
      const path = blobPath(key)
      try {
        return await openStream(path, range)
      } catch (error) {
        if (isCode(error, 'ENOENT')) return null
        throw storeUnavailable('read a file', error)
      }
    },
    stat: async (key) => blobStat(blobPath(key)),
    remove: async (key) => {
      const path = blobPath(key)
      await rm(path, { force: true }).catch((error) => {
        throw storeUnavailable('remove a file', error)
      })
    },
    list: () => listed(root),
  }
}

async function openStream(path: string, range: { start: number; end: number } | undefined): Promise<Readable> {
  if (range !== undefined && range.end < range.start) return noBytes()
  // Opened here, so that a missing file is known before the answer begins.
  const file = await open(path, 'r')
  return file.createReadStream({ ...range, highWaterMark: 256 * 1024 })
}

async function* listed(root: string): AsyncGenerator<BlobStat & { key: string }> {
  for (const prefix of await namesIn(root)) {
    for (const key of await namesIn(join(root, prefix))) {
      const known = await blobStat(join(root, prefix, key))
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

async function blobStat(path: string): Promise<BlobStat | null> {
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
