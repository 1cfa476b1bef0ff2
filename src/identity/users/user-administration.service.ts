import type { Clock } from '../../kernel/clock.ts'
import type { Page } from '../../kernel/paging.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { EventBus } from '../../storage/events.ts'
import { type PlatformScope, scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Audit } from '../audit/audit.store.ts'
import { applyChange, auditTarget, changedMembers, nameChange, type User } from './user.rules.ts'
import type { AdminChange } from './user.schema.ts'
import { findUserInAnyTenant, listUsers, lockUser, saveUser, type UserSearch } from './user.store.ts'
import { removeUser } from './user-removal.ts'

export type UserAdministrationDeps = {
  clock: Clock
  events: EventBus
  audit: Audit
  /** Ends all sessions of a user. */
  endSessions(tx: TenantScope, ending: { userId: string; reason: 'USER_SUSPENDED'; now: Date }): Promise<void>
}

/** What administrators can do with the users of all tenants. */
export function userAdministration(deps: UserAdministrationDeps) {
  const { clock, events, audit, endSessions } = deps

  const list = (platform: PlatformScope, search: UserSearch): Promise<Page<User>> => listUsers(platform, search)

  async function get(platform: PlatformScope, id: string): Promise<User> {
    const user = await findUserInAnyTenant(platform, id)
    if (user === null) throw notFound()
    return user
  }

  /** Runs `work` in a transaction of the user's tenant, with the user locked. */
  const withUser = <T>(
    platform: PlatformScope,
    id: string,
    work: (tx: TenantScope, user: User) => Promise<T>,
  ): Promise<T> =>
    transaction(platform, async (tx) => {
      const tenant = scopeToTenant(tx, (await get(tx, id)).tenantId)
      const user = await lockUser(tenant, id)
      if (user === null) throw notFound()
      return work(tenant, user)
    })

  const update = (platform: PlatformScope, id: string, change: AdminChange): Promise<User> =>
    withUser(platform, id, async (tx, user) => {
      const next = applyChange(user, { ...change, ...nameChange(change) })
      const changes = changedMembers(user, next)
      if (changes === null) return user
      const now = clock.now()
      await saveUser(tx, next, now)
      const action = changes.status ? await applyStatus(tx, next, now) : 'user.update'
      await audit(tx, { action, target: auditTarget(user), changes })
      return next
    })

  /** Carries out a status change; returns the action for the audit log. */
  async function applyStatus(tx: TenantScope, { id: userId, tenantId, status }: User, now: Date): Promise<string> {
    if (status === 'ACTIVE') {
      await events.emit(tx, 'user.activated', { tenantId, userId })
      return 'user.activate'
    }
    await endSessions(tx, { userId, reason: 'USER_SUSPENDED', now })
    await events.emit(tx, 'user.suspended', { tenantId, userId })
    return 'user.suspend'
  }

  const remove = (platform: PlatformScope, id: string): Promise<void> =>
    withUser(platform, id, (tx, user) => removeUser(tx, user, deps))

  return { list, get, update, remove }
}
