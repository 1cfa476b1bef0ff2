import { Refusal } from '../../kernel/refusal.ts'
import type { SocketSettings } from './socket-declaration.ts'
import type { EndUser } from './socket-host.ts'

/** Counts the admitted connections of this process, by user and by tenant. */
export function socketCounts({
  socketsPerUserMax,
  socketsPerTenantMax,
}: Pick<SocketSettings, 'socketsPerUserMax' | 'socketsPerTenantMax'>) {
  const users = new Map<string, number>()
  const tenants = new Map<string, number>()

  /** Refuses with RATE_LIMITED where another connection would be too many. */
  const requireRoom = ({ user, tenant }: EndUser): void => {
    const isUserFull = (users.get(user.id) ?? 0) >= socketsPerUserMax
    if (!isUserFull && (tenants.get(tenant.tenantId) ?? 0) < socketsPerTenantMax) return
    const detail = isUserFull
      ? `The user has ${socketsPerUserMax} open connections, which is the maximum.`
      : `The tenant has ${socketsPerTenantMax} open connections, which is the maximum.`
    throw new Refusal('RATE_LIMITED', { detail, retryAfterSeconds: 5 })
  }

  return {
    requireRoom,
    add: (admitted: EndUser): void => {
      requireRoom(admitted)
      change(users, admitted.user.id, 1)
      change(tenants, admitted.tenant.tenantId, 1)
    },
    remove: ({ user, tenant }: EndUser): void => {
      change(users, user.id, -1)
      change(tenants, tenant.tenantId, -1)
    },
  }
}

function change(counts: Map<string, number>, name: string, by: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + by
  if (count > 0) counts.set(name, count)
  else counts.delete(name)
}
