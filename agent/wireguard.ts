import type { Folder } from './files.ts'
import type { Peer, Rejection } from './peer.ts'
import { CommandFailed, type Run } from './run.ts'

/** One line of `wg show dump`. `handshakeAt`: seconds since 1970 by this machine's clock, 0 for never. */
export type DumpedPeer = {
  publicKey: string
  presharedKey: string
  endpoint: string | null
  allowedIps: string[]
  handshakeAt: number
  rx: number
  tx: number
  keepalive: string
}

/** `before`: the interface's peers; `removed`: those that were removed, or removed and added again. */
export type Reconciled = { before: DumpedPeer[]; removed: string[]; added: number; rejected: Rejection[] }

export type Wireguard = {
  /** Adds what it can; returns the peers that `wg` refused. */
  add(peers: Peer[]): Promise<Rejection[]>
  remove(publicKeys: string[]): Promise<void>
  /** For a new interface: adds all peers. Those with an endpoint get keepalives until the next `reconcile`. */
  fill(peers: Peer[], endpoints: Record<string, string>): Promise<Rejection[]>
  /**
   * Makes a live interface have exactly these peers, without touching those that already match. `wg syncconf` would
   * remove and restore the addresses of every peer, and wireguard-go drops packets meanwhile (measured: 2 % of the
   * packets while it ran in a loop).
   */
  reconcile(peers: Peer[]): Promise<Reconciled>
  dump(): Promise<DumpedPeer[]>
}

/** `wg` reads a whole file and configures the kernel in one call. */
const peersOfCallMax = 500
/** The keepalive interval meanwhile. WireGuard itself repeats a pending handshake after 5 s. */
const knockSeconds = 1

type Deps = {
  run: Run
  folder: Folder
  interfaceName: string
  privateKey: string
  listenPort: number
}

export function wireguard({ run, folder, interfaceName, privateKey, listenPort }: Deps): Wireguard {
  const wg = (...args: string[]) => run('wg', args)
  const addFile = (peers: Peer[]) =>
    folder.withTemporaryFile(peers.map((peer) => section(peer)).join('\n'), (path) =>
      wg('addconf', interfaceName, path),
    )

  /** `wg` refuses a file with a bad peer as a whole; halving finds which one it is. */
  const addSome = async (peers: Peer[]): Promise<Rejection[]> => {
    if (peers.length === 0) return []
    try {
      await addFile(peers)
      return []
    } catch (error) {
      if (!(error instanceof CommandFailed) || isInterfaceGone(error)) throw error
      const [first] = peers
      if (peers.length === 1 && first) return [{ publicKey: first.publicKey, reason: 'REFUSED_BY_WIREGUARD' }]
      const middle = Math.ceil(peers.length / 2)
      return [...(await addSome(peers.slice(0, middle))), ...(await addSome(peers.slice(middle)))]
    }
  }
  const add = async (peers: Peer[]) => {
    const rejected: Rejection[] = []
    for (const some of inBatches(peers)) rejected.push(...(await addSome(some)))
    return rejected
  }
  const remove = async (publicKeys: string[]) => {
    for (const some of inBatches(publicKeys)) {
      await wg('set', interfaceName, ...some.flatMap((publicKey) => ['peer', publicKey, 'remove']))
    }
  }
  const head = `[Interface]\nPrivateKey = ${privateKey}\nListenPort = ${listenPort}\n`
  const dump = async () => parseDump(await wg('show', interfaceName, 'dump'))
  return {
    add,
    remove,
    dump,
    fill: async (peers, endpoints) => {
      const text = [head, ...peers.map((peer) => section(peer, endpoints[peer.publicKey]))].join('\n')
      try {
        await folder.withTemporaryFile(text, (path) => wg('syncconf', interfaceName, path))
        return []
      } catch (error) {
        if (!(error instanceof CommandFailed) || isInterfaceGone(error)) throw error
      }
      // Something in the file is not liked. Without it nobody would come in.
      await folder.withTemporaryFile(head, (path) => wg('setconf', interfaceName, path))
      return add(peers)
    },
    reconcile: async (peers) => {
      const text = await wg('show', interfaceName, 'dump')
      const [ownKey, , ownPort] = text.slice(0, text.indexOf('\n')).split('\t')
      if (ownKey !== privateKey || ownPort !== String(listenPort)) {
        const port = ['listen-port', String(listenPort)]
        await folder.withTemporaryFile(privateKey, (path) => wg('set', interfaceName, 'private-key', path, ...port))
      }
      const before = parseDump(text)
      const live = new Map(before.map((peer) => [peer.publicKey, peer]))
      const wanted = new Map(peers.map((peer) => [peer.publicKey, peer]))
      const missing = peers.filter((peer) => !isAs(live.get(peer.publicKey), peer))
      const wrong = missing.map(({ publicKey }) => publicKey).filter((publicKey) => live.has(publicKey))
      const removed = [...[...live.keys()].filter((publicKey) => !wanted.has(publicKey)), ...wrong]
      await remove(removed)
      const isGone = new Set(removed)
      const knocking = before.filter(({ keepalive }) => keepalive !== 'off').map(({ publicKey }) => publicKey)
      for (const some of inBatches(knocking.filter((publicKey) => !isGone.has(publicKey)))) {
        await wg('set', interfaceName, ...some.flatMap((key) => ['peer', key, 'persistent-keepalive', '0']))
      }
      return { before, removed, added: missing.length, rejected: await add(missing) }
    },
  }
}

const isAs = (live: DumpedPeer | undefined, peer: Peer) =>
  live !== undefined &&
  live.presharedKey === peer.presharedKey &&
  [...live.allowedIps].sort().join() === [...peer.allowedIps].sort().join()

const isInterfaceGone = (error: unknown): boolean =>
  error instanceof CommandFailed &&
  /No such device|Unable to (?:access|modify) interface: (?!Invalid)/.test(error.stderr)

function* inBatches<T>(items: T[]): Generator<T[]> {
  for (let from = 0; from < items.length; from += peersOfCallMax) yield items.slice(from, from + peersOfCallMax)
}

function section(peer: Peer, endpoint?: string): string {
  const lines = [
    '[Peer]',
    `PublicKey = ${peer.publicKey}`,
    // Always: a file without this line would leave an old preshared key in a live peer.
    `PresharedKey = ${peer.presharedKey}`,
    `AllowedIPs = ${peer.allowedIps.join(', ')}`,
  ]
  if (endpoint !== undefined) lines.push(`Endpoint = ${endpoint}`, `PersistentKeepalive = ${knockSeconds}`)
  return `${lines.join('\n')}\n`
}

function parseDump(text: string): DumpedPeer[] {
  // The first line is the interface itself, with its private key.
  const [, ...lines] = text.split('\n').filter(Boolean)
  return lines.map((line) => {
    const [publicKey = '', presharedKey = '', endpoint, allowedIps = '', handshakeAt, rx, tx, keepalive = 'off'] =
      line.split('\t')
    return {
      publicKey,
      presharedKey,
      endpoint: endpoint === undefined || endpoint === '(none)' ? null : endpoint,
      allowedIps: allowedIps === '(none)' ? [] : allowedIps.split(','),
      keepalive,
      handshakeAt: Number(handshakeAt),
      rx: Number(rx),
      tx: Number(tx),
    }
  })
}
