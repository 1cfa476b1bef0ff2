import { type AccessCheck, type AccessCheckName, fails, passes, skipped } from '../../kernel/access-check.ts'
import { type License, usesRemainingOf } from '../licenses/license.rules.ts'

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
  return [skipped('LICENSE_KNOWN', reason), ...afterKnown.map((check) => skipped(check, reason))]
}

export function unknownLicenseChecks(detail: string): AccessCheck[] {
  const reason = 'the license is not known.'
  return [fails('LICENSE_KNOWN', 'LICENSE_REQUIRED', detail), ...afterKnown.map((check) => skipped(check, reason))]
}

/** Each reason by itself, where `judge` tells the first one alone. */
export function licenseChecksOf(inspected: Inspected): AccessCheck[] {
  const { license } = inspected
  return [
    passes('LICENSE_KNOWN', `${license.plan} license ${license.id}.`),
    ownerCheck(inspected),
    productCheck(inspected),
    revocationCheck(license),
    expiryCheck(inspected),
    usesCheck(license),
  ]
}

function ownerCheck({ license, caller }: Inspected): AccessCheck {
  if (caller === null) return skipped('LICENSE_OF_TENANT', 'the key is not known.')
  return license.tenantId === caller.tenantId
    ? passes('LICENSE_OF_TENANT', 'The license and the key have one tenant.')
    : fails('LICENSE_OF_TENANT', 'LICENSE_REQUIRED', `The license belongs to tenant ${license.tenantId}.`)
}

/** The product asked about, else any of the key's. */
function productCheck({ license, product, caller }: Inspected): AccessCheck {
  if (product === null && caller === null) return skipped('LICENSE_PRODUCT', 'neither product nor key is known.')
  const isRight = product === null ? caller?.keyProducts.includes(license.product) : license.product === product
  const detail = `The license is for ${license.product}.`
  return isRight ? passes('LICENSE_PRODUCT', detail) : fails('LICENSE_PRODUCT', 'LICENSE_REQUIRED', detail)
}

function revocationCheck({ revokedAt }: License): AccessCheck {
  return revokedAt === null
    ? passes('LICENSE_NOT_REVOKED', 'Not revoked.')
    : fails('LICENSE_NOT_REVOKED', 'LICENSE_REVOKED', `Revoked at ${revokedAt.toISOString()}.`)
}

function expiryCheck({ license: { expiresAt }, now }: Inspected): AccessCheck {
  if (expiresAt === null) return passes('LICENSE_NOT_EXPIRED', 'Never expires.')
  const at = expiresAt.toISOString()
  return expiresAt > now
    ? passes('LICENSE_NOT_EXPIRED', `Expires at ${at}.`)
    : fails('LICENSE_NOT_EXPIRED', 'LICENSE_EXPIRED', `Expired at ${at}.`)
}

function usesCheck(license: License): AccessCheck {
  const remaining = usesRemainingOf(license)
  if (remaining === null) return passes('LICENSE_USES_LEFT', 'Unlimited.')
  const detail = `${remaining} of ${license.maxUses} left.`
  return remaining > 0 ? passes('LICENSE_USES_LEFT', detail) : fails('LICENSE_USES_LEFT', 'LICENSE_EXHAUSTED', detail)
}
