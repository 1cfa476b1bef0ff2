export const plans = ['TRIAL', 'STARTER', 'PRO', 'ENTERPRISE'] as const
export type Plan = (typeof plans)[number]

export const licenseStatuses = ['ACTIVE', 'REVOKED', 'EXPIRED'] as const
export type LicenseStatus = (typeof licenseStatuses)[number]

export const verdictCodes = ['VALID', 'NOT_FOUND', 'REVOKED', 'EXPIRED', 'PRODUCT_MISMATCH', 'USES_EXHAUSTED'] as const
export type VerdictCode = (typeof verdictCodes)[number]

/** What decides whether a license can be used. */
export type LicenseState = { maxUses: number | null; usesCount: number; expiresAt: Date | null; revokedAt: Date | null }

export type License = LicenseState & {
  id: string
  tenantId: string
  product: string
  plan: Plan
  label: string | null
  keySealed: Buffer
  /** The last five characters of the key. */
  keyHint: string
  createdAt: Date
  updatedAt: Date
  lastUsedAt: Date | null
  lastValidatedAt: Date | null
}

/** What a validation needs of a license. */
export type CheckedLicense = LicenseState & Pick<License, 'id' | 'product' | 'plan'>

/** What an administrator can set and change. */
export type Terms = Pick<License, 'plan' | 'maxUses' | 'expiresAt' | 'label'>

/** The uses included in a plan. Null means unlimited; no number can be set then. */
const usesOfPlan: Record<Plan, number | null> = { TRIAL: 5, STARTER: 100, PRO: null, ENTERPRISE: null }

/** `maxUses` of a new license. `requested` is null if the request has no number. */
export function grantedUses(plan: Plan, requested: number | null): number | null {
  return usesOfPlan[plan] === null ? null : (requested ?? usesOfPlan[plan])
}

/** The terms after a partial change. A new plan resets `maxUses` unless the change has a number. */
export function applyTermChanges(current: Terms, changes: Partial<Terms>): Terms {
  const next = { ...current, ...changes }
  if (usesOfPlan[next.plan] === null) return { ...next, maxUses: null }
  const planChanges = next.plan !== current.plan
  return changes.maxUses === undefined && planChanges ? { ...next, maxUses: usesOfPlan[next.plan] } : next
}

/** REVOKED wins over EXPIRED, so that a later `expiresAt` does not revive a revoked license. Expired from the instant of `expiresAt` on. */
export function licenseStatus(
  { revokedAt, expiresAt }: Pick<LicenseState, 'revokedAt' | 'expiresAt'>,
  now: Date,
): LicenseStatus {
  if (revokedAt !== null) return 'REVOKED'
  return expiresAt !== null && expiresAt <= now ? 'EXPIRED' : 'ACTIVE'
}

/** Null means unlimited. Never below 0, although `maxUses` may be set lower than `usesCount`. */
export function remainingUses({ maxUses, usesCount }: Pick<LicenseState, 'maxUses' | 'usesCount'>): number | null {
  return maxUses === null ? null : Math.max(0, maxUses - usesCount)
}

export type Verdict = {
  valid: boolean
  code: VerdictCode
  plan: Plan | null
  /** Null means unlimited; 0 with every code except VALID. */
  usesRemaining: number | null
  expiresAt: Date | null
}

/** Whether a license can be used. `product` is the requested one; null means any product of the API key. */
export function checkLicense(
  license: CheckedLicense | null,
  { now, product, keyProducts }: { now: Date; product: string | null; keyProducts: string[] },
): Verdict {
  // The same answer for an unknown key and for another tenant's key.
  if (license === null) return { valid: false, code: 'NOT_FOUND', plan: null, usesRemaining: 0, expiresAt: null }
  const { plan, expiresAt } = license
  const status = licenseStatus(license, now)
  if (status !== 'ACTIVE') return { valid: false, code: status, plan, usesRemaining: 0, expiresAt }
  if ((product !== null && product !== license.product) || !keyProducts.includes(license.product)) {
    return { valid: false, code: 'PRODUCT_MISMATCH', plan: null, usesRemaining: 0, expiresAt: null }
  }
  const usesRemaining = remainingUses(license)
  if (usesRemaining === 0) return { valid: false, code: 'USES_EXHAUSTED', plan, usesRemaining: 0, expiresAt }
  return { valid: true, code: 'VALID', plan, usesRemaining, expiresAt }
}

export type LicenseRefusal = 'LICENSE_REQUIRED' | 'LICENSE_EXHAUSTED' | 'LICENSE_EXPIRED' | 'LICENSE_REVOKED'

/**
 * Why none of these licenses can be used; null if one can. If there are several reasons, the one that is easiest to fix
 * wins: uses can be added, an expired license can be renewed, a revoked one can only be replaced.
 */
export function whyNotUsable(candidates: LicenseState[], now: Date): LicenseRefusal | null {
  const active = candidates.filter((license) => licenseStatus(license, now) === 'ACTIVE')
  if (active.some((license) => remainingUses(license) !== 0)) return null
  if (active.length > 0) return 'LICENSE_EXHAUSTED'
  if (candidates.some((license) => licenseStatus(license, now) === 'EXPIRED')) return 'LICENSE_EXPIRED'
  return candidates.length > 0 ? 'LICENSE_REVOKED' : 'LICENSE_REQUIRED'
}
