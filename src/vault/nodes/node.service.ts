import { randomBytes } from 'node:crypto'
import type { NodeCaller } from '../../http/access/callers.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { yieldPeriodically } from '../../kernel/event-loop.ts'
import { Refusal, refuseFields } from '../../kernel/refusal.ts'
import type { FanOut } from '../../storage/fan-out.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import type { DeviceKeys } from '../devices/device-keys.ts'
import { newNodeToken } from '../node-token.rules.ts'
import { notifierChannels, type ServerNotifier } from '../peers/server-notifier.ts'
import { enrollmentFaults } from '../servers/server.checks.ts'
import { byPublicKey, type NodePeer, peersDigest, secondsUntil } from './node.rules.ts'
import type { Enrollment, NodeStatus, PeersQuery } from './node.schema.ts'
import {
  beginEpoch,
  type EnrolledServer,
  enrollNode,
  findNodeState,
  listChanges,
  listPeers,
  type NodeState,
  recordAcknowledgement,
  type StoredPeer,
} from './node.store.ts'

/** A lost notification delays a node by at most this. */
const recheckMs = 5_000
/** While the service drains, polls are answered after this pause, so that a node that polls again at once does not spin. */
const drainingPauseMs = 1_000

export type Snapshot = { kind: 'snapshot'; revision: number; count: number; sha256: string; peers: NodePeer[] }
export type Delta = { kind: 'delta'; revision: number; upserts: NodePeer[]; removes: string[] }

export type NodeDeps = { clock: Clock; audit: Audit; fanOut: FanOut; keys: DeviceKeys; peerChanges: ServerNotifier }

