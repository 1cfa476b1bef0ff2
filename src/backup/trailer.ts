import { createHmac, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Secrets } from '../storage/secrets.ts'

// The end of a backup file: a gzip member with one stored block, so that `zcat` shows it and its bytes are the same on
// every platform. It holds the hash of everything before it, which finds accidents, and an HMAC of that hash under a key
// derived from the master key, which finds changes by anybody who does not have that key.

export type Trailer = { sha256: string; hmac: string | null }

/** Seals backups with one master key, and knows those that it sealed. */
export type BackupSeal = {
  /** What the manifest of a backup made with the same master key says. */
  masterKeyCheck: string
  hmac(sha256: string): string
}

export function createBackupSeal(secrets: Secrets): BackupSeal {
  const key = secrets.derive('backup/1')
  return { masterKeyCheck: secrets.check, hmac: (sha256) => createHmac('sha256', key).update(sha256).digest('hex') }
}

export function isSealedBy(seal: BackupSeal, { sha256, hmac }: Trailer): boolean {
  return hmac !== null && timingSafeEqual(Buffer.from(hmac), Buffer.from(seal.hmac(sha256)))
}

export function trailerBytes({ sha256, hmac }: Trailer): Buffer {
  const text = Buffer.from(`${JSON.stringify(hmac === null ? { sha256 } : { sha256, hmac })}\n`)
  const head = Buffer.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255) // deflate; no name, no time, no system
  const block = Buffer.from([1, 0, 0, 0, 0])
  block.writeUInt16LE(text.length, 1)
  block.writeUInt16LE(~text.length & 0xffff, 3)
  const tail = Buffer.alloc(8)
  tail.writeUInt32LE(crc32(text), 0)
  tail.writeUInt32LE(text.length, 4)
  return Buffer.concat([head, block, text, tail])
}

const noHash = '0'.repeat(64)
const kinds = [
  { sha256: noHash, hmac: noHash },
  // Written with `--unsealed`, or by a version from before backups were sealed.
  { sha256: noHash, hmac: null },
]
export const trailerBytesMax = Math.max(...kinds.map((kind) => trailerBytes(kind).length))

/** The trailer that a file ends with, and its length; null if the file ends with none. */
export function readTrailer(end: Buffer): { trailer: Trailer; length: number } | null {
  for (const kind of kinds) {
    const pattern = trailerBytes(kind)
    const found = end.subarray(-pattern.length)
    const trailer = { sha256: hexAfter(found, '"sha256":"'), hmac: kind.hmac && hexAfter(found, '"hmac":"') }
    // Compared as a whole: no byte of it may be different.
    if (trailerBytes(trailer).equals(found)) return { trailer, length: found.length }
  }
  return null
}

function hexAfter(bytes: Buffer, label: string): string {
  const start = bytes.indexOf(label) + label.length
  return bytes.subarray(start, start + noHash.length).toString('latin1')
}
