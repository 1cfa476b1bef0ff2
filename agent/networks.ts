import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Networks in the notation of nftables, by family. */
export type Networks = { ipv4: string[]; ipv6: string[] }

/**
 * Services that give the credentials of a cloud's machine to whoever asks from it. Never reachable, because no device has
 * a business there: link-local for AWS, Google, Azure, Oracle and others; then Azure's platform, Alibaba, the IPv6
 * addresses of AWS and Google.
 */
const metadata4 = ['169.254.0.0/16', '168.63.129.16/32', '100.100.100.200/32']
const metadata6 = ['fe80::/10', 'fd00:ec2::254/128', 'fd20:ce::254/128']

/** Networks that are not of the internet: behind a server they are somebody's own (RFC 1918, 6598, 6890, 2544; 4193). */
const private4 = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '192.0.0.0/24', '198.18.0.0/15']
// 64:ff9b:1::/48 is the prefix for a network's own NAT64 (RFC 8215).
const private6 = ['fc00::/7', '64:ff9b:1::/48']

/** Addresses that are no host of the internet, beside the private ones. */
const others4 = ['0.0.0.0/8', '127.0.0.0/8', '224.0.0.0/3']

export const metadataNetworks: Networks = { ipv4: metadata4, ipv6: [...metadata6, ...metadata4.map(behindNat64)] }
export const privateNetworks: Networks = { ipv4: private4, ipv6: [...private6, ...private4.map(behindNat64)] }

/** As a NAT64 of the network would reach it, through the well-known prefix (RFC 6052). */
function behindNat64(network4: string): string {
  const [address = '', length] = network4.split('/')
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  return `64:ff9b::${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}/${96 + Number(length)}`
}

/** A network or a single address; undefined for anything else, because it goes into the rules of nftables. */
export function parseNetwork(text: string): { family: keyof Networks; network: string } | undefined {
  // No IPv6 with dots, which nftables does not read.
  const [, address = '', length] = /^([\d.]{7,15}|[\da-fA-F:]{2,39})(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const [family, bits] = isIPv4(address) ? (['ipv4', 32] as const) : (['ipv6', 128] as const)
  if (family === 'ipv6' && !isIPv6(address)) return undefined
  const prefix = length === undefined ? bits : Number(length)
  // A prefix of zero would allow everything, which nobody does by name.
  return prefix >= 1 && prefix <= bits ? { family, network: `${address}/${prefix}` } : undefined
}

const notPublic4 = new BlockList()
for (const network of [...metadata4, ...private4, ...others4]) {
  const [address = '', length] = network.split('/')
  notPublic4.addSubnet(address, Number(length), 'ipv4')
}

export const isPublicAddress4 = (address: string): boolean => isIPv4(address) && !notPublic4.check(address, 'ipv4')
