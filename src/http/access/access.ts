import type { ProductSlug } from '../../kernel/products.ts'
import type { RefusalCode } from '../../kernel/refusal.ts'

export type UserRole = 'USER' | 'ADMIN'
export type AdminRole = 'VIEWER' | 'EDITOR' | 'OWNER'

export type OpenAccess = { kind: 'open'; reason: string }
export type AdminAccess = { kind: 'admin'; role: AdminRole }
export type TenantKeyAccess = { kind: 'tenantKey'; product: ProductSlug | null; isOptional: false }
export type OptionalKeyAccess = { kind: 'tenantKey'; product: null; isOptional: true }
export type EndUserAccess = {
  kind: 'endUser'
  product: ProductSlug | null
  isKeyRequired: boolean
  role: UserRole
}
export type TenantAdminAccess = EndUserAccess & { role: 'ADMIN' }
/** A machine that does work for the platform, such as a VPN server: by its own token, or by the one-time token with which it enrolls. */
export type NodeAccess = { kind: 'node'; isEnrollment: boolean }

/** Who may call a route. A route without one does not compile, and its kind decides what the handler is given. */
export type Access = OpenAccess | AdminAccess | TenantKeyAccess | OptionalKeyAccess | EndUserAccess | NodeAccess

/** Anybody, without a credential. The reason is for the reader of the access list. */
export function open(reason: string): OpenAccess {
  return { kind: 'open', reason }
}

/** An administrator of at least this role, by `X-Admin-Key`. */
export function admin(role: AdminRole): AdminAccess {
  return { kind: 'admin', role }
}

/** A tenant's API key in `X-API-Key`; with a product, one that lists the product. */
export function tenantKey(product: ProductSlug | null = null): TenantKeyAccess {
  return { kind: 'tenantKey', product, isOptional: false }
}

/** A tenant's API key; without one the built-in tenant `platform`. */
export function optionalTenantKey(): OptionalKeyAccess {
  return { kind: 'tenantKey', product: null, isOptional: true }
}

/** A logged-in user by Bearer token. With a product also an API key of the same tenant that lists the product. */
export function endUser(product: ProductSlug | null = null): EndUserAccess {
  return { kind: 'endUser', product, isKeyRequired: product !== null, role: 'USER' }
}

/** A logged-in user by Bearer token alone; an API key that is sent all the same must list the product. */
export function endUserOptionalKey(product: ProductSlug): EndUserAccess {
  return { kind: 'endUser', product, isKeyRequired: false, role: 'USER' }
}

/**
 * A logged-in user with the role ADMIN, by Bearer token alone; an API key that is sent all the same must list the
 * product, if there is one. The handler is given the scope alone, so that `tenantMount` can serve the route to
 * administrators of the platform as well.
 */
export function tenantAdmin(product: ProductSlug | null = null): TenantAdminAccess {
  return { kind: 'endUser', product, isKeyRequired: false, role: 'ADMIN' }
}

/** A node, by the Bearer token it was given when it enrolled. */
export function node(): NodeAccess {
  return { kind: 'node', isEnrollment: false }
}

/** Who holds a server's one-time Bearer token to enroll with. That it is used once is the use case's to see to. */
export function enrollingNode(): NodeAccess {
  return { kind: 'node', isEnrollment: true }
}

/** The refusal codes that the access rule of a route can answer with; the API reference lists them. */
export function accessRefusals(access: Access): RefusalCode[] {
  switch (access.kind) {
    case 'open':
      return []
    case 'admin':
      return [
        'ADMIN_KEY_MISSING',
        'ADMIN_KEY_INVALID',
        ...(access.role === 'VIEWER' ? [] : (['INSUFFICIENT_ROLE'] as const)),
      ]
    case 'tenantKey':
      return [
        ...(access.isOptional ? [] : (['API_KEY_MISSING'] as const)),
        'API_KEY_INVALID',
        'TENANT_SUSPENDED',
        ...(access.product === null ? [] : (['PRODUCT_NOT_ALLOWED'] as const)),
      ]
    case 'endUser':
      return [
        ...(access.isKeyRequired ? (['API_KEY_MISSING'] as const) : []),
        ...(access.product === null ? [] : (['PRODUCT_NOT_ALLOWED'] as const)),
        'API_KEY_INVALID',
        'TOKEN_MISSING',
        'TOKEN_INVALID',
        'TOKEN_EXPIRED',
        'TENANT_SUSPENDED',
        'USER_SUSPENDED',
        ...(access.role === 'ADMIN' ? (['INSUFFICIENT_ROLE'] as const) : []),
      ]
    case 'node':
      return ['NODE_TOKEN_MISSING', 'NODE_TOKEN_INVALID']
  }
}
