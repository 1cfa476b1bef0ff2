import type { FanOut } from '../../storage/fan-out.ts'
import type { Scope, TenantScope } from '../../storage/scope.ts'
import {
  dropTenantPeers,
  type Peer,
  refreshPeers,
  retireKey,
  revokePeers,
  wantPeer,
  withdrawPeers,
} from './peer.store.ts'
import { notifierChannels } from './server-notifier.ts'

/** Changes peers and, once committed, wakes the node that polls for the server's peers. */
export function peerService(fanOut: FanOut) {
  const notifyNode = (tx: Scope, serverId: string) =>
    tx.handle.afterCommit(() => fanOut.publish(notifierChannels.peers, serverId))

  /** In the order of ids, so that two transactions cannot deadlock on servers. */
  async function forEachServer(tx: Scope, peers: Peer[], change: (of: OfServer) => Promise<void>): Promise<void> {
    const groups = [...Map.groupBy(peers, ({ serverId }) => serverId)].sort(([a], [b]) => (a < b ? -1 : 1))
    for (const [serverId, group] of groups) {
      await change({ serverId, peers: group })
      notifyNode(tx, serverId)
    }
  }

  return {
    /** False, and nothing changed, where the server is disabled. */
    want: async (tx: TenantScope, peer: { deviceId: string; serverId: string }): Promise<boolean> => {
      const isDone = await wantPeer(tx, peer)
      if (isDone) notifyNode(tx, peer.serverId)
      return isDone
    },
    refresh: (tx: Scope, peers: Peer[]) => forEachServer(tx, peers, (group) => refreshPeers(tx, group)),
    withdraw: (tx: Scope, peers: Peer[]) => forEachServer(tx, peers, (group) => withdrawPeers(tx, group)),
    revoke: (tx: Scope, peers: Peer[], now: Date) =>
      forEachServer(tx, peers, (group) => revokePeers(tx, { ...group, now })),
    retireKey: async (tx: TenantScope, of: { deviceId: string; serverId: string; now: Date }): Promise<void> => {
      if (await retireKey(tx, of)) notifyNode(tx, of.serverId)
    },
    dropTenant: async (tx: TenantScope, now: Date): Promise<void> => {
      for (const serverId of await dropTenantPeers(tx, now)) notifyNode(tx, serverId)
    },
  }
}

type OfServer = { serverId: string; peers: Peer[] }

export type Peers = ReturnType<typeof peerService>
