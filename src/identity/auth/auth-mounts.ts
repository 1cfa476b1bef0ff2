import { endUser, optionalTenantKey, tenantKey } from '../../http/access/access.ts'
import { productSlugs } from '../../kernel/products.ts'

/** A base path under which the same operations are available. */
export type AuthMount = {
  prefix: '/vault/v1/auth' | '/v1/auth'
  keyAccess: ReturnType<typeof tenantKey | typeof optionalTenantKey>
  userAccess: ReturnType<typeof endUser>
  /** Makes an operation name unique across the API. */
  operationName(operation: string): string
}

export const authMounts: AuthMount[] = [
  {
    prefix: '/vault/v1/auth',
    keyAccess: tenantKey(productSlugs.vpn),
    userAccess: endUser(productSlugs.vpn),
    operationName: (operation) => `vault${operation}`,
  },
  {
    prefix: '/v1/auth',
    keyAccess: optionalTenantKey(),
    userAccess: endUser(),
    operationName: (operation) => `platform${operation}`,
  },
]

export const tag = 'Users'
