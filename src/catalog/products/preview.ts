import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../../storage/secrets.ts'

/** Signs the right to see one product until a moment, and knows its own signature again. */
export function previewTokens(secrets: Secrets) {
  const key = secrets.derive('catalog/preview/1')
  const signatureOf = (productId: string, expiry: string) =>
    createHmac('sha256', key).update(`${productId} ${expiry}`).digest('base64url')

  return {
    issue: (productId: string, expiresAt: Date): string => {
      const expiry = Math.floor(expiresAt.getTime() / 1000).toString(36)
      return `${expiry}.${signatureOf(productId, expiry)}`
    },

    /** Whether the token is for this product and has not expired. */
    isGood: (token: string, productId: string, now: Date): boolean => {
      const [, expiry = '', signature = ''] = /^([0-9a-z]{1,9})\.([\w-]{43})$/.exec(token) ?? []
      const expected = Buffer.from(signatureOf(productId, expiry))
      const isSigned = timingSafeEqual(expected, Buffer.from(signature.padEnd(expected.length, '=')))
      return isSigned && now.getTime() < Number.parseInt(expiry, 36) * 1000
    },
  }
}

export type PreviewTokens = ReturnType<typeof previewTokens>
