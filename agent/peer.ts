import { createHash } from 'node:crypto'
import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net'
import { isKey } from './keys.ts'

/** A peer as configured on the interface. */
export type Peer = { publicKey: string; presharedKey: string; allowedIps: string[] }
/** `endsAt`: seconds of the boot clock, null without an end. */
export type HeldPeer = Peer & { endsAt: number | null }
export type Rejection = { publicKey: string; reason: string }

/** The addresses and key of this server, against which peers are checked. */
export type ServerAddresses = {
  publicKey: string
  address4: string
  address6: string
  subnet4: string
  subnet6: string
}

export type Validation = { isGood: true; peer: Peer; endsInSeconds: number | null } | ({ isGood: false } & Rejection)

/** Checks one peer that the platform sent. Nothing is trusted: one bad key makes `wg` refuse a whole file. */
export type ValidatePeer = (sent: unknown) => Validation

/** A peer has two addresses; a few more are accepted. */
const addressesMax = 8

export function peerValidator(site: ServerAddresses): ValidatePeer {
  const isInside = { ipv4: subnetCheck(site.subnet4, 'ipv4'), ipv6: subnetCheck(site.subnet6, 'ipv6') }
  const own = [site.address4, site.address6].map((address) => canonical(`${address.split('/')[0]}`)?.address)

  const addressProblem = (text: unknown): string | undefined => {
    const found = typeof text === 'string' ? hostAddress(text) : undefined
    if (found === undefined) return 'INVALID_ADDRESS'
    if (!isInside[found.family](found.address)) return 'ADDRESS_OUTSIDE_SUBNET'
    return own.includes(found.address) ? 'ADDRESS_OF_SERVER' : undefined
  }

  const peerProblem = ({ publicKey, presharedKey, allowedIps, notAfterSeconds: end }: Record<string, unknown>) => {
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
    const reason = peerProblem(it)
    if (reason !== undefined) return { isGood: false, publicKey: keyAsSent(sent), reason }
    const { publicKey, presharedKey, allowedIps, notAfterSeconds } = it as Peer & { notAfterSeconds: number | null }
    const addresses = new Set(allowedIps.map((text) => hostAddress(text)?.text ?? text))
    return {
      isGood: true,
      peer: { publicKey, presharedKey, allowedIps: [...addresses].sort() },
      endsInSeconds: notAfterSeconds,
    }
  }
}

function subnetCheck(subnet: string, family: 'ipv4' | 'ipv6'): (address: string) => boolean {
  const [network = '', prefix] = subnet.split('/')
  const list = new BlockList()
  list.addSubnet(network, Number(prefix), family)
  return (address) => list.check(address, family)
}

/** `10.64.0.2/32` or `fd00::2/128`, with the address in the canonical form of RFC 5952. */
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
 * The hash that proves that a snapshot is complete: over the peers as sent, invalid ones included, sorted by code units
 * as JavaScript compares.
 */
export function snapshotHash(peers: unknown[]): string {
  const sorted = peers.map(textsAsSent).sort((a, b) => (a.publicKey < b.publicKey ? -1 : 1))
  const hash = createHash('sha256')
  for (const { publicKey, presharedKey, allowedIps } of sorted) {
    hash.update(`${publicKey} ${presharedKey} ${allowedIps}\n`)
  }
  return hash.digest('hex')
}

/** The public key of a peer as it was sent, valid or not. */
export const keyAsSent = (sent: unknown): string => textsAsSent(sent).publicKey

function textsAsSent(sent: unknown): { publicKey: string; presharedKey: string; allowedIps: string } {
  const { publicKey, presharedKey, allowedIps } = (sent ?? {}) as Record<string, unknown>
  return {
    publicKey: toText(publicKey),
    presharedKey: toText(presharedKey),
    allowedIps: Array.isArray(allowedIps) ? allowedIps.map(toText).join(',') : '',
  }
}

/** Converting some objects to text throws, and one bad peer must not stop the others. */
const toText = (value: unknown): string => (typeof value === 'object' ? typeof value : String(value))
