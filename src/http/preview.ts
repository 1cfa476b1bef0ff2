import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../storage/secrets.ts'

/** Issues and checks tokens that allow viewing one object until a time. Nothing is stored. */
export type PreviewTokens = {
  issue(id: string, expiresAt: Date): string
  /** Whether the token is for this object and has not expired. */
  isValid(token: string | undefined, id: string, now: Date): boolean
}

/** @param purpose of the key: a token for one kind of object does not work for another. */
export function previewTokens(secrets: Secrets, purpose: string): PreviewTokens {
  const key = secrets.derive(purpose)
  const sign = (id: string, expiryMs: string) =>
    createHmac('sha256', key).update(`${id} ${expiryMs}`).digest('base64url')
  return {
    issue: (id, expiresAt) => {
      const expiryMs = expiresAt.getTime().toString(36)
      return `${expiryMs}.${sign(id, expiryMs)}`
    },
    isValid: (token = '', id, now) => {
      const [, expiryMs = '', signature = ''] = /^([0-9a-z]{1,10})\.([\w-]{43})$/.exec(token) ?? []
      const expected = Buffer.from(sign(id, expiryMs))
      const isSigned = timingSafeEqual(expected, Buffer.from(signature.padEnd(expected.length, '=')))
      return isSigned && now.getTime() < Number.parseInt(expiryMs, 36)
    },
  }
}

/** For answers to callers with a token: not cached, and not indexed by search engines. */
export const previewHeaders = { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' }
