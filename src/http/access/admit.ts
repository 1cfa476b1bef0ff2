import type { ProductSlug } from '../../kernel/products.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Access, AdminRole, BrowserAccess, BrowserAdminAccess, EndUserAccess } from './access.ts'
import {
  type AdminCaller,
  type Admitted,
  type AuthenticatedTenant,
  type Authenticator,
  type Credentials,
  ExpiredToken,
  type KeyCaller,
  type UserCaller,
} from './callers.ts'

const roleRank: Record<AdminRole, number> = { VIEWER: 0, EDITOR: 1, OWNER: 2 }

/** The access rules that a header with a credential satisfies. */
export type HeaderAccess = Exclude<Access, BrowserAccess | BrowserAdminAccess>

/** Checks the credentials a route asks for, in the fixed order: credential, tenant alive, product on the key. */
export async function admit(
  access: HeaderAccess,
  credentials: Credentials,
  authenticator: Authenticator,
): Promise<Admitted> {
  switch (access.kind) {
    case 'open': {
      const isAsked = access.knowsAdmins && credentials.adminKey !== null
      const admin = isAsked ? await verifyCredential(credentials.adminKey, 'ADMIN_KEY', authenticator.adminKey) : null
      return { kind: 'open', admin }
    }
    case 'admin': {
      const admin = await verifyCredential(credentials.adminKey, 'ADMIN_KEY', authenticator.adminKey)
      requireRole(admin, access.role)
      return { kind: 'admin', admin, session: null }
    }
    case 'tenantKey': {
      if (access.isOptional && credentials.apiKey === null) {
        const tenant = await authenticator.builtInTenant()
        requireActive(tenant)
        return { kind: 'tenantKey', tenant, apiKey: null }
      }
      const apiKey = await verifyCredential(credentials.apiKey, 'API_KEY', authenticator.apiKey)
      requireActive(apiKey)
      requireProduct(apiKey, access.product)
      return { kind: 'tenantKey', tenant: apiKey, apiKey }
    }
    case 'endUser':
      return admitEndUser(access, credentials, authenticator)
    case 'node': {
      const verify = access.isEnrollment ? authenticator.enrollmentToken : authenticator.nodeToken
      return { kind: 'node', node: await verifyCredential(credentials.bearer, 'NODE_TOKEN', verify) }
    }
    case 'runner': {
      const verify = access.isEnrollment ? authenticator.runnerEnrollmentToken : authenticator.runnerToken
      return { kind: 'runner', runner: await verifyCredential(credentials.bearer, 'RUNNER_TOKEN', verify) }
    }
  }
}

/** Refuses INSUFFICIENT_ROLE. */
export function requireRole({ role }: Pick<AdminCaller, 'role'>, required: AdminRole): void {
  if (roleRank[role] >= roleRank[required]) return
  throw new Refusal('INSUFFICIENT_ROLE', { detail: `The key has the role ${role}; this requires ${required}.` })
}

async function admitEndUser(
  access: EndUserAccess,
  credentials: Credentials,
  authenticator: Authenticator,
): Promise<Admitted> {
  const isKeyExpected = access.isKeyRequired || credentials.apiKey !== null
  const apiKey = isKeyExpected ? await verifyCredential(credentials.apiKey, 'API_KEY', authenticator.apiKey) : null
  if (credentials.bearer === null) throw new Refusal('TOKEN_MISSING')
  const user = await authenticator.accessToken(credentials.bearer)
  if (user !== null && 'expiredUserId' in user) throw new ExpiredToken(user.expiredUserId)
  if (user === null || (apiKey !== null && apiKey.tenantId !== user.tenantId)) throw new Refusal('TOKEN_INVALID')
  requireActive(user)
  if (user.isUserSuspended) throw new Refusal('USER_SUSPENDED')
  if (apiKey !== null) requireProduct(apiKey, access.product)
  requireTenantProduct(user, access.product)
  if (access.role === 'ADMIN' && user.role !== 'ADMIN')
    throw new Refusal('INSUFFICIENT_ROLE', { detail: 'This requires a user with the role ADMIN.' })
  return { kind: 'endUser', tenant: user, user, apiKey }
}

async function verifyCredential<C>(
  text: string | null,
  kind: 'ADMIN_KEY' | 'API_KEY' | 'NODE_TOKEN' | 'RUNNER_TOKEN',
  verify: (text: string) => Promise<C | null>,
): Promise<C> {
  if (text === null) throw new Refusal(`${kind}_MISSING`)
  const caller = await verify(text)
  if (caller === null) throw new Refusal(`${kind}_INVALID`)
  return caller
}

function requireActive(tenant: AuthenticatedTenant): void {
  if (tenant.isTenantSuspended) throw new Refusal('TENANT_SUSPENDED')
}

/** Also without an API key: leaving the key out opens nothing. */
function requireTenantProduct({ tenantProducts }: UserCaller, product: ProductSlug | null): void {
  if (product !== null && !tenantProducts.includes(product)) {
    throw new Refusal('PRODUCT_NOT_ALLOWED', {
      detail: `The users of this tenant may not use the product ${product}.`,
    })
  }
}

function requireProduct(apiKey: KeyCaller, product: ProductSlug | null): void {
  if (product !== null && !apiKey.products.includes(product)) {
    throw new Refusal('PRODUCT_NOT_ALLOWED', { detail: `The API key does not list the product ${product}.` })
  }
}
