import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../storage/secrets.ts'

/** Signs the right to see one thing until a moment, and knows its own signature again. Nothing of it is stored. */
export type PreviewTokens = {
  issue(id: string, expiresAt: Date): string
  /** Whether the token is for this thing and has not expired. */
  isValid(token: string | undefined, id: string, now: Date): boolean
}

/** @param purpose of the key: a token for one kind of thing is none for another. */
export function previewTokens(secrets: Secrets, purpose: string): PreviewTokens {
  const key = secrets.derive(purpose)
  const signatureOf = (id: string, expiryMs: string) =>
    createHmac('sha256', key).update(`${id} ${expiryMs}`).digest('base64url')
  return {
    issue: (id, expiresAt) => {
      const expiryMs = expiresAt.getTime().toString(36)
      return `${expiryMs}.${signatureOf(id, expiryMs)}`
    },
    isValid: (token = '', id, now) => {
      const [, expiryMs = '', signature = ''] = /^([0-9a-z]{1,10})\.([\w-]{43})$/.exec(token) ?? []
      const expected = Buffer.from(signatureOf(id, expiryMs))
      const isSigned = timingSafeEqual(expected, Buffer.from(signature.padEnd(expected.length, '=')))
      return isSigned && now.getTime() < Number.parseInt(expiryMs, 36)
    },
  }
}

/** Of an answer to who has a token: no cache keeps it, and no search engine shows it. */
export const previewHeaders = { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' }
