import { Readable } from 'node:stream'
import type { Draft, Drafts } from './drafts.ts'

/** Bytes from `start` to `end`, both included. */
export type ByteRange = { start: number; end: number }

/** How a bucket that serves files itself should serve this one. Our own answers set it separately. */
export type BlobMeta = { contentType: string }

export type BlobStat = { size: number; modifiedAt: Date }

/** Where the blobs lie. */
export type BlobPlace = { kind: 'folder'; folder: string } | { kind: 'bucket'; bucket: string; endpoint: string }

/**
 * The store of uploaded bytes. A blob's key is the SHA-256 of its bytes, 64 hexadecimal digits: nothing that a caller names
 * is ever part of a path, equal bytes are one blob, and a blob never changes. All functions refuse UNAVAILABLE if the disk
 * or the bucket fails.
 */
export type Blobs = {
  place: BlobPlace
  /** Rejects if the disk cannot be written, or if the bucket does not answer. */
  ping(): Promise<unknown>
  /** Unfinished files on a disk of this node. */
  drafts: Drafts
  /** Stores a finished draft, whole or not at all. The draft stays. An existing blob is left as it is. */
  put(draft: Pick<Draft, 'path' | 'size' | 'sha256'>, meta: BlobMeta): Promise<void>
  /** The bytes, or null if there is no such blob. A caller that does not read to the end must destroy the stream. */
  open(key: string, range?: ByteRange): Promise<Readable | null>
  stat(key: string): Promise<BlobStat | null>
  /** No error if there is none. */
  remove(key: string): Promise<void>
  /** All blobs, ordered by key. */
  list(): AsyncIterable<BlobStat & { key: string }>
}

const keyPattern = /^[0-9a-f]{64}$/

/** The last check: whatever mistake a caller makes, no other name reaches a disk or a bucket. */
export function checkBlobKey(key: string): void {
  if (!keyPattern.test(key)) throw new Error('The key of a blob must be the SHA-256 of its bytes.')
}

/** The empty range of an empty blob, which cannot be requested from a store. */
export function noBytes(): Readable {
  return Readable.from([])
}