/** The calls of the agent on a VPN server. All of them refuse with NODE_TOKEN_INVALID and NODE_SUPERSEDED. */
export function nodeService({ clock, audit, fanOut, keys, peerChanges }: NodeDeps) {
  /** Refuses with VALIDATION_ERROR, and with NODE_TOKEN_INVALID a second use of a token. */
  async function enroll(
    platform: PlatformScope,
    node: NodeCaller,
    { publicKey, agentVersion, ...endpoint }: Enrollment,
  ): Promise<{ nodeToken: string; server: EnrolledServer }> {
    const { endpointHost = null, endpointPort = null } = endpoint
    refuseFields(enrollmentFaults({ publicKey, endpointHost }))
    const { token, hash } = newNodeToken('node', randomBytes)
    const row = { publicKey, agentVersion, endpointHost, endpointPort, nodeTokenHash: hash, now: clock.now() }
    const server = await transaction(platform, async (tx) => {
      const enrolled = await enrollNode(tx, node, row)
      if (enrolled === null) throw new Refusal('NODE_TOKEN_INVALID')
      await audit(tx, {
        action: 'server.enroll',
        target: { type: 'server', id: enrolled.id },
        changes: { publicKey, agentVersion },
      })
      tx.handle.afterCommit(() => fanOut.publish(notifierChannels.peers, enrolled.id))
      return enrolled
    })
    return { nodeToken: token, server }
  }

  /**
   * What changed after a revision, at once or as soon as something does; null where nothing did within `wait` seconds.
   * It holds no database connection while it waits. Refuses with REVISION_AHEAD.
   */
  async function peers(
    platform: PlatformScope,
    node: NodeCaller,
    { since, epoch, wait = 0, signal }: PeersQuery & { signal: AbortSignal | null },
  ): Promise<Snapshot | Delta | null> {
    const watch = peerChanges.watch(node.serverId, signal)
    try {
      const overAtMs = performance.now() + wait * 1000
      let state = await beginPoll(platform, node, { since, epoch })
      while (state.revision === since) {
        const leftMs = Math.min(overAtMs - performance.now(), recheckMs)
        if (leftMs <= 0 || signal?.aborted) return null
        if (peerChanges.isEnded()) return await drainingPoll(leftMs)
        await watch.next(leftMs)
        state = await getNodeState(platform, node, epoch)
      }
      if (since > state.revision) throw new Refusal('REVISION_AHEAD')
      const isWhole = since === 0 || since < state.completeFromRevision
      return isWhole ? await snapshot(platform, node, state) : await delta(platform, node, { since, state })
    } finally {
      watch.close()
    }
  }

  async function beginPoll(
    platform: PlatformScope,
    node: NodeCaller,
    { since, epoch }: { since: number; epoch: number },
  ): Promise<NodeState> {
    const state = await getNodeState(platform, node, epoch)
    if (epoch > state.nodeEpoch) {
      if (!(await beginEpoch(platform, node, { epoch, since }))) return getNodeState(platform, node, epoch)
      // The previous agent may be polling any node of the service; wake it, so that it learns that it is superseded.
      fanOut.publish(notifierChannels.peers, node.serverId)
    }
    return state
  }

  async function getNodeState(platform: PlatformScope, node: NodeCaller, epoch: number): Promise<NodeState> {
    const state = await findNodeState(platform, node)
    if (state === null) throw new Refusal('NODE_TOKEN_INVALID')
    if (state.nodeEpoch > epoch) throw new Refusal('NODE_SUPERSEDED')
    return state
  }

  // The revision was read before the peers, so they include everything up to it. Later changes may be included, too, and
  // are sent again with the next delta.
  async function snapshot(
    platform: PlatformScope,
    { serverId }: NodeCaller,
    { revision }: NodeState,
  ): Promise<Snapshot> {
    const peers = await unsealPeers(await listPeers(platform, serverId))
    return { kind: 'snapshot', revision, count: peers.length, sha256: peersDigest(peers), peers }
  }

  async function delta(
    platform: PlatformScope,
    { serverId }: NodeCaller,
    { since, state }: { since: number; state: NodeState },
  ): Promise<Delta> {
    const changes = await listChanges(platform, serverId, since)
    const removes = changes.filter(({ isWanted }) => !isWanted).map(({ publicKey }) => publicKey)
    const upserts = await unsealPeers(changes.filter(({ isWanted }) => isWanted))
    return { kind: 'delta', revision: state.revision, upserts, removes }
  }

  async function unsealPeers(stored: StoredPeer[]): Promise<NodePeer[]> {
    const now = clock.now()
    const breathe = yieldPeriodically()
    const peers: NodePeer[] = []
    for (const peer of stored.sort(byPublicKey)) {
      peers.push({
        publicKey: peer.publicKey,
        presharedKey: keys.openPreshared({ tenantId: peer.tenantId, id: peer.deviceId }, peer.presharedKeySealed),
        allowedIps: [`${peer.assignedIp}/32`, `${peer.assignedIpv6}/128`],
        notAfterSeconds: secondsUntil(peer.endsAt, now),
      })
      await breathe()
    }
    return peers
  }

  /** Refuses with VALIDATION_ERROR, and with REVISION_AHEAD for a revision that the server never had. */
  async function status(
    platform: PlatformScope,
    node: NodeCaller,
    { epoch, appliedRevision, rejected, servesDns = false }: NodeStatus,
  ): Promise<void> {
    const reasons = Object.fromEntries(rejected.map(({ publicKey, reason }) => [publicKey, reason]))
    await transaction(platform, async (tx) => {
      const updated = await recordAcknowledgement(tx, node, {
        epoch,
        appliedRevision,
        rejected: reasons,
        servesDns,
        now: clock.now(),
      })
      if (updated === null) {
        await getNodeState(tx, node, epoch)
        throw new Refusal('REVISION_AHEAD')
      }
      if (updated.confirmed > 0)
        tx.handle.afterCommit(() => fanOut.publish(notifierChannels.acknowledgements, node.serverId))
    })
  }

  return { enroll, peers, status, getNodeState }
}

export type Nodes = ReturnType<typeof nodeService>

async function drainingPoll(leftMs: number): Promise<null> {
  await new Promise((resolve) => setTimeout(resolve, Math.min(leftMs, drainingPauseMs)))
  return null
}
