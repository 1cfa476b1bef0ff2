import { randomBytes } from 'node:crypto'
import type { NodeCaller } from '../../http/access/access.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { yieldPeriodically } from '../../kernel/event-loop.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { FanOut } from '../../storage/fan-out.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import type { DeviceKeys } from '../devices/device-keys.ts'
import { invalidAll } from '../faults.ts'
import { newNodeToken } from '../node-token.rules.ts'
import { notifierChannels, type ServerNotifier } from '../peers/server-notifier.ts'
import { enrollmentFaults } from '../servers/server.checks.ts'
import { byPublicKey, digestOfPeers, type NodePeer, secondsUntil } from './node.rules.ts'
import type { Enrollment, NodeStatus, PeersQuery } from './node.schema.ts'
import {
  acknowledge,
  beginEpoch,
  type EnrolledServer,
  enrollNode,
  findStanding,
  listChanges,
  listPeers,
  type Standing,
  type StoredPeer,
} from './node.store.ts'

/** News that did not arrive costs a node this much. */
const recheckMs = 5_000
/** While the service drains, a poll is not answered sooner: whoever comes back to it at once is not to come back at full speed. */
const drainingPauseMs = 1_000

export type Snapshot = { kind: 'snapshot'; revision: number; count: number; sha256: string; peers: NodePeer[] }
export type Delta = { kind: 'delta'; revision: number; upserts: NodePeer[]; removes: string[] }

export type NodeDeps = { clock: Clock; audit: Audit; fanOut: FanOut; keys: DeviceKeys; news: ServerNotifier }

/** What the agent on a server asks and says. Refuses with NODE_TOKEN_INVALID and NODE_SUPERSEDED all along. */
export function nodeService({ clock, audit, fanOut, keys, news }: NodeDeps) {
  /** Refuses with VALIDATION_ERROR, and with NODE_TOKEN_INVALID who comes second with one token. */
  async function enroll(
    platform: PlatformScope,
    node: NodeCaller,
    { publicKey, agentVersion, ...endpoint }: Enrollment,
  ): Promise<{ nodeToken: string; server: EnrolledServer }> {
    const { endpointHost = null, endpointPort = null } = endpoint
    const faults = enrollmentFaults({ publicKey, endpointHost })
    if (faults.length > 0) throw invalidAll(faults)
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
   * What changed after a revision, at once or as soon as it does; null where nothing did within `wait` seconds. Between
   * two looks it holds nothing of the database. Refuses with REVISION_AHEAD.
   */
  async function peers(
    platform: PlatformScope,
    node: NodeCaller,
    { since, epoch, wait = 0, signal }: PeersQuery & { signal: AbortSignal | null },
  ): Promise<Snapshot | Delta | null> {
    const watch = news.watch(node.serverId, signal)
    try {
      const overAtMs = performance.now() + wait * 1000
      let standing = await enter(platform, node, { since, epoch })
      while (standing.revision === since) {
        const leftMs = Math.min(overAtMs - performance.now(), recheckMs)
        if (leftMs <= 0 || signal?.aborted) return null
        if (news.isEnded()) return await endedPoll(leftMs)
        await watch.next(leftMs)
        standing = await getStanding(platform, node, epoch)
      }
      if (since > standing.revision) throw new Refusal('REVISION_AHEAD')
      const isWhole = since === 0 || since < standing.completeFromRevision
      return isWhole ? await snapshot(platform, node, standing) : await delta(platform, node, { since, standing })
    } finally {
      watch.close()
    }
  }

  async function enter(
    platform: PlatformScope,
    node: NodeCaller,
    { since, epoch }: { since: number; epoch: number },
  ): Promise<Standing> {
    const standing = await getStanding(platform, node, epoch)
    if (epoch > standing.nodeEpoch) {
      if (!(await beginEpoch(platform, node, { epoch, since }))) return getStanding(platform, node, epoch)
      // The agent before may wait on any node of the service: it hears that it has been taken over.
      fanOut.publish(notifierChannels.peers, node.serverId)
    }
    return standing
  }

  async function getStanding(platform: PlatformScope, node: NodeCaller, epoch: number): Promise<Standing> {
    const standing = await findStanding(platform, node)
    if (standing === null) throw new Refusal('NODE_TOKEN_INVALID')
    if (standing.nodeEpoch > epoch) throw new Refusal('NODE_SUPERSEDED')
    return standing
  }

  // The revision was read before the peers: whatever it stands for is among them. What came since is there early, and
  // comes again.
  async function snapshot(
    platform: PlatformScope,
    { serverId }: NodeCaller,
    { revision }: Standing,
  ): Promise<Snapshot> {
    const peers = await opened(await listPeers(platform, serverId))
    return { kind: 'snapshot', revision, count: peers.length, sha256: digestOfPeers(peers), peers }
  }

  async function delta(
    platform: PlatformScope,
    { serverId }: NodeCaller,
    { since, standing }: { since: number; standing: Standing },
  ): Promise<Delta> {
    const changes = await listChanges(platform, serverId, since)
    const removes = changes.filter(({ isWanted }) => !isWanted).map(({ publicKey }) => publicKey)
    const upserts = await opened(changes.filter(({ isWanted }) => isWanted))
    return { kind: 'delta', revision: standing.revision, upserts, removes }
  }

  async function opened(stored: StoredPeer[]): Promise<NodePeer[]> {
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

  /** Refuses with VALIDATION_ERROR, and with REVISION_AHEAD for a revision that the server has not had. */
  async function status(
    platform: PlatformScope,
    node: NodeCaller,
    { epoch, appliedRevision, rejected }: NodeStatus,
  ): Promise<void> {
    const reasons = Object.fromEntries(rejected.map(({ publicKey, reason }) => [publicKey, reason]))
    await transaction(platform, async (tx) => {
      const heard = await acknowledge(tx, node, { epoch, appliedRevision, rejected: reasons, now: clock.now() })
      if (heard === null) {
        await getStanding(tx, node, epoch)
        throw new Refusal('REVISION_AHEAD')
      }
      if (heard.confirmed > 0)
        tx.handle.afterCommit(() => fanOut.publish(notifierChannels.acknowledgements, node.serverId))
    })
  }

  return { enroll, peers, status, getStanding }
}

export type Nodes = ReturnType<typeof nodeService>

async function endedPoll(leftMs: number): Promise<null> {
  await new Promise((resolve) => setTimeout(resolve, Math.min(leftMs, drainingPauseMs)))
  return null
}
