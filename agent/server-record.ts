import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** The server as the platform described it at the enrolment; addresses with prefix length. */
export type ServerRecord = {
  id: string
  name: string
  region: string
  address4: string
  address6: string
  subnet4: string
  subnet6: string
  listenPort: number
  mtu: number
  dns: string[]
}

/**
 * Whether the record is what a server can be set up from. Its networks go into the rules of nftables and into the routes
 * of the machine, as root: nothing but a network passes, nothing that is wider than one of devices, and no two spellings.
 */
export function isServerRecord(value: unknown): value is ServerRecord {
  const { address4, address6, subnet4, subnet6, listenPort, mtu } = (value ?? {}) as Record<string, unknown>
  return (
    isInside(address4, subnet4, networks.ipv4) &&
    isInside(address6, subnet6, networks.ipv6) &&
    isWithin(listenPort, 1, 65_535) &&
    // The least that IPv6 may have (RFC 8200 section 5), and the most that a packet can be.
    isWithin(mtu, 1280, 65_535)
  )
}

type Kind = {
  family: 'ipv4' | 'ipv6'
  isAddress(text: string): boolean
  form: RegExp
  widest: number
  narrowest: number
}

const networks: Record<'ipv4' | 'ipv6', Kind> = {
  ipv4: { family: 'ipv4', isAddress: isIPv4, form: /^([\d.]{7,15})\/(\d{1,2})$/, widest: 8, narrowest: 30 },
  ipv6: { family: 'ipv6', isAddress: isIPv6, form: /^([\da-fA-F:.]{2,45})\/(\d{1,3})$/, widest: 32, narrowest: 126 },
}

function isInside(address: unknown, subnet: unknown, kind: Kind): boolean {
  const [one, all] = [networkIn(address, kind), networkIn(subnet, kind)]
  if (one === undefined || all === undefined || one.prefix !== all.prefix) return false
  const list = new BlockList()
  list.addSubnet(all.host, all.prefix, kind.family)
  return list.check(one.host, kind.family)
}

function networkIn(text: unknown, { isAddress, form, widest, narrowest }: Kind) {
  const [, host = '', length = ''] = (typeof text === 'string' && form.exec(text)) || []
  const prefix = Number(length)
  return isAddress(host) && prefix >= widest && prefix <= narrowest ? { host, prefix } : undefined
}

const isWithin = (value: unknown, min: number, max: number) =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max
