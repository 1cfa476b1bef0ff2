import { type HeldPeer, type Judge, type Rejection, sentKey } from './peer.ts'

/** The peers that the interface is to have, and who has which address. */
export type PeerTable = {
  size(): number
  find(publicKey: string): HeldPeer | undefined
  ownerOf(address: string): string | undefined
  all(): Iterable<HeldPeer>
  apply(change: Change): void
}

/** `removes` first, then `adds`; `renewed` have only another end, which is no matter of the interface. */
export type Change = { removes: string[]; adds: HeldPeer[]; renewed: HeldPeer[] }
export type Plan = Change & { rejected: Rejection[] }

/** `now`: seconds of the boot clock. */
export type Circumstances = { judge: Judge; now: number }

export function peerTable(peers: Iterable<HeldPeer> = []): PeerTable {
  const byKey = new Map<string, HeldPeer>()
  const byAddress = new Map<string, string>()
  const put = (peer: HeldPeer) => {
    byKey.set(peer.publicKey, peer)
    for (const address of peer.allowedIps) byAddress.set(address, peer.publicKey)
  }
  const remove = (publicKey: string) => {
    for (const address of byKey.get(publicKey)?.allowedIps ?? []) byAddress.delete(address)
    byKey.delete(publicKey)
  }
  for (const peer of peers) put(peer)
  return {
    size: () => byKey.size,
    find: (publicKey) => byKey.get(publicKey),
    ownerOf: (address) => byAddress.get(address),
    all: () => byKey.values(),
    apply: ({ removes, adds, renewed }) => {
      removes.forEach(remove)
      adds.forEach(put)
      renewed.forEach(put)
    },
  }
}

/** Costs as much as the delta is long, however many peers there are. */
export function planDelta(
  table: PeerTable,
  delta: { removes: string[]; upserts: unknown[] },
  circumstances: Circumstances,
): Plan {
  return planOf(table, { gone: delta.removes, wanted: delta.upserts }, circumstances)
}

export function planSnapshot(
  table: PeerTable,
  snapshot: { peers: unknown[]; gone: string[] },
  circumstances: Circumstances,
): Plan {
  return planOf(table, { gone: snapshot.gone, wanted: snapshot.peers }, circumstances)
}

/** Held, but not in the snapshot. */
export function goneFrom(table: PeerTable, peers: unknown[]): string[] {
  const there = new Set(peers.map(sentKey))
  return [...table.all()].map(({ publicKey }) => publicKey).filter((publicKey) => !there.has(publicKey))
}

/**
 * Without a snapshot's word for it, more than this share of the peers is not removed at one time: a database restored
 * to an older state would take the others down with it.
 */
const removedShareMax = 0.3

/**
 * What of the removals may be done, and what has to wait for the operator. Those that waited already do not hold up a
 * peer that was revoked since.
 */
export function removalsOf(input: { gone: string[]; held: number; waiting: Set<string>; isAllowed: boolean }): {
  now: string[]
  waiting: string[]
} {
  const max = input.held * removedShareMax
  if (input.isAllowed || input.gone.length <= max) return { now: input.gone, waiting: [] }
  const [fresh, old] = [
    input.gone.filter((key) => !input.waiting.has(key)),
    input.gone.filter((key) => input.waiting.has(key)),
  ]
  return fresh.length <= max ? { now: fresh, waiting: old } : { now: [], waiting: input.gone }
}

function planOf(table: PeerTable, asked: { gone: string[]; wanted: unknown[] }, { judge, now }: Circumstances): Plan {
  const removes = new Set(asked.gone.filter((publicKey) => table.find(publicKey)))
  const rejected: Rejection[] = []
  const renewed: HeldPeer[] = []
  const pending = new Map<string, HeldPeer>()
  for (const verdict of latestOfEach(asked.wanted.map(judge))) {
    // What was held under a record that is now bad or ended is not what the platform wants any more.
    const isEnded = verdict.isGood && verdict.endsInSeconds !== null && verdict.endsInSeconds <= 0
    const publicKey = verdict.isGood ? verdict.peer.publicKey : verdict.publicKey
    const held = table.find(publicKey)
    if (!verdict.isGood) rejected.push({ publicKey, reason: verdict.reason })
    if (!verdict.isGood || isEnded) {
      if (held) removes.add(publicKey)
      continue
    }
    const endsAt = verdict.endsInSeconds === null ? null : now + verdict.endsInSeconds
    const peer = { ...verdict.peer, endsAt }
    if (held && !removes.has(publicKey) && isSame(held, peer)) renewed.push(peer)
    else {
      // A live peer takes over neither another preshared key nor another address without being put there anew.
      if (held) removes.add(publicKey)
      pending.set(publicKey, peer)
    }
  }
  const adds = withoutTaken({ pending, table, removes, rejected })
  return { removes: [...removes], adds, renewed, rejected }
}

function latestOfEach(verdicts: ReturnType<Judge>[]): ReturnType<Judge>[] {
  const byKey = new Map(
    verdicts.map((verdict) => [verdict.isGood ? verdict.peer.publicKey : verdict.publicKey, verdict]),
  )
  return [...byKey.values()]
}

const isSame = (a: HeldPeer, b: HeldPeer) =>
  a.presharedKey === b.presharedKey && a.allowedIps.join() === b.allowedIps.join()

/** `wg` would move an address that two peers have to the later one without a word. */
function withoutTaken(input: {
  pending: Map<string, HeldPeer>
  table: PeerTable
  removes: Set<string>
  rejected: Rejection[]
}): HeldPeer[] {
  const taken = new Set<string>()
  const isTaken = (address: string) => {
    const owner = input.table.ownerOf(address)
    return taken.has(address) || (owner !== undefined && !input.removes.has(owner))
  }
  return [...input.pending.values()].filter((peer) => {
    if (peer.allowedIps.some(isTaken)) {
      input.rejected.push({ publicKey: peer.publicKey, reason: 'ADDRESS_TAKEN' })
      return false
    }
    for (const address of peer.allowedIps) taken.add(address)
    return true
  })
}
