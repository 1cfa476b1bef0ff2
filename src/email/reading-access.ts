import { isId } from '../kernel/ids.ts'
import { notFound } from '../kernel/refusal.ts'
import type { TenantScope } from '../storage/scope.ts'
import type { Members } from './members.ts'
import type { EmailUser } from './owner.ts'

type Asked = {
  user: EmailUser
  orgId: string | null
  /** Asked for members who are no admins. */
  isCorrespondent(): Promise<boolean>
}

/** Whether a user may read mails: of the tenant its administrators; of an organization its admins, and members their own. */
export async function mayRead(
  members: Pick<Members, 'holdRole'>,
  scope: TenantScope,
  { user, orgId, isCorrespondent }: Asked,
): Promise<boolean> {
  if (orgId === null) return user.role === 'ADMIN'
  const role = await members.holdRole(scope, { orgId, userId: user.id })
  if (role === null) return false
  return role === 'owner' || role === 'admin' || isCorrespondent()
}

/** What has this id. Refuses NOT_FOUND, also for a malformed one. */
export async function getById<T>(id: string, find: (id: string) => Promise<T | null>): Promise<T> {
  const found = isId(id) ? await find(id) : null
  if (found === null) throw notFound()
  return found
}
