import { BlockList, isIP } from 'node:net'

/** Which hosts this service may ask on behalf of a tenant. `any` is for development: it allows plain HTTP and private networks. */
export type AllowedHosts = 'public' | 'any'

// Not global in the IANA registry of special-purpose IPv4 addresses, and all multicast.
const networks4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // shared by the customers of a carrier
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // Azure's platform services; the registry does not list it
  ['169.254.0.0', 16], // link-local, with the metadata services of clouds
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3], // multicast, reserved, broadcast
] as const

// Only 2000::/3 of IPv6 is allocated. These networks inside it are not global; NAT64, mapped, unique local,
// link-local and multicast addresses are outside of it.
const networks6 = [
  ['2001::', 23], // Teredo, benchmarks, ORCHID
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const

const forbidden4 = new BlockList()
for (const [network, prefix] of networks4) forbidden4.addSubnet(network, prefix, 'ipv4')
const forbidden6 = new BlockList()
for (const [network, prefix] of networks6) forbidden6.addSubnet(network, prefix, 'ipv6')
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')

/** Whether an IP address, in any notation, is public. An address with a zone (`%eth0`) is not. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !forbidden4.check(address, 'ipv4')
    case 6:
      return !address.includes('%') && global6.check(address, 'ipv6') && !forbidden6.check(address, 'ipv6')
    default:
      return false
  }
}

const portsAllowed = new Set(['', '443', '8443'])
const urlCharsMax = 2048

/**
 * Why this service does not ask a URL that a tenant named, or null. The addresses of a host name are checked later, at
 * each connection, by `guardedLookup`.
 * `URL` has already normalized IP addresses in other notations (decimal, octal, short, full-width).
 */
export function urlProblem(text: string, allowedHosts: AllowedHosts): string | null {
  if (text.length > urlCharsMax) return `must not be longer than ${urlCharsMax} characters`
  const url = URL.parse(text)
  if (url === null) return 'must be an absolute URL'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (url.hash !== '') return 'must not have a fragment'
  if (allowedHosts === 'any')
    return url.protocol === 'https:' || url.protocol === 'http:' ? null : 'must begin with https://'
  if (url.protocol !== 'https:') return 'must begin with https://'
  if (!portsAllowed.has(url.port)) return 'must be on port 443 or 8443'
  return hostProblem(url.hostname, allowedHosts)
}

/** Why this service does not connect to a host that a tenant named, such as a mail server, or null. */
export function hostProblem(hostname: string, allowedHosts: AllowedHosts): string | null {
  if (allowedHosts === 'any') return null
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const notPublic = 'must be on a public host'
  if (isIP(host) !== 0) return isPublicAddress(host) ? null : notPublic
  if (host.split('.').includes('')) return 'must not have an empty label in its host name'
  if (!host.includes('.') || /(?:^|\.)(?:localhost|local|internal|home\.arpa|onion)$/.test(host)) return notPublic
  return null
}
