import { hash } from 'node:crypto'

const blockBytes = 64
const hashBytes = 32

/** Makes of who somebody is what is kept: 32 hexadecimal digits. */
export type VisitorHash = (text: string) => string

/**
 * HMAC-SHA-256 (RFC 2104), its first 16 bytes. Over one-shot hashes, because `createHmac` takes its key anew for each
 * text and costs ten times as much.
 */
export function visitorHashOf(key: Buffer): VisitorHash {
  if (key.length > blockBytes) throw new Error('A key has 64 bytes at most.')
  const block = Buffer.concat([key, Buffer.alloc(blockBytes - key.length)])
  const inner = block.map((byte) => byte ^ 0x36)
  const outer = Buffer.concat([block.map((byte) => byte ^ 0x5c), Buffer.alloc(hashBytes)])
  return (text) => {
    hash('sha256', Buffer.concat([inner, Buffer.from(text)]), 'buffer').copy(outer, blockBytes)
    return hash('sha256', outer).slice(0, 32)
  }
}
