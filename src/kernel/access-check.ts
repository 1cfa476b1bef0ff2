import type { RefusalCode } from './refusal.ts'

/** The checks before a use of a license, in their order. */
export const accessChecks = [
  'KEY_KNOWN',
  'KEY_ACTIVE',
  'TENANT_ACTIVE',
  'PRODUCT_ON_KEY',
  'USER_KNOWN',
  'USER_ACTIVE',
  'USER_PRODUCT',
  'LICENSE_KNOWN',
  'LICENSE_OF_TENANT',
  'LICENSE_PRODUCT',
  'LICENSE_NOT_REVOKED',
  'LICENSE_NOT_EXPIRED',
  'LICENSE_USES_LEFT',
] as const
export type AccessCheckName = (typeof accessChecks)[number]

/** `passed` is null if the check was not needed, or not possible because an earlier one failed. `code` is the caller's refusal. */
export type AccessCheck = { check: AccessCheckName; passed: boolean | null; code: RefusalCode | null; detail: string }

export function checkPassed(check: AccessCheckName, detail: string): AccessCheck {
  return { check, passed: true, code: null, detail }
}

export function checkFailed(check: AccessCheckName, code: RefusalCode, detail: string): AccessCheck {
  return { check, passed: false, code, detail }
}

export function checkSkipped(check: AccessCheckName, detail: string): AccessCheck {
  return { check, passed: null, code: null, detail: `Skipped: ${detail}` }
}
