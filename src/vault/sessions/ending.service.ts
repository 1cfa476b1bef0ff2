import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Licenses } from '../../licensing/index.ts'
import type { PlatformScope, Scope } from '../../storage/scope.ts'
import { transaction } from '../../storage/scope.ts'
import { withdrawPeers } from '../nodes/peer.store.ts'
import { onlineMs } from '../servers/server.rules.ts'
import { inTenant } from '../tenant-scope.ts'
import { deadlines, type EndReason, type OpenSession } from './session.rules.ts'
import { closeSessions, lockOpenSessions, lockOverdueSessions } from './session.store.ts'

/** Sessions that one transaction of housekeeping ends at most: it holds their devices. */
const overdueMax = 500

export type End = { reason: EndReason; now: Date }

/** Every way in which sessions end goes through here: the use given back where it was not used, the peer withdrawn. */
export function endingService({ clock, audit, licenses }: { clock: Clock; audit: Audit; licenses: Licenses }) {
  /** Ends locked sessions and leaves their peers as they are, for a caller who changes those too. */
  async function close(tx: Scope, open: OpenSession[], { reason, now }: End): Promise<void> {
    if (open.length === 0) return
    await closeSessions(tx, open, { reason, now })
    await giveBack(tx, open)
    for (const [tenantId, sessions] of Map.groupBy(open, (session) => session.tenantId)) {
      const id = sessions.length === 1 ? (sessions[0]?.id ?? null) : null
      await audit(tx, {
        action: 'session.end',
        target: { type: 'session', id },
        tenantId,
        changes: { reason, sessions: sessions.length },
      })
    }
  }

  /** Ends locked sessions, and with each its device's peer. */
  async function end(tx: Scope, open: OpenSession[], { reason, now }: End): Promise<void> {
    await close(tx, open, { reason, now })
    await withdrawPeers(tx, open)
  }

  async function endOnServer(tx: PlatformScope, serverId: string, now: Date): Promise<void> {
    await end(tx, await lockOpenSessions(tx, { serverId }), { reason: 'SERVER_DISABLED', now })
  }

  /** A session that never saw a handshake was no use. Licenses are taken in the order of ids, like every lock of many rows. */
  async function giveBack(tx: Scope, open: OpenSession[]): Promise<void> {
    const unused = open
      .filter(({ status }) => status === 'PENDING')
      .sort((a, b) => (a.licenseId < b.licenseId ? -1 : 1))
    for (const { tenantId, licenseId, id } of unused) {
      await licenses.refund(inTenant(tx, tenantId), { licenseId, operationId: id })
    }
  }

  /** Ends the sessions whose time is over. Any number of nodes may do it at once: each session is ended by one. */
  async function endOverdue(platform: PlatformScope): Promise<void> {
    const now = clock.now()
    const onlineSince = new Date(now.getTime() - onlineMs)
    let ended: number
    do {
      ended = await transaction(platform, async (tx) => {
        const overdue = await lockOverdueSessions(tx, { now, onlineSince, ...deadlines(now), limit: overdueMax })
        for (const [reason, sessions] of Map.groupBy(overdue, (session) => session.reason))
          await close(tx, sessions, { reason, now })
        await withdrawPeers(tx, overdue)
        return overdue.length
      })
    } while (ended === overdueMax)
  }

  return { close, end, endOnServer, endOverdue }
}

export type Endings = ReturnType<typeof endingService>
