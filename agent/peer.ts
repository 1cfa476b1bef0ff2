import { createHash } from 'node:crypto'
import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net'
import { isKey } from './keys.ts'

/** A peer as it stands on the interface. */
export type Peer = { publicKey: string; presharedKey: string; allowedIps: string[] }
/** `endsAt`: seconds of the boot clock, null without an end. */
export type HeldPeer = Peer & { endsAt: number | null }
export type Rejection = { publicKey: string; reason: string }

/** What of the server a peer is measured by. */
export type Site = {
  publicKey: string
  address4: string
  address6: string
  subnet4: string
  subnet6: string
}

export type Verdict = { isGood: true; peer: Peer; endsInSeconds: number | null } | ({ isGood: false } & Rejection)

/** Judges what the platform sent as one peer. Nothing here is believed: one bad key makes `wg` refuse a whole file. */
export type Judge = (sent: unknown) => Verdict

/** Two addresses are what a peer has; a few more are no reason to refuse it. */
const addressesMax = 8

export function judgeFor(site: Site): Judge {
  const isInside = { ipv4: insideOf(site.subnet4, 'ipv4'), ipv6: insideOf(site.subnet6, 'ipv6') }
  const own = [site.address4, site.address6].map((address) => canonical(`${address.split('/')[0]}`)?.address)

  const addressProblem = (text: unknown): string | undefined => {
    const found = typeof text === 'string' ? hostAddress(text) : undefined
    if (found === undefined) return 'INVALID_ADDRESS'
    if (!isInside[found.family](found.address)) return 'ADDRESS_OUTSIDE_SUBNET'
    return own.includes(found.address) ? 'ADDRESS_OF_SERVER' : undefined
  }

  const problemOf = ({ publicKey, presharedKey, allowedIps, notAfterSeconds: end }: Record<string, unknown>) => {
    if (!isKey(publicKey)) return 'INVALID_PUBLIC_KEY'
    if (publicKey === site.publicKey) return 'KEY_OF_SERVER'
    if (!isKey(presharedKey)) return 'INVALID_PRESHARED_KEY'
    if (!Array.isArray(allowedIps) || allowedIps.length === 0 || allowedIps.length > addressesMax)
      return 'INVALID_ADDRESS'
    if (end !== null && !Number.isFinite(end)) return 'INVALID_END'
    return allowedIps.map(addressProblem).find((problem) => problem !== undefined)
  }

  return (sent) => {
    const it = (typeof sent === 'object' && sent !== null ? sent : {}) as Record<string, unknown>
    const reason = problemOf(it)
    if (reason !== undefined) return { isGood: false, publicKey: sentKey(sent), reason }
    const { publicKey, presharedKey, allowedIps, notAfterSeconds } = it as Peer & { notAfterSeconds: number | null }
    const addresses = new Set(allowedIps.map((text) => hostAddress(text)?.text ?? text))
    return {
      isGood: true,
      peer: { publicKey, presharedKey, allowedIps: [...addresses].sort() },
      endsInSeconds: notAfterSeconds,
    }
  }
}

function insideOf(subnet: string, family: 'ipv4' | 'ipv6'): (address: string) => boolean {
  const [network = '', prefix] = subnet.split('/')
  const list = new BlockList()
  list.addSubnet(network, Number(prefix), family)
  return (address) => list.check(address, family)
}

/** `10.64.0.2/32` or `fd00::2/128`, with the address spelled in the one way of RFC 5952. */
function hostAddress(text: string) {
  const [, host, prefix] = /^([0-9a-fA-F.:]{2,45})\/(32|128)$/.exec(text) ?? []
  const found = host === undefined ? undefined : canonical(host)
  if (found === undefined || prefix !== (found.family === 'ipv4' ? '32' : '128')) return undefined
  return { ...found, text: `${found.address}/${prefix}` }
}

function canonical(host: string): { address: string; family: 'ipv4' | 'ipv6' } | undefined {
  if (isIPv4(host)) return { address: host, family: 'ipv4' }
  if (!isIPv6(host)) return undefined
  return { address: new SocketAddress({ address: host, family: 'ipv6' }).address, family: 'ipv6' }
}

/**
 * The hash by which a snapshot proves that it is whole: over the peers as they were sent, the bad ones too, sorted by
 * code units as JavaScript compares.
 */
export function snapshotHash(peers: unknown[]): string {
  const sorted = peers.map(sentTexts).sort((a, b) => (a.publicKey < b.publicKey ? -1 : 1))
  const hash = createHash('sha256')
  for (const { publicKey, presharedKey, allowedIps } of sorted) {
    hash.update(`${publicKey} ${presharedKey} ${allowedIps}\n`)
  }
  return hash.digest('hex')
}

/** The key of whatever was sent as a peer, whether it is one or not. */
export const sentKey = (sent: unknown): string => sentTexts(sent).publicKey

function sentTexts(sent: unknown): { publicKey: string; presharedKey: string; allowedIps: string } {
  const { publicKey, presharedKey, allowedIps } = (sent ?? {}) as Record<string, unknown>
  return {
    publicKey: textOf(publicKey),
    presharedKey: textOf(presharedKey),
    allowedIps: Array.isArray(allowedIps) ? allowedIps.map(textOf).join(',') : '',
  }
}

/** Objects and lists have no text that could be asked for: some throw, and one bad peer must not stop the others. */
const textOf = (value: unknown): string => (typeof value === 'object' ? typeof value : String(value))
