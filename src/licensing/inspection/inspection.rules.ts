import {
  type AccessCheck,
  type AccessCheckName,
  checkFailed,
  checkPassed,
  checkSkipped,
} from '../../kernel/access-check.ts'
import { type License, remainingUses } from '../licenses/license.rules.ts'

type Inspected = {
  license: License
  product: string | null
  caller: { tenantId: string; keyProducts: string[] } | null
  now: Date
}

const afterKnown = [
  'LICENSE_OF_TENANT',
  'LICENSE_PRODUCT',
  'LICENSE_NOT_REVOKED',
  'LICENSE_NOT_EXPIRED',
  'LICENSE_USES_LEFT',
] as const satisfies AccessCheckName[]

export function noLicenseChecks(reason: string): AccessCheck[] {
  return [checkSkipped('LICENSE_KNOWN', reason), ...afterKnown.map((check) => checkSkipped(check, reason))]
}

export function unknownLicenseChecks(detail: string): AccessCheck[] {
  const reason = 'the license is not known.'
  return [
    checkFailed('LICENSE_KNOWN', 'LICENSE_REQUIRED', detail),
    ...afterKnown.map((check) => checkSkipped(check, reason)),
  ]
}

/** All checks with their results. `checkLicense` gives only the first failure. */
export function licenseChecks(inspected: Inspected): AccessCheck[] {
  const { license } = inspected
  return [
    checkPassed('LICENSE_KNOWN', `${license.plan} license ${license.id}.`),
    ownerCheck(inspected),
    productCheck(inspected),
    revocationCheck(license),
    expiryCheck(inspected),
    usesCheck(license),
  ]
}

function ownerCheck({ license, caller }: Inspected): AccessCheck {
  if (caller === null) return checkSkipped('LICENSE_OF_TENANT', 'the key is not known.')
  return license.tenantId === caller.tenantId
    ? checkPassed('LICENSE_OF_TENANT', 'The license belongs to the tenant of the key.')
    : checkFailed('LICENSE_OF_TENANT', 'LICENSE_REQUIRED', `The license belongs to tenant ${license.tenantId}.`)
}

/** Checks the given product, or otherwise the products of the key. */
function productCheck({ license, product, caller }: Inspected): AccessCheck {
  if (product === null && caller === null)
    return checkSkipped('LICENSE_PRODUCT', 'no product was given and the key is not known.')
  const isRight = product === null ? caller?.keyProducts.includes(license.product) : license.product === product
  const detail = `The license is for ${license.product}.`
  return isRight ? checkPassed('LICENSE_PRODUCT', detail) : checkFailed('LICENSE_PRODUCT', 'LICENSE_REQUIRED', detail)
}

function revocationCheck({ revokedAt }: License): AccessCheck {
  return revokedAt === null
    ? checkPassed('LICENSE_NOT_REVOKED', 'Not revoked.')
    : checkFailed('LICENSE_NOT_REVOKED', 'LICENSE_REVOKED', `Revoked at ${revokedAt.toISOString()}.`)
}

function expiryCheck({ license: { expiresAt }, now }: Inspected): AccessCheck {
  if (expiresAt === null) return checkPassed('LICENSE_NOT_EXPIRED', 'Never expires.')
  const at = expiresAt.toISOString()
  return expiresAt > now
    ? checkPassed('LICENSE_NOT_EXPIRED', `Expires at ${at}.`)
    : checkFailed('LICENSE_NOT_EXPIRED', 'LICENSE_EXPIRED', `Expired at ${at}.`)
}

function usesCheck(license: License): AccessCheck {
  const remaining = remainingUses(license)
  if (remaining === null) return checkPassed('LICENSE_USES_LEFT', 'Unlimited.')
  const detail = `${remaining} of ${license.maxUses} left.`
  return remaining > 0
    ? checkPassed('LICENSE_USES_LEFT', detail)
    : checkFailed('LICENSE_USES_LEFT', 'LICENSE_EXHAUSTED', detail)
}
