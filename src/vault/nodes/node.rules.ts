import { createHash } from 'node:crypto'

/** A peer as a node configures it. */
export type NodePeer = {
  publicKey: string
  presharedKey: string
  allowedIps: string[]
  /** Null: never. */
  notAfterSeconds: number | null
}

/** Whole seconds until the license ends, rounded up; 0 where it has ended, null where it never does. */
export function secondsUntil(end: Date | null, now: Date): number | null {
  return end === null ? null : Math.max(0, Math.ceil((end.getTime() - now.getTime()) / 1000))
}

/** SHA-256 in hex, by which a node checks that a snapshot is complete. Expects peers in the order of their public keys. */
export function peersDigest(peers: NodePeer[]): string {
  const digest = createHash('sha256')
  for (const { publicKey, presharedKey, allowedIps } of peers)
    digest.update(`${publicKey} ${presharedKey} ${allowedIps.join(',')}\n`)
  return digest.digest('hex')
}

/** By code units, an order in which base64 sorts the same everywhere. */
export function byPublicKey(a: { publicKey: string }, b: { publicKey: string }): number {
  return a.publicKey < b.publicKey ? -1 : 1
}
