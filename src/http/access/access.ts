import { type Actor, anonymousActor, type Caller, systemCaller } from '../../kernel/caller.ts'
import type { ProductSlug } from '../../kernel/products.ts'
import { Refusal, type RefusalCode } from '../../kernel/refusal.ts'
import type { Handle } from '../../storage/handle.ts'
import { mintPlatformScope, mintTenantScope } from '../../storage/mint.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'

type UserRole = 'USER' | 'ADMIN'
export type AdminRole = 'VIEWER' | 'EDITOR' | 'OWNER'

type OpenAccess = { kind: 'open'; reason: string }
type AdminAccess = { kind: 'admin'; role: AdminRole }
type TenantKeyAccess = { kind: 'tenantKey'; product: ProductSlug | null; isOptional: false }
type OptionalKeyAccess = { kind: 'tenantKey'; product: null; isOptional: true }
export type EndUserAccess = {
  kind: 'endUser'
  product: ProductSlug | null
  isKeyRequired: boolean
  role: UserRole
}
type TenantAdminAccess = EndUserAccess & { role: 'ADMIN' }
/** A node of the VPN by its own token, or by the one-time token with which it enrolls. */
type NodeAccess = { kind: 'node'; isEnrollment: boolean }

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

/** The node of a VPN server, by the Bearer token it got when it enrolled. */
export function node(): NodeAccess {
  return { kind: 'node', isEnrollment: false }
}

/** Who holds a server's one-time Bearer token to enroll with. That it is used once is the use case's to see to. */
export function enrollingNode(): NodeAccess {
  return { kind: 'node', isEnrollment: true }
}

export type AuthenticatedTenant = { tenantId: string; isTenantSuspended: boolean; requestsPerWindow: number | null }
export type AdminCaller = { id: string | null; label: string; role: AdminRole }
export type KeyCaller = AuthenticatedTenant & { id: string; name: string; products: string[]; expiresAt: Date | null }
export type UserCaller = AuthenticatedTenant & {
  id: string
  sessionId: string
  email: string
  role: UserRole
  isUserSuspended: boolean
}

/** `tokenHash`: SHA-256 of what was sent, so that a use case can ask whether it still holds. */
export type NodeCaller = { serverId: string; serverName: string; tokenHash: Buffer }

/** How credentials become callers; identity provides it. Null: the credential is not valid. */
export type Authenticator = {
  adminKey(text: string): Promise<AdminCaller | null>
  apiKey(text: string): Promise<KeyCaller | null>
  accessToken(text: string): Promise<UserCaller | 'expired' | null>
  nodeToken(text: string): Promise<NodeCaller | null>
  enrollmentToken(text: string): Promise<NodeCaller | null>
  builtInTenant(): Promise<AuthenticatedTenant>
}

/** The part of it that knows the nodes of the VPN. */
export type NodeAuthenticator = Pick<Authenticator, 'nodeToken' | 'enrollmentToken'>

export type Credentials = { adminKey: string | null; apiKey: string | null; bearer: string | null }

/** The outcome of the credential, tenant and product checks, before any scope exists. */
export type Admitted =
  | { kind: 'open' }
  | { kind: 'admin'; admin: AdminCaller }
  | { kind: 'tenantKey'; tenant: AuthenticatedTenant; apiKey: KeyCaller | null }
  | { kind: 'endUser'; tenant: AuthenticatedTenant; user: UserCaller; apiKey: KeyCaller | null }
  | { kind: 'node'; node: NodeCaller }

const rank: Record<AdminRole, number> = { VIEWER: 0, EDITOR: 1, OWNER: 2 }

/** Checks the credentials a route asks for, in the fixed order: credential, tenant alive, product on the key. */
export async function admit(access: Access, credentials: Credentials, authenticator: Authenticator): Promise<Admitted> {
  switch (access.kind) {
    case 'open':
      return { kind: 'open' }
    case 'admin': {
      const admin = await required(credentials.adminKey, 'ADMIN_KEY', authenticator.adminKey)
      if (rank[admin.role] < rank[access.role])
        throw new Refusal('INSUFFICIENT_ROLE', {
          detail: `The key has the role ${admin.role}; this takes ${access.role}.`,
        })
      return { kind: 'admin', admin }
    }
    case 'tenantKey': {
      if (access.isOptional && credentials.apiKey === null) {
        const tenant = await authenticator.builtInTenant()
        refuseSuspended(tenant)
        return { kind: 'tenantKey', tenant, apiKey: null }
      }
      const apiKey = await required(credentials.apiKey, 'API_KEY', authenticator.apiKey)
      refuseSuspended(apiKey)
      refuseOtherProduct(apiKey, access.product)
      return { kind: 'tenantKey', tenant: apiKey, apiKey }
    }
    case 'endUser':
      return admitEndUser(access, credentials, authenticator)
    case 'node': {
      const verify = access.isEnrollment ? authenticator.enrollmentToken : authenticator.nodeToken
      return { kind: 'node', node: await required(credentials.bearer, 'NODE_TOKEN', verify) }
    }
  }
}

