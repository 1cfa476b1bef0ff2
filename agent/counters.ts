import type { RawCounters } from './state.ts'

export type ReportedPeer = {
  publicKey: string
  handshakeAgeSeconds: number | null
  rxBytes: number
  txBytes: number
}
/** What the interface shows of a peer. */
type Seen = { publicKey: string; handshakeAt: number; rx: number; tx: number }
/** A report that is not acknowledged yet. It holds the time of the handshake; the age is computed when it is sent. */
export type Report = { seq: number; peers: (Omit<ReportedPeer, 'handshakeAgeSeconds'> & { handshakeAt: number })[] }

type Count = { raw: number; total: number }
type Counted = { rx: Count; tx: Count; handshakeAt: number; reported: { rx: number; tx: number; handshakeAt: number } }

/** A larger request might be refused. The other peers follow in the next report, at once. */
export const peersOfReportMax = 5000

/**
 * Totals of one epoch. They continue from what the previous epoch reported and never decrease. A new interface, or a peer
 * that was removed and added again, counts from zero on top of the total.
 */
export function counters(previousCounters: RawCounters | undefined) {
  const byKey = new Map<string, Counted>()
  let seq = 0
  let pending: Report | undefined

  const startCounting = ({ publicKey, rx, tx }: Seen): Counted => {
    // Without earlier counters, counting the current values might count them twice.
    const told = previousCounters === undefined ? { rx, tx } : (previousCounters[publicKey] ?? { rx: 0, tx: 0 })
    const counted = {
      rx: { raw: told.rx, total: 0 },
      tx: { raw: told.tx, total: 0 },
      handshakeAt: 0,
      reported: { rx: 0, tx: 0, handshakeAt: 0 },
    }
    byKey.set(publicKey, counted)
    return counted
  }
  const hasChanged = ({ rx, tx, handshakeAt, reported }: Counted) =>
    rx.total !== reported.rx || tx.total !== reported.tx || handshakeAt !== reported.handshakeAt

  return {
    observe: (dump: Seen[]) => {
      for (const peer of dump) {
        const counted = byKey.get(peer.publicKey) ?? startCounting(peer)
        advance(counted.rx, peer.rx)
        advance(counted.tx, peer.tx)
        if (peer.handshakeAt > 0) counted.handshakeAt = peer.handshakeAt
      }
    },
    /** Their counters on the interface start at zero again. */
    removed: (publicKeys: string[]) => {
      for (const publicKey of publicKeys) {
        const counted = byKey.get(publicKey)
        if (!counted) continue
        counted.rx.raw = 0
        counted.tx.raw = 0
      }
    },
    /**
     * The report to send: the unacknowledged one, else what changed since. Without changes, the first report of a round
     * is sent without peers, because a silent node counts as offline.
     */
    next: ({ isFirst = false } = {}): Report | undefined => {
      if (pending) return pending
      const changed = [...byKey].filter(([, counted]) => hasChanged(counted)).slice(0, peersOfReportMax)
      if (changed.length === 0 && !isFirst) return undefined
      const peers = changed.map(([publicKey, { rx, tx, handshakeAt }]) => ({
        publicKey,
        handshakeAt,
        rxBytes: rx.total,
        txBytes: tx.total,
      }))
      pending = { seq: ++seq, peers }
      return pending
    },
    acknowledged: () => {
      for (const { publicKey, rxBytes, txBytes, handshakeAt } of pending?.peers ?? []) {
        const counted = byKey.get(publicKey)
        if (counted) counted.reported = { rx: rxBytes, tx: txBytes, handshakeAt }
      }
      pending = undefined
    },
    abandoned: () => {
      pending = undefined
    },
    /** The interface's counters as far as they were reported, for the next epoch. */
    reportedCounters: (isHeld: (publicKey: string) => boolean): RawCounters =>
      Object.fromEntries(
        [...byKey]
          .filter(([publicKey]) => isHeld(publicKey))
          .map(([publicKey, { rx, tx, reported }]) => [
            publicKey,
            { rx: reportedRaw(rx, reported.rx), tx: reportedRaw(tx, reported.tx) },
          ]),
      ),
  }
}

function advance(count: Count, raw: number): void {
  count.total += raw >= count.raw ? raw - count.raw : raw
  count.raw = raw
}

/** The unreported part is the end of the interface's count. */
const reportedRaw = ({ raw, total }: Count, reported: number) => Math.max(0, raw - (total - reported))

/** Sends ages instead of times, so that the clocks of node and platform need not agree. Never negative. */
export function reportedPeers({ peers }: Report, nowSeconds: number): ReportedPeer[] {
  return peers.map(({ handshakeAt, ...peer }) => ({
    ...peer,
    handshakeAgeSeconds: handshakeAt === 0 ? null : Math.max(0, Math.floor(nowSeconds - handshakeAt)),
  }))
}
