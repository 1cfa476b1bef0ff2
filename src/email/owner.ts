import { endUserOptionalKey } from '../http/access/access.ts'
import type { UserCaller } from '../http/access/callers.ts'
import { productSlugs } from '../kernel/products.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { TenantScope } from '../storage/scope.ts'
import type { Owner } from './configs/config.rules.ts'
import type { Members } from './members.ts'

/** Routes of mail need a user's token. An API key sent with it must list the product. */
export const emailAccess = endUserOptionalKey(productSlugs.assistant)
export const emailBase = '/assistant/v1/email'
export const emailTag = 'E-mail'

export type EmailUser = Pick<UserCaller, 'id' | 'role'>

/**
 * What a user may manage: an organization as its admin, or without an id the tenant as its administrator. Refuses NOT_FOUND
 * and INSUFFICIENT_ROLE.
 */
export async function managedOwner(
  members: Pick<Members, 'get'>,
  scope: TenantScope,
  { user, orgId }: { user: EmailUser; orgId: string | undefined },
): Promise<Owner> {
  if (orgId !== undefined) {
    await members.get(scope, user, { orgId, least: 'admin' })
    return { ownerId: orgId, orgId }
  }
  if (user.role !== 'ADMIN')
    throw new Refusal('INSUFFICIENT_ROLE', { detail: 'This needs an administrator of the tenant. Or name an `orgId`.' })
  return { ownerId: scope.tenantId, orgId: null }
}
