import type { NodeCaller } from '../../http/access/callers.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type FieldError, refuseFields } from '../../kernel/refusal.ts'
import type { EventBus } from '../../storage/events.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { onlineMs } from '../servers/server.rules.ts'
import { keyLifeMs } from '../sessions/session.rules.ts'
import type { NodeReport } from './node.schema.ts'
import type { Nodes } from './node.service.ts'
import { countReport } from './report.store.ts'

export type ReportDeps = { clock: Clock; events: EventBus; nodes: Pick<Nodes, 'getNodeState'> }

export function reportService({ clock, events, nodes }: ReportDeps) {
  /** A repeat has no effect. Refuses with VALIDATION_ERROR, NODE_TOKEN_INVALID, NODE_SUPERSEDED. */
  async function report(platform: PlatformScope, node: NodeCaller, { epoch, seq, peers }: NodeReport): Promise<void> {
    refuseDuplicates(peers)
    const now = clock.now()
    const onlineSince = new Date(now.getTime() - onlineMs)
    const liveSince = new Date(now.getTime() - keyLifeMs)
    await transaction(platform, async (tx) => {
      const transferred = await countReport(tx, node, { epoch, seq, peers, now, onlineSince, liveSince })
      // Nothing was counted: a repeated report, or an agent that must learn why it is refused.
      if (transferred.length === 0) await nodes.getNodeState(tx, node, epoch)
      const tenants = transferred.flatMap(({ tenantId, rxBytes: bytesUp, txBytes: bytesDown }) =>
        tenantId !== null && bytesUp + bytesDown > 0 ? [{ tenantId, bytesUp, bytesDown }] : [],
      )
      if (tenants.length > 0) await events.emit(tx, 'vpn.transferred', { tenants })
    })
  }

  return { report }
}

export type Reports = ReturnType<typeof reportService>

/** Two entries for one key cannot both be true. */
function refuseDuplicates(peers: NodeReport['peers']): void {
  const seen = new Set<string>()
  const faults: FieldError[] = []
  for (const [index, { publicKey }] of peers.entries()) {
    if (seen.has(publicKey))
      faults.push({ path: `/body/peers/${index}/publicKey`, code: 'twice', message: 'is in the report twice' })
    seen.add(publicKey)
  }
  refuseFields(faults)
}
