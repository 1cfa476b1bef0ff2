import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Licenses } from '../../licensing/index.ts'
import type { EventBus } from '../../storage/events.ts'
import type { PlatformScope, Scope, TenantScope } from '../../storage/scope.ts'
import { inTenant, transaction } from '../../storage/scope.ts'
import type { Peers } from '../peers/peer.service.ts'
import { onlineMs } from '../servers/server.rules.ts'
import { deadlines, type EndReason, type OpenSession } from './session.rules.ts'
import {
  claimDueUses,
  claimOwedUses,
  closeSessions,
  lockExpiredSession,
  lockOpenSessions,
  lockOverdueSessions,
} from './session.store.ts'

/** How many sessions one transaction of housekeeping locks at most. */
const batchMax = 500

export type End = { reason: EndReason; now: Date }

type EndingDeps = { clock: Clock; audit: Audit; events: EventBus; licenses: Licenses; peers: Peers }

/** Every way in which sessions end: closes them, withdraws their peers, and gives unused uses back. */
export function sessionEndings({ clock, audit, events, licenses, peers }: EndingDeps) {
  /** Ends locked sessions without touching their peers, for a caller who changes those, too. */
  async function close(tx: Scope, open: OpenSession[], { reason, now }: End): Promise<void> {
    if (open.length === 0) return
    await closeSessions(tx, open, { reason, now })
    for (const [tenantId, sessions] of Map.groupBy(open, (session) => session.tenantId)) {
      const id = sessions.length === 1 ? (sessions[0]?.id ?? null) : null
      const changes = { reason, sessions: sessions.length }
      await audit(tx, { action: 'session.end', target: { type: 'session', id }, tenantId, changes })
      const seconds = totalSeconds(sessions, now)
      await events.emit(tx, 'sessions.ended', { tenantId, seconds, reason, sessions })
    }
  }

  /** Ends locked sessions and withdraws the peers of their devices. */
  async function end(tx: Scope, open: OpenSession[], { reason, now }: End): Promise<void> {
    await close(tx, open, { reason, now })
    await peers.withdraw(tx, open)
  }

  async function endExpired(tx: TenantScope, deviceId: string): Promise<void> {
    const now = clock.now()
    await end(tx, await lockExpiredSession(tx, deviceId, now), { reason: 'LICENSE_EXPIRED', now })
  }

  async function endOnServer(tx: PlatformScope, serverId: string, now: Date): Promise<void> {
    await end(tx, await lockOpenSessions(tx, { serverId }), { reason: 'SERVER_DISABLED', now })
  }

  /**
   * Gives back the uses of sessions that never connected, each once, and takes those again of which a later report shows a
   * handshake. Not in the transaction that ends a session: that one holds devices, while a revocation holds the license
   * and waits for devices. The next call continues after a crash.
   */
  async function settleUses(platform: PlatformScope): Promise<void> {
    await inBatches(platform, (tx) => forEachUse(tx, claimOwedUses, licenses.refund))
    await inBatches(platform, (tx) => forEachUse(tx, claimDueUses, licenses.retake))
  }

  /** Ends overdue sessions. Any number of nodes may call it at once: each session is ended by one of them. */
  async function endOverdue(platform: PlatformScope): Promise<void> {
    const now = clock.now()
    const onlineSince = new Date(now.getTime() - onlineMs)
    await inBatches(platform, async (tx) => {
      const overdue = await lockOverdueSessions(tx, { now, onlineSince, ...deadlines(now), limit: batchMax })
      for (const [reason, sessions] of Map.groupBy(overdue, (session) => session.reason)) {
        await close(tx, sessions, { reason, now })
      }
      await peers.withdraw(tx, overdue)
      return overdue.length
    })
    await settleUses(platform)
  }

  return { close, end, endExpired, endOnServer, endOverdue }
}

export type Endings = ReturnType<typeof sessionEndings>

async function forEachUse(
  tx: PlatformScope,
  claim: typeof claimOwedUses,
  settle: Licenses['refund' | 'retake'],
): Promise<number> {
  const claimed = await claim(tx, batchMax)
  // In the order of ids, so that two nodes cannot deadlock on licenses.
  claimed.sort((a, b) => (a.licenseId < b.licenseId ? -1 : 1))
  for (const { tenantId, licenseId, sessionId } of claimed)
    await settle(inTenant(tx, tenantId), { licenseId, operationId: sessionId })
  return claimed.length
}

/** A session that never connected lasted no time. */
function totalSeconds(sessions: OpenSession[], now: Date): number {
  return sessions
    .filter(({ status }) => status !== 'PENDING')
    .reduce((sum, { connectedAt }) => sum + Math.max(0, Math.floor((now.getTime() - connectedAt.getTime()) / 1000)), 0)
}

/** Repeats `work`, each time in its own transaction, as long as it finds a full batch. */
async function inBatches<S extends Scope>(scope: S, work: (tx: S) => Promise<number>): Promise<void> {
  let done: number
  do {
    done = await transaction(scope, work)
  } while (done === batchMax)
}
