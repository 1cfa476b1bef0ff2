import { hash } from 'node:crypto'

const blockBytes = 64
const hashBytes = 32
/** More of a text makes no difference; a character has three bytes at most. */
const textLengthMax = 640

/** Makes of who somebody is what is kept: 32 hexadecimal digits. */
export type VisitorHash = (text: string) => string

/**
 * HMAC-SHA-256 (RFC 2104), its first 16 bytes. Over one-shot hashes in memory of its own, because every visit needs one
 * and `createHmac` takes its key anew for each text: ten times as long.
 */
export function visitorHashOf(key: Buffer): VisitorHash {
  if (key.length > blockBytes) throw new Error('A key has 64 bytes at most.')
  const inner = Buffer.alloc(blockBytes + 3 * textLengthMax)
  const outer = Buffer.alloc(blockBytes + hashBytes)
  for (let index = 0; index < blockBytes; index++) {
    const byte = key[index] ?? 0
    inner[index] = byte ^ 0x36
    outer[index] = byte ^ 0x5c
  }
  return (text) => {
    const end = blockBytes + inner.write(text.slice(0, textLengthMax), blockBytes)
    outer.write(hash('sha256', inner.subarray(0, end), 'binary'), blockBytes, 'binary')
    return hash('sha256', outer).slice(0, 32)
  }
}
