import { endUserOptionalKey } from '../http/access/access.ts'
import type { UserCaller } from '../http/access/callers.ts'
import { productSlugs } from '../kernel/products.ts'
import { invalidField, notFound, Refusal } from '../kernel/refusal.ts'
import { Id, StringEnum } from '../kernel/schemas.ts'
import { Type } from '../kernel/type.ts'
import type { TenantScope } from '../storage/scope.ts'
import type { UsageScope } from './meters/counter.store.ts'

/** Routes of usage need a user's token. An API key sent with it must list the product. */
export const usageAccess = endUserOptionalKey(productSlugs.assistant)

export const readableScopes = ['me', 'org', 'tenant'] as const

/** Whose usage is asked for. */
export const SubjectQuery = {
  scope: Type.Optional(
    StringEnum(readableScopes, {
      description: 'Absent: `me`. `org` is for its owners and admins; `tenant` for users with the role ADMIN.',
    }),
  ),
  orgId: Type.Optional({ ...Id, description: 'Needed with `scope=org`, else ignored.' }),
}

/** What is asked of organizations. Declared here because they import types of this folder. */
export type Organizations = {
  /** Refuses NOT_FOUND and INSUFFICIENT_ROLE. */
  get(scope: TenantScope, user: { id: string }, asked: { orgId: string; least: 'admin' }): Promise<unknown>
  exists(scope: TenantScope, orgId: string): Promise<boolean>
}

export type UsageSubject = { scope: UsageScope; id: string }

/**
 * Whose usage the caller asks for. Refuses NOT_FOUND, in the same way for a missing organization and for one of others, and
 * INSUFFICIENT_ROLE.
 */
export async function readableSubject(
  scope: TenantScope,
  { user, members }: { user: UserCaller; members: Organizations },
  { scope: asked = 'me', orgId }: { scope?: (typeof readableScopes)[number] | undefined; orgId?: string | undefined },
): Promise<UsageSubject> {
  if (asked === 'me') return { scope: 'user', id: user.id }
  const isTenantAdmin = user.role === 'ADMIN'
  if (asked === 'tenant') {
    if (!isTenantAdmin) throw new Refusal('INSUFFICIENT_ROLE')
    return { scope: 'tenant', id: scope.tenantId }
  }
  const id = requireOrgId({ scope: asked, orgId })
  if (!isTenantAdmin) await members.get(scope, user, { orgId: id, least: 'admin' })
  else if (!(await members.exists(scope, id))) throw notFound()
  return { scope: 'org', id }
}

/** Refuses VALIDATION_ERROR where the organization is not named. */
export function requireOrgId({ scope, orgId }: { scope?: string | undefined; orgId?: string | undefined }): string {
  if (scope === 'org' && orgId === undefined)
    throw invalidField('/query/orgId', { code: 'required', message: 'is missing' })
  return orgId ?? ''
}
