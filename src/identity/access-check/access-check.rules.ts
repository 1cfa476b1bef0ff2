import { type AccessCheck, checkFailed, checkPassed, checkSkipped } from '../../kernel/access-check.ts'

/** A key with its tenant, also if either is revoked, suspended or deleted. */
export type CheckedKey = {
  name: string
  keyPrefix: string
  products: string[]
  expiresAt: Date | null
  revokedAt: Date | null
  tenantId: string
  isTenantSuspended: boolean
  isTenantRemoved: boolean
}

const noKey = 'the key is not known.'
/** The checksum at the end of the key does not match. */
const mistyped = 'This is not a valid API key: a character is wrong, missing or too many.'

/** The checks of the key, its tenant and the product. */
export function keyChecks(
  key: CheckedKey | null,
  { product, isMistyped, now }: { product: string | null; isMistyped: boolean; now: Date },
): AccessCheck[] {
  if (key === null) {
    return [
      checkFailed('KEY_KNOWN', 'API_KEY_INVALID', isMistyped ? mistyped : 'No tenant has this key.'),
      checkSkipped('KEY_ACTIVE', noKey),
      checkSkipped('TENANT_ACTIVE', noKey),
      checkSkipped('PRODUCT_ON_KEY', noKey),
    ]
  }
  return [
    checkPassed('KEY_KNOWN', `${key.name} (${key.keyPrefix}...) of tenant ${key.tenantId}.`),
    activityCheck(key, now),
    tenantCheck(key),
    productCheck(key, product),
  ]
}

function activityCheck({ revokedAt, expiresAt }: CheckedKey, now: Date): AccessCheck {
  if (revokedAt !== null) return checkFailed('KEY_ACTIVE', 'API_KEY_INVALID', `Revoked at ${revokedAt.toISOString()}.`)
  if (expiresAt === null) return checkPassed('KEY_ACTIVE', 'Never expires.')
  const at = expiresAt.toISOString()
  return expiresAt <= now
    ? checkFailed('KEY_ACTIVE', 'API_KEY_INVALID', `Expired at ${at}.`)
    : checkPassed('KEY_ACTIVE', `Expires at ${at}.`)
}

function tenantCheck({ isTenantRemoved, isTenantSuspended }: CheckedKey): AccessCheck {
  if (isTenantRemoved) return checkFailed('TENANT_ACTIVE', 'API_KEY_INVALID', 'The tenant was removed.')
  return isTenantSuspended
    ? checkFailed('TENANT_ACTIVE', 'TENANT_SUSPENDED', 'The tenant is suspended.')
    : checkPassed('TENANT_ACTIVE', 'The tenant is active.')
}

function productCheck({ products }: CheckedKey, product: string | null): AccessCheck {
  if (product === null) return checkSkipped('PRODUCT_ON_KEY', 'no product was given.')
  const listed = `The key lists ${products.join(', ')}.`
  return products.includes(product)
    ? checkPassed('PRODUCT_ON_KEY', listed)
    : checkFailed('PRODUCT_ON_KEY', 'PRODUCT_NOT_ALLOWED', listed)
}

/** A user with the products of its tenant. */
export type CheckedUser = { status: 'ACTIVE' | 'SUSPENDED'; tenantProducts: string[] }

/** @param user null if the tenant has no such user */
export function userChecks(user: CheckedUser | null, product: string | null): AccessCheck[] {
  if (user === null) {
    return [
      checkFailed('USER_KNOWN', 'TOKEN_INVALID', 'The tenant has no such user.'),
      checkSkipped('USER_ACTIVE', 'the user is not known.'),
      checkSkipped('USER_PRODUCT', 'the user is not known.'),
    ]
  }
  return [
    checkPassed('USER_KNOWN', 'A user of the tenant.'),
    user.status === 'ACTIVE'
      ? checkPassed('USER_ACTIVE', 'The user is active.')
      : checkFailed('USER_ACTIVE', 'USER_SUSPENDED', 'The user is suspended.'),
    userProductCheck(user, product),
  ]
}

function userProductCheck({ tenantProducts }: CheckedUser, product: string | null): AccessCheck {
  if (product === null) return checkSkipped('USER_PRODUCT', 'no product was given.')
  const listed = `The users of the tenant may use ${tenantProducts.join(', ') || 'nothing'}.`
  return tenantProducts.includes(product)
    ? checkPassed('USER_PRODUCT', listed)
    : checkFailed('USER_PRODUCT', 'PRODUCT_NOT_ALLOWED', listed)
}

export function noUserChecks(reason: string): AccessCheck[] {
  return (['USER_KNOWN', 'USER_ACTIVE', 'USER_PRODUCT'] as const).map((check) => checkSkipped(check, reason))
}
