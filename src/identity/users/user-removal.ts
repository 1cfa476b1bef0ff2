import { eraseStoredAnswers } from '../../http/idempotency.store.ts'
import type { EventBus } from '../../storage/events.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Audit } from '../audit/audit.store.ts'
import { auditTarget, type User } from './user.rules.ts'
import { deleteUser } from './user.store.ts'

/** Removes a locked user with all its data, here and in the products. */
export async function removeUser(tx: TenantScope, user: User, deps: { events: EventBus; audit: Audit }): Promise<void> {
  await deps.events.emit(tx, 'user.removed', { tenantId: user.tenantId, userId: user.id })
  await deleteUser(tx, user.id)
  await eraseStoredAnswers(tx, [user.id])
  await deps.audit(tx, { action: 'user.remove', target: auditTarget(user) })
}
