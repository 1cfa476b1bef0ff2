import type { Scope } from './scope.ts'

/** What one capability tells the others, in the transaction of the change. */
export type DomainEvents = {
  'tenant.suspended': { tenantId: string }
  'tenant.activated': { tenantId: string }
  'tenant.removed': { tenantId: string }
  /** While its rows are still there. Of a tenant that was removed before, or is in the same transaction. */
  'tenant.erasing': { tenantId: string }
  'user.created': { tenantId: string; userId: string }
  'user.suspended': { tenantId: string; userId: string }
  'user.activated': { tenantId: string; userId: string }
  'user.removed': { tenantId: string; userId: string }
  'license.issued': { tenantId: string; licenseId: string; product: string }
  /** Its last use was taken, some seconds ago at most, or it was given no more uses than it has had. */
  'license.exhausted': { tenantId: string; licenseId: string }
  'license.revoked': { tenantId: string; licenseId: string }
  /** Its term ends within a week; once a term. */
  'license.expiring': { tenantId: string; licenseId: string; expiresAt: Date }
  /** Its term has ended, a minute ago at most while the service runs; once a term. */
  'license.expired': { tenantId: string; licenseId: string; expiresAt: Date }
  /** `product` is empty where the question named none that the license is good for. Not always in a transaction. */
  'license.validated': { tenantId: string; product: string }
  'device.registered': { tenantId: string; deviceId: string; userId: string }
  /** Of one tenant together. */
  'devices.revoked': { tenantId: string; deviceIds: string[] }
  'session.started': { tenantId: string; sessionId: string; deviceId: string }
  /** Of one tenant together: how long they were open, and which they were. */
  'sessions.ended': { tenantId: string; seconds: number; reason: string; sessions: { id: string; deviceId: string }[] }
  'meeting.created': { tenantId: string; meetingId: string }
  'meeting.completed': { tenantId: string; meetingId: string }
  /** Of one tenant together, with all that was said in them. */
  'meetings.deleted': { tenantId: string; meetingIds: string[] }
  'transcript.updated': { tenantId: string; meetingId: string }
  'summary.ready': { tenantId: string; meetingId: string; mode: string }
  /** What the devices of a tenant sent and received since it was told last. */
  'vpn.transferred': { tenantId: string; bytesUp: number; bytesDown: number }
  /** Its `expiresAt`. */
  'license.term-changed': { tenantId: string; licenseId: string }
}

type Handler<Name extends keyof DomainEvents> = (tx: Scope, event: DomainEvents[Name]) => Promise<void>

export type EventBus = {
  on<Name extends keyof DomainEvents>(name: Name, handler: Handler<Name>): void
  /** Runs every handler inside the transaction of `tx`: if one fails, the change that caused it is undone with it. */
  emit<Name extends keyof DomainEvents>(tx: Scope, name: Name, event: DomainEvents[Name]): Promise<void>
}

export function eventBus(): EventBus {
  const handlers = new Map<string, Handler<never>[]>()
  return {
    on: (name, handler) => {
      handlers.set(name, [...(handlers.get(name) ?? []), handler])
    },
    emit: async (tx, name, event) => {
      for (const handler of handlers.get(name) ?? []) await (handler as Handler<typeof name>)(tx, event)
    },
  }
}
