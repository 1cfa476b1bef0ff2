import { type HeldPeer, keyAsSent, type Rejection, type ValidatePeer } from './peer.ts'

/** The wanted peers of the interface, by key and by address. */
export type PeerTable = {
  size(): number
  find(publicKey: string): HeldPeer | undefined
  ownerOf(address: string): string | undefined
  all(): Iterable<HeldPeer>
  apply(change: Change): void
}

/** Apply `removes` before `adds`. `renewed` peers only have a new end, which the interface does not know. */
export type Change = { removes: string[]; adds: HeldPeer[]; renewed: HeldPeer[] }
export type Plan = Change & { rejected: Rejection[] }

/** `now`: seconds of the boot clock. */
export type PlanContext = { validate: ValidatePeer; now: number }

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

/** Its cost depends on the delta, not on the number of peers. */
export function planDelta(
  table: PeerTable,
  delta: { removes: string[]; upserts: unknown[] },
  circumstances: PlanContext,
): Plan {
  return makePlan(table, { gone: delta.removes, wanted: delta.upserts }, circumstances)
}

export function planSnapshot(
  table: PeerTable,
  snapshot: { peers: unknown[]; gone: string[] },
  circumstances: PlanContext,
): Plan {
  return makePlan(table, { gone: snapshot.gone, wanted: snapshot.peers }, circumstances)
}

/** Keys that the table has and the snapshot does not. */
export function missingPeers(table: PeerTable, peers: unknown[]): string[] {
  const there = new Set(peers.map(keyAsSent))
  return [...table.all()].map(({ publicKey }) => publicKey).filter((publicKey) => !there.has(publicKey))
}

/**
 * A snapshot may not remove a greater share of the peers at once without permission: a database restored to an older
 * state would otherwise cut off all later devices.
 */
const removedShareMax = 0.3

/**
 * Splits removals into those to do now and those that wait for the operator. Removals that already wait do not delay
 * a peer that was revoked since.
 */
export function splitRemovals(input: { gone: string[]; held: number; waiting: Set<string>; isAllowed: boolean }): {
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

function makePlan(
  table: PeerTable,
  asked: { gone: string[]; wanted: unknown[] },
  { validate, now }: PlanContext,
): Plan {
  const removes = new Set(asked.gone.filter((publicKey) => table.find(publicKey)))
  const rejected: Rejection[] = []
  const renewed: HeldPeer[] = []
  const pending = new Map<string, HeldPeer>()
  for (const verdict of lastByKey(asked.wanted.map(validate))) {
    // A peer whose record is now invalid or ended must be removed.
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
    if (held && !removes.has(publicKey) && isEqual(held, peer)) renewed.push(peer)
    else {
      // A new preshared key or address needs the peer to be removed and added again.
      if (held) removes.add(publicKey)
      pending.set(publicKey, peer)
    }
  }
  const adds = withoutTakenAddresses({ pending, table, removes, rejected })
  return { removes: [...removes], adds, renewed, rejected }
}

function lastByKey(verdicts: ReturnType<ValidatePeer>[]): ReturnType<ValidatePeer>[] {
  const byKey = new Map(
    verdicts.map((verdict) => [verdict.isGood ? verdict.peer.publicKey : verdict.publicKey, verdict]),
  )
  return [...byKey.values()]
}

const isEqual = (a: HeldPeer, b: HeldPeer) =>
  a.presharedKey === b.presharedKey && a.allowedIps.join() === b.allowedIps.join()

/** Rejects peers with an address that another peer has: `wg` would silently move it to the later one. */
function withoutTakenAddresses(input: {
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
