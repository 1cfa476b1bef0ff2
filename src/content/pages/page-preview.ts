import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../../storage/secrets.ts'

/** Tokens that show the draft of one page for a while to whoever has the link. Nothing of them is stored. */
export type Previews = {
  tokenFor(pageId: string, expiresAt: Date): string
  /** The page that the token opens now; null for any text that is no such token. */
  open(token: string, now: Date): string | null
}

const idBytes = 16
const momentBytes = 6 // milliseconds, enough until the year 10889
const macBytes = 32

/** `id | expiry in ms | HMAC-SHA256 of both`, in base64url. The key is of no other use. */
export function previewsOf(secrets: Secrets): Previews {
  const key = secrets.derive('content/page-preview/1')
  const macOf = (content: Buffer) => createHmac('sha256', key).update(content).digest()
  return {
    tokenFor: (pageId, expiresAt) => {
      const content = Buffer.alloc(idBytes + momentBytes)
      content.write(pageId.replaceAll('-', ''), 'hex')
      content.writeUIntBE(expiresAt.getTime(), idBytes, momentBytes)
      return Buffer.concat([content, macOf(content)]).toString('base64url')
    },
    open: (token, now) => {
      const bytes = Buffer.from(token, 'base64url')
      if (bytes.length !== idBytes + momentBytes + macBytes) return null
      const content = bytes.subarray(0, idBytes + momentBytes)
      if (!timingSafeEqual(macOf(content), bytes.subarray(idBytes + momentBytes))) return null
      if (content.readUIntBE(idBytes, momentBytes) <= now.getTime()) return null
      const hex = content.toString('hex', 0, idBytes)
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    },
  }
}
