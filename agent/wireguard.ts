import type { Folder } from './files.ts'
import type { Peer, Rejection } from './peer.ts'
import { CommandFailed, type Run } from './run.ts'

/** One line of `wg show dump`. `handshakeAt`: seconds since 1970 by this machine's clock, 0 for never. */
export type DumpedPeer = { publicKey: string; endpoint: string | null; handshakeAt: number; rx: number; tx: number }

export type Wireguard = {
  /** Adds what it can; answers which peers `wg` refused. */
  add(peers: Peer[]): Promise<Rejection[]>
  remove(publicKeys: string[]): Promise<void>
  /** Makes the interface have exactly these peers, without disturbing those it has. */
  sync(wanted: Wanted): Promise<Rejection[]>
  dump(): Promise<DumpedPeer[]>
}

/** `endpoints`: where to knock, of peers that are to shake hands at once. */
export type Wanted = { peers: Peer[]; endpoints?: Record<string, string> }

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
    sync: async ({ peers, endpoints = {} }) => {
      const text = [head, ...peers.map((peer) => section(peer, endpoints[peer.publicKey]))].join('\n')
      try {
        await folder.lend(text, (path) => wg('syncconf', interfaceName, path))
        return []
      } catch (error) {
        if (!(error instanceof CommandFailed) || isInterfaceGone(error)) throw error
      }
      // Something in the file is not liked. What must not be there goes first, then all others one half after the other.
      await folder.lend(head, (path) => wg('addconf', interfaceName, path))
      const wanted = new Set(peers.map(({ publicKey }) => publicKey))
      await remove((await dump()).map(({ publicKey }) => publicKey).filter((publicKey) => !wanted.has(publicKey)))
      return add(peers)
    },
  }
}

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
    const [publicKey = '', , endpoint = '(none)', , handshakeAt, rx, tx] = line.split('\t')
    return {
      publicKey,
      endpoint: endpoint === '(none)' ? null : endpoint,
      handshakeAt: Number(handshakeAt),
      rx: Number(rx),
      tx: Number(tx),
    }
  })
}
