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

/** `before`: what the interface had; `removed`: what of it had to go, or to be put there anew. */
export type Reconciled = { before: DumpedPeer[]; removed: string[]; added: number; rejected: Rejection[] }

export type Wireguard = {
  /** Adds what it can; answers which peers `wg` refused. */
  add(peers: Peer[]): Promise<Rejection[]>
  remove(publicKeys: string[]): Promise<void>
  /** For a new interface: all at once. Who has an endpoint is knocked at, until the next `reconcile`. */
  fill(peers: Peer[], endpoints: Record<string, string>): Promise<Rejection[]>
  /**
   * Makes a live interface have exactly these peers and touches none that is as it should be. `wg syncconf` does not do
   * that: it takes the addresses of each peer away and gives them back, and wireguard-go drops what arrives in between
   * (measured: 2 % of the packets while it was run again and again).
   */
  reconcile(peers: Peer[]): Promise<Reconciled>
  dump(): Promise<DumpedPeer[]>
}

/** `wg` reads a file whole, and the kernel is told of it in one go. */
const peersOfCallMax = 500
/** While a device is knocked at. A handshake that is under way is tried again after 5 s by WireGuard itself. */
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
    folder.lend(peers.map((peer) => section(peer)).join('\n'), (path) => wg('addconf', interfaceName, path))

  /** A file with a bad peer is refused whole; halving it finds which one it is. */
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
    for (const some of inParts(peers)) rejected.push(...(await addSome(some)))
    return rejected
  }
  const remove = async (publicKeys: string[]) => {
    for (const some of inParts(publicKeys)) {
      await wg('set', interfaceName, ...some.flatMap((publicKey) => ['peer', publicKey, 'remove']))
    }
  }
  const head = `[Interface]\nPrivateKey = ${privateKey}\nListenPort = ${listenPort}\n`
  const dump = async () => dumped(await wg('show', interfaceName, 'dump'))
  return {
    add,
    remove,
    dump,
    fill: async (peers, endpoints) => {
      const text = [head, ...peers.map((peer) => section(peer, endpoints[peer.publicKey]))].join('\n')
      try {
        await folder.lend(text, (path) => wg('syncconf', interfaceName, path))
        return []
      } catch (error) {
        if (!(error instanceof CommandFailed) || isInterfaceGone(error)) throw error
      }
      // Something in the file is not liked. Without it nobody would come in.
      await folder.lend(head, (path) => wg('setconf', interfaceName, path))
      return add(peers)
    },
    reconcile: async (peers) => {
      const text = await wg('show', interfaceName, 'dump')
      const [ownKey, , ownPort] = text.slice(0, text.indexOf('\n')).split('\t')
      if (ownKey !== privateKey || ownPort !== String(listenPort)) {
        const port = ['listen-port', String(listenPort)]
        await folder.lend(privateKey, (path) => wg('set', interfaceName, 'private-key', path, ...port))
      }
      const before = dumped(text)
      const live = new Map(before.map((peer) => [peer.publicKey, peer]))
      const wanted = new Map(peers.map((peer) => [peer.publicKey, peer]))
      const missing = peers.filter((peer) => !isAs(live.get(peer.publicKey), peer))
      const wrong = missing.map(({ publicKey }) => publicKey).filter((publicKey) => live.has(publicKey))
      const removed = [...[...live.keys()].filter((publicKey) => !wanted.has(publicKey)), ...wrong]
      await remove(removed)
      const isGone = new Set(removed)
      const knocking = before.filter(({ keepalive }) => keepalive !== 'off').map(({ publicKey }) => publicKey)
      for (const some of inParts(knocking.filter((publicKey) => !isGone.has(publicKey)))) {
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

function* inParts<T>(items: T[]): Generator<T[]> {
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

function dumped(text: string): DumpedPeer[] {
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
