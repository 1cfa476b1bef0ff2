import { type AccessCheck, fails, passes, skipped } from '../../kernel/access-check.ts'

/** A key with its tenant, whatever became of either. */
export type KeyFound = {
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
/** The checksum at the end of a key says so. */
const mistyped = 'No API key looks like this: a character is wrong, missing or too many.'

/** The gate's questions about the key, its tenant and the product. */
export function keyChecksOf(
  key: KeyFound | null,
  { product, isMistyped, now }: { product: string | null; isMistyped: boolean; now: Date },
): AccessCheck[] {
  if (key === null) {
    return [
      fails('KEY_KNOWN', 'API_KEY_INVALID', isMistyped ? mistyped : 'No tenant has this key.'),
      skipped('KEY_ACTIVE', noKey),
      skipped('TENANT_ACTIVE', noKey),
      skipped('PRODUCT_ON_KEY', noKey),
    ]
  }
  return [
    passes('KEY_KNOWN', `${key.name} (${key.keyPrefix}...) of tenant ${key.tenantId}.`),
    activityOf(key, now),
    tenantCheckOf(key),
    productCheckOf(key, product),
  ]
}

function activityOf({ revokedAt, expiresAt }: KeyFound, now: Date): AccessCheck {
  if (revokedAt !== null) return fails('KEY_ACTIVE', 'API_KEY_INVALID', `Revoked at ${revokedAt.toISOString()}.`)
  if (expiresAt === null) return passes('KEY_ACTIVE', 'Never expires.')
  const at = expiresAt.toISOString()
  return expiresAt <= now
    ? fails('KEY_ACTIVE', 'API_KEY_INVALID', `Expired at ${at}.`)
    : passes('KEY_ACTIVE', `Expires at ${at}.`)
}

function tenantCheckOf({ isTenantRemoved, isTenantSuspended }: KeyFound): AccessCheck {
  if (isTenantRemoved) return fails('TENANT_ACTIVE', 'API_KEY_INVALID', 'The tenant was removed.')
  return isTenantSuspended
    ? fails('TENANT_ACTIVE', 'TENANT_SUSPENDED', 'The tenant is suspended.')
    : passes('TENANT_ACTIVE', 'The tenant is active.')
}

function productCheckOf({ products }: KeyFound, product: string | null): AccessCheck {
  if (product === null) return skipped('PRODUCT_ON_KEY', 'no product was asked about.')
  const listed = `The key lists ${products.join(', ')}.`
  return products.includes(product)
    ? passes('PRODUCT_ON_KEY', listed)
    : fails('PRODUCT_ON_KEY', 'PRODUCT_NOT_ALLOWED', listed)
}

/** @param status null: the tenant has no such user. */
export function userChecksOf(status: 'ACTIVE' | 'SUSPENDED' | null): AccessCheck[] {
  if (status === null) {
    return [
      fails('USER_KNOWN', 'TOKEN_INVALID', 'The tenant has no such user.'),
      skipped('USER_ACTIVE', 'the user is not known.'),
    ]
  }
  return [
    passes('USER_KNOWN', 'A user of the tenant.'),
    status === 'ACTIVE'
      ? passes('USER_ACTIVE', 'The user is active.')
      : fails('USER_ACTIVE', 'USER_SUSPENDED', 'The user is suspended.'),
  ]
}

export function noUserChecks(reason: string): AccessCheck[] {
  return [skipped('USER_KNOWN', reason), skipped('USER_ACTIVE', reason)]
}
