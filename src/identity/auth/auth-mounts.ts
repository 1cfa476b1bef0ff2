import { endUser, optionalTenantKey, tenantKey } from '../../http/access/access.ts'
import { productSlugs } from '../../kernel/products.ts'

/** One of the two places where the same operations stand. */
export type AuthMount = {
  prefix: '/vault/v1/auth' | '/v1/auth'
  keyAccess: ReturnType<typeof tenantKey | typeof optionalTenantKey>
  userAccess: ReturnType<typeof endUser>
  /** Operation names are unique over the whole API. */
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
