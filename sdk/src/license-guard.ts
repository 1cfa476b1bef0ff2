import { LicenseError, type LicenseErrorCode } from './errors.ts'
import type { LicenseVerdict } from './generated/schemas.ts'

const refusals: Record<Exclude<LicenseVerdict['code'], 'VALID'>, [code: LicenseErrorCode, message: string]> = {
  NOT_FOUND: ['LICENSE_REQUIRED', 'There is no such license.'],
  PRODUCT_MISMATCH: ['LICENSE_REQUIRED', 'The license is for another product.'],
  REVOKED: ['LICENSE_REVOKED', 'The license was revoked.'],
  EXPIRED: ['LICENSE_EXPIRED', 'The license has expired.'],
  USES_EXHAUSTED: ['LICENSE_EXHAUSTED', 'The license has no uses left.'],
}

/** Throws LicenseError unless the license is valid. */
export function requireValid(verdict: LicenseVerdict): LicenseVerdict {
  if (verdict.code === 'VALID') return verdict
  const [code, message] = refusals[verdict.code]
  throw new LicenseError({ code, message, status: 403 })
}