async function admitEndUser(
  access: EndUserAccess,
  credentials: Credentials,
  authenticator: Authenticator,
): Promise<Admitted> {
  const isKeyExpected = access.isKeyRequired || credentials.apiKey !== null
  const apiKey = isKeyExpected ? await required(credentials.apiKey, 'API_KEY', authenticator.apiKey) : null
  if (credentials.bearer === null) throw new Refusal('TOKEN_MISSING')
  const user = await authenticator.accessToken(credentials.bearer)
  if (user === 'expired') throw new Refusal('TOKEN_EXPIRED')
  if (user === null || (apiKey !== null && apiKey.tenantId !== user.tenantId)) throw new Refusal('TOKEN_INVALID')
  refuseSuspended(user)
  if (user.isUserSuspended) throw new Refusal('USER_SUSPENDED')
  if (apiKey !== null) refuseOtherProduct(apiKey, access.product)
  if (access.role === 'ADMIN' && user.role !== 'ADMIN')
    throw new Refusal('INSUFFICIENT_ROLE', { detail: 'This takes a user with the role ADMIN.' })
  return { kind: 'endUser', tenant: user, user, apiKey }
}

async function required<C>(
  text: string | null,
  kind: 'ADMIN_KEY' | 'API_KEY' | 'NODE_TOKEN',
  verify: (text: string) => Promise<C | null>,
): Promise<C> {
  if (text === null) throw new Refusal(`${kind}_MISSING`)
  const caller = await verify(text)
  if (caller === null) throw new Refusal(`${kind}_INVALID`)
  return caller
}

function refuseSuspended(tenant: AuthenticatedTenant): void {
  if (tenant.isTenantSuspended) throw new Refusal('TENANT_SUSPENDED')
}

function refuseOtherProduct(apiKey: KeyCaller, product: ProductSlug | null): void {
  if (product !== null && !apiKey.products.includes(product)) {
    throw new Refusal('PRODUCT_NOT_ALLOWED', { detail: `The API key lists no product ${product}.` })
  }
}

/** What a handler is given for its access rule: scopes, and who calls. */
export type Grant<A extends Access> = A extends OpenAccess
  ? { platform: PlatformScope }
  : A extends AdminAccess
    ? { platform: PlatformScope; admin: AdminCaller }
    : A extends OptionalKeyAccess
      ? { scope: TenantScope; apiKey: KeyCaller | null }
      : A extends TenantKeyAccess
        ? { scope: TenantScope; apiKey: KeyCaller }
        : A extends TenantAdminAccess
          ? { scope: TenantScope }
          : A extends EndUserAccess
            ? { scope: TenantScope; user: UserCaller; apiKey: KeyCaller | null }
            : A extends NodeAccess
              ? { platform: PlatformScope; node: NodeCaller }
              : never

export type Origin = { ip: string; requestId: string }

/** Mints the scopes of an admitted caller over one handle: the pool, or the transaction of an idempotent request. */
export function grantScopes(admitted: Admitted, handle: Handle, origin: Origin): Record<string, unknown> {
  const caller: Caller = { actor: actorOf(admitted), ...origin }
  switch (admitted.kind) {
    case 'open':
      return { platform: mintPlatformScope(handle, caller) }
    case 'admin':
      return { platform: mintPlatformScope(handle, caller), admin: admitted.admin }
    case 'tenantKey':
      return { scope: mintTenantScope(handle, admitted.tenant.tenantId, caller), apiKey: admitted.apiKey }
    case 'endUser':
      return {
        scope: mintTenantScope(handle, admitted.tenant.tenantId, caller),
        user: admitted.user,
        apiKey: admitted.apiKey,
      }
    case 'node':
      return { platform: mintPlatformScope(handle, caller), node: admitted.node }
  }
}

/** For the floor's own records, which belong to no caller. */
export function systemScope(handle: Handle): PlatformScope {
  return mintPlatformScope(handle, systemCaller)
}

function actorOf(admitted: Admitted): Actor {
  switch (admitted.kind) {
    case 'open':
      return anonymousActor
    case 'admin':
      return { type: 'ADMIN', id: admitted.admin.id, label: admitted.admin.label }
    case 'tenantKey':
      if (admitted.apiKey === null) return anonymousActor
      return { type: 'API_KEY', id: admitted.apiKey.id, label: admitted.apiKey.name }
    case 'endUser':
      return { type: 'USER', id: admitted.user.id, label: admitted.user.email }
    case 'node':
      return { type: 'NODE', id: admitted.node.serverId, label: admitted.node.serverName }
  }
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

/** One name for the bucket that pays for a request; the fixed choice of the contract's section 3. */
export function rateLimitBucket(admitted: Admitted, address: string): string {
  switch (admitted.kind) {
    case 'open':
      return `address:${address}`
    case 'admin':
      return `admin:${admitted.admin.id ?? 'environment'}`
    case 'tenantKey':
      return admitted.apiKey === null ? `address:${address}` : `key:${admitted.apiKey.id}:${address}`
    case 'endUser':
      return `user:${admitted.user.id}`
    case 'node':
      return `node:${admitted.node.serverId}`
  }
}
