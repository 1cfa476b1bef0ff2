import { Readable } from 'node:stream'
import type { Draft, Drafts } from './drafts.ts'

/** Bytes from `start` to `end`, both included. */
export type ByteRange = { start: number; end: number }

/** How a bucket that serves files by itself should serve this one; our own answers say it anew. */
export type BlobMeta = { contentType: string }

export type BlobStat = { size: number; modifiedAt: Date }

/**
 * Where uploaded bytes are. A blob's key is the SHA-256 of its bytes, 64 hexadecimal digits: nothing that a caller
 * names is ever part of a path, equal bytes are one blob, and a blob never changes. All refuse with UNAVAILABLE when
 * the disk or the bucket does not do what it is asked.
 */
export type Blobs = {
  /** Unfinished files on a disk of this node. */
  drafts: Drafts
  /** Keeps a finished draft, whole or not at all. The draft stays. A blob that is there is left as it is. */
  put(draft: Pick<Draft, 'path' | 'size' | 'sha256'>, meta: BlobMeta): Promise<void>
  /** The bytes, or null where there is no such blob. Whoever does not read to the end destroys the stream. */
  open(key: string, range?: ByteRange): Promise<Readable | null>
  stat(key: string): Promise<BlobStat | null>
  /** No error where there is none. */
  remove(key: string): Promise<void>
  /** All blobs, by key ascending. */
  list(): AsyncIterable<BlobStat & { key: string }>
}

const keyPattern = /^[0-9a-f]{64}$/

/** The last guard: whatever a caller of the store has got wrong, no other name reaches a disk or a bucket. */
export function refuseOtherKey(key: string): void {
  if (!keyPattern.test(key)) throw new Error('A blob is named by the SHA-256 of its bytes and by nothing else.')
}

/** An empty range of an empty blob cannot be asked of a store. */
export function noBytes(): Readable {
  return Readable.from([])
}
