import type { RawCounters } from './state.ts'

export type ReportedPeer = {
  publicKey: string
  handshakeAgeSeconds: number | null
  rxBytes: number
  txBytes: number
}
/** What the interface says of a peer. */
type Seen = { publicKey: string; handshakeAt: number; rx: number; tx: number }
/** A report that was begun and not yet acknowledged; the handshake is a moment, its age is told when it is sent. */
export type Report = { seq: number; peers: (Omit<ReportedPeer, 'handshakeAgeSeconds'> & { handshakeAt: number })[] }

type Count = { raw: number; total: number }
type Counted = { rx: Count; tx: Count; handshakeAt: number; reported: { rx: number; tx: number; handshakeAt: number } }

/** More would be a request that a platform may refuse; the others follow at once. */
export const peersOfReportMax = 5000

/**
 * Totals of one epoch. They begin at what the epoch before had told, and never go back: an interface that was made
 * anew and a peer that was removed and added again count from zero on top of what was.
 */
export function counters(toldBefore: RawCounters | undefined) {
  const byKey = new Map<string, Counted>()
  let seq = 0
  let pending: Report | undefined

  const begin = ({ publicKey, rx, tx }: Seen): Counted => {
    // Nothing known of before at all: counting all of it might count it twice.
    const told = toldBefore === undefined ? { rx, tx } : (toldBefore[publicKey] ?? { rx: 0, tx: 0 })
    const counted = {
      rx: { raw: told.rx, total: 0 },
      tx: { raw: told.tx, total: 0 },
      handshakeAt: 0,
      reported: { rx: 0, tx: 0, handshakeAt: 0 },
    }
    byKey.set(publicKey, counted)
    return counted
  }
  const isNews = ({ rx, tx, handshakeAt, reported }: Counted) =>
    rx.total !== reported.rx || tx.total !== reported.tx || handshakeAt !== reported.handshakeAt

  return {
    observe: (dump: Seen[]) => {
      for (const peer of dump) {
        const counted = byKey.get(peer.publicKey) ?? begin(peer)
        advance(counted.rx, peer.rx)
        advance(counted.tx, peer.tx)
        if (peer.handshakeAt > 0) counted.handshakeAt = peer.handshakeAt
      }
    },
    /** Its next counters on the interface start at zero. */
    removed: (publicKeys: string[]) => {
      for (const publicKey of publicKeys) {
        const counted = byKey.get(publicKey)
        if (!counted) continue
        counted.rx.raw = 0
        counted.tx.raw = 0
      }
    },
    /**
     * The report to send: the one that was not acknowledged, else what changed since, else nothing; of a round's first
     * one without peers, for a node that says nothing is taken to be gone.
     */
    next: ({ isFirst = false } = {}): Report | undefined => {
      if (pending) return pending
      const news = [...byKey].filter(([, counted]) => isNews(counted)).slice(0, peersOfReportMax)
      if (news.length === 0 && !isFirst) return undefined
      const peers = news.map(([publicKey, { rx, tx, handshakeAt }]) => ({
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
    /** What of the interface's counters has been told, for the epoch after this one. */
    told: (isHeld: (publicKey: string) => boolean): RawCounters =>
      Object.fromEntries(
        [...byKey]
          .filter(([publicKey]) => isHeld(publicKey))
          .map(([publicKey, { rx, tx, reported }]) => [
            publicKey,
            { rx: toldOf(rx, reported.rx), tx: toldOf(tx, reported.tx) },
          ]),
      ),
  }
}

function advance(count: Count, raw: number): void {
  count.total += raw >= count.raw ? raw - count.raw : raw
  count.raw = raw
}

/** What is not yet reported lies at the end of the interface's count. */
const toldOf = ({ raw, total }: Count, reported: number) => Math.max(0, raw - (total - reported))

/** Ages and not moments travel, so that no clock has to agree with another; one that went back makes no age below 0. */
export function reportedPeers({ peers }: Report, nowSeconds: number): ReportedPeer[] {
  return peers.map(({ handshakeAt, ...peer }) => ({
    ...peer,
    handshakeAgeSeconds: handshakeAt === 0 ? null : Math.max(0, Math.floor(nowSeconds - handshakeAt)),
  }))
}
