import { createHash } from 'node:crypto'

/** A peer as a node sets it up. */
export type NodePeer = {
  publicKey: string
  presharedKey: string
  allowedIps: string[]
  /** Null: no end. */
  notAfterSeconds: number | null
}

/** Whole seconds until what lets the device in ends; 0 where it has. The last second begun is the device's. */
export function secondsUntil(end: Date | null, now: Date): number | null {
  return end === null ? null : Math.max(0, Math.ceil((end.getTime() - now.getTime()) / 1000))
}

/** SHA-256 in hex by which a node sees that it has a whole snapshot; of peers in the order of their public keys. */
export function digestOfPeers(peers: NodePeer[]): string {
  const digest = createHash('sha256')
  for (const { publicKey, presharedKey, allowedIps } of peers)
    digest.update(`${publicKey} ${presharedKey} ${allowedIps.join(',')}\n`)
  return digest.digest('hex')
}

/** In code unit order, in which base64 sorts alike everywhere. */
export function byPublicKey(a: { publicKey: string }, b: { publicKey: string }): number {
  return a.publicKey < b.publicKey ? -1 : 1
}
