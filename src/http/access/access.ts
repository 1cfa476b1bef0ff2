import type { ProductSlug } from '../../kernel/products.ts'
import type { RefusalCode } from '../../kernel/refusal.ts'

export type UserRole = 'USER' | 'ADMIN'
export type AdminRole = 'VIEWER' | 'EDITOR' | 'OWNER'

export type OpenAccess = { kind: 'open'; reason: string; knowsAdmins?: true }
export type OpenKnowingAdminsAccess = OpenAccess & { knowsAdmins: true }
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
/** A machine that works for the platform, such as a VPN server, with its own token or a one-time enrollment token. */
export type NodeAccess = { kind: 'node'; isEnrollment: boolean }
/** A program that runs bots, with its own token or a one-time enrollment token. */
export type RunnerAccess = { kind: 'runner'; isEnrollment: boolean }
/** A page in a browser that signs in: it has no session yet. */
export type SignInAccess = { kind: 'browser'; isSignedIn: false }
/** A page in a browser with a session of its own. */
export type BrowserSessionAccess = { kind: 'browser'; isSignedIn: true }
export type BrowserAccess = SignInAccess | BrowserSessionAccess
/** The same for what administrators may do. `isSensitive`: only shortly after a confirmation. */
export type BrowserAdminAccess = { kind: 'browserAdmin'; role: AdminRole; isSensitive: boolean }

/** Who may call a route. A route without one does not compile, and its kind decides what the handler is given. */
export type Access =
  | OpenAccess
  | AdminAccess
  | TenantKeyAccess
  | OptionalKeyAccess
  | EndUserAccess
  | NodeAccess
  | RunnerAccess
  | BrowserAccess
  | BrowserAdminAccess

/** Anybody, without a credential. The reason appears in the list of open routes. */
export function open(reason: string): OpenAccess {
  return { kind: 'open', reason }
}

/** The same, and the handler learns which administrator sent `X-Admin-Key`. A wrong key is refused. */
export function openKnowingAdmins(reason: string): OpenKnowingAdminsAccess {
  return { kind: 'open', reason, knowsAdmins: true }
}

/** An administrator of at least this role, by `X-Admin-Key`. */
export function admin(role: AdminRole): AdminAccess {
  return { kind: 'admin', role }
}

/** A tenant's API key in `X-API-Key`; with a product, one that lists the product. */
export function tenantKey(product: ProductSlug | null = null): TenantKeyAccess {
  return { kind: 'tenantKey', product, isOptional: false }
}

/** A tenant's API key. Without a key the caller belongs to the built-in tenant `platform`. */
export function optionalTenantKey(): OptionalKeyAccess {
  return { kind: 'tenantKey', product: null, isOptional: true }
}

/** A logged-in user by Bearer token. With a product also an API key of the same tenant that lists the product. */
export function endUser(product: ProductSlug | null = null): EndUserAccess {
  return { kind: 'endUser', product, isKeyRequired: product !== null, role: 'USER' }
}

/** A logged-in user by Bearer token only. If an API key is sent, too, it must list the product. */
export function endUserOptionalKey(product: ProductSlug): EndUserAccess {
  return { kind: 'endUser', product, isKeyRequired: false, role: 'USER' }
}

/**
 * A logged-in user with the role ADMIN, by Bearer token only. If an API key is sent, too, it must list the product, if
 * there is one. The handler gets only the scope, so that `tenantMount` can also serve the route to administrators of the
 * platform.
 */
export function tenantAdmin(product: ProductSlug | null = null): TenantAdminAccess {
  return { kind: 'endUser', product, isKeyRequired: false, role: 'ADMIN' }
}

/** A node, by the Bearer token from its enrollment. */
export function node(): NodeAccess {
  return { kind: 'node', isEnrollment: false }
}

/** The holder of a server's enrollment token. The use case must make sure that it is used only once. */
export function enrollingNode(): NodeAccess {
  return { kind: 'node', isEnrollment: true }
}

/** A runner of bots, by the Bearer token from its enrollment. */
export function runner(): RunnerAccess {
  return { kind: 'runner', isEnrollment: false }
}

/** The holder of a runner's enrollment token. The use case must make sure that it is used only once. */
export function enrollingRunner(): RunnerAccess {
  return { kind: 'runner', isEnrollment: true }
}

/** A page of our own, which signs in. Other pages are refused. */
export function signInBrowser(): SignInAccess {
  return { kind: 'browser', isSignedIn: false }
}

/** A signed-in page of our own, by its cookie. */
export function browser(): BrowserSessionAccess {
  return { kind: 'browser', isSignedIn: true }
}

/** A signed-in page of an administrator of at least this role. */
export function browserAdmin(role: AdminRole, isSensitive: boolean): BrowserAdminAccess {
  return { kind: 'browserAdmin', role, isSensitive }
}

/** Whether the credential is a cookie. Nowhere else does a cookie prove anything. */
export function isBrowserAccess({ kind }: Access): boolean {
  return kind === 'browser' || kind === 'browserAdmin'
}

/** The refusal codes of a route's access rule, for the API reference. */
export function accessRefusals(access: Access): RefusalCode[] {
  switch (access.kind) {
    case 'open':
      return access.knowsAdmins ? ['ADMIN_KEY_INVALID'] : []
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
    case 'runner':
      return ['RUNNER_TOKEN_MISSING', 'RUNNER_TOKEN_INVALID']
    case 'browser':
      return [...doorRefusals, access.isSignedIn ? 'SESSION_INVALID' : 'INSECURE_TRANSPORT']
    case 'browserAdmin':
      return [
        ...doorRefusals,
        'SESSION_INVALID',
        ...(access.role === 'VIEWER' ? [] : (['INSUFFICIENT_ROLE'] as const)),
        ...(access.isSensitive ? (['CONFIRMATION_REQUIRED'] as const) : []),
      ]
  }
}

const doorRefusals = ['ORIGIN_NOT_ALLOWED', 'VALIDATION_ERROR'] as const
