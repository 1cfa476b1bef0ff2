/** The texts of a server's two subnets, such as `10.64.0.0/16` and `fd42:1::/64`. */
export type SubnetPair = { subnet4: string; subnet6: string }

/** A subnet that was understood: `text` is its one canonical spelling, `base` the number of its first address. */
export type Subnet = { text: string; base: bigint; prefixLength: number; addressBits: 32 | 128 }

/** Either a subnet, or why there is none, to stand after the name of its field. */
export type SubnetResult = { subnet: Subnet; problem: null } | { subnet: null; problem: string }

type Family = {
  name: string
  addressBits: 32 | 128
  prefixLengthMin: number
  prefixLengthMax: number
  example: string
  parseAddress: (text: string) => bigint | null
  formatAddress: (value: bigint) => string
}

const family4: Family = {
  name: 'IPv4',
  addressBits: 32,
  // A /30 holds the network, the server, one device and the broadcast address.
  prefixLengthMin: 8,
  prefixLengthMax: 30,
  example: '10.64.0.0/16',
  parseAddress: parseAddress4,
  formatAddress: formatAddress4,
}

const family6: Family = {
  name: 'IPv6',
  addressBits: 128,
  // A /104 holds as many hosts as the widest IPv4 subnet, so every offset fits into both.
  prefixLengthMin: 32,
  prefixLengthMax: 104,
  example: 'fd42:1::/64',
  parseAddress: parseAddress6,
  formatAddress: formatAddress6,
}

// Offset 0 is the network's own address and 1 the server's.
export const firstDeviceOffset = 2

/** An IPv4 subnet from /8 to /30, its host bits all zero. */
export function parseSubnet4(text: string): SubnetResult {
  return parseSubnet(text, family4)
}

/** An IPv6 subnet from /32 to /104, its host bits all zero; any spelling of RFC 4291 but the one with dots. */
export function parseSubnet6(text: string): SubnetResult {
  return parseSubnet(text, family6)
}

/** How a subnet is written whose first address is `base`. */
export const formatSubnet4 = (base: bigint, prefixLength: number): string => `${formatAddress4(base)}/${prefixLength}`
export const formatSubnet6 = (base: bigint, prefixLength: number): string => `${formatAddress6(base)}/${prefixLength}`

/** The narrowest IPv4 prefix with an address for each of so many devices; null if no subnet has as many. */
export function prefixLength4For(devices: number): number | null {
  for (let length = family4.prefixLengthMax; length >= family4.prefixLengthMin; length--) {
    if (2 ** (32 - length) - 1 - firstDeviceOffset >= devices) return length
  }
  return null
}

/** The last offset a device may have: the address after it is the broadcast address. */
export function highestOffset(subnet4: string): number {
  return 2 ** (32 - validSubnet(parseSubnet4(subnet4)).prefixLength) - 2
}

/**
 * The two addresses of one host offset, IPv6 as RFC 5952 writes it. Throws RangeError for an offset that no device
 * may have: below 2 (the network, the server) or above `highestOffset`.
 */
export function addressesAt(subnets: SubnetPair, hostOffset: number): { address4: string; address6: string } {
  const highest = highestOffset(subnets.subnet4)
  if (!Number.isInteger(hostOffset) || hostOffset < firstDeviceOffset || hostOffset > highest) {
    throw new RangeError(`Host offset ${hostOffset} is not from ${firstDeviceOffset} to ${highest}.`)
  }
  const offset = BigInt(hostOffset)
  return {
    address4: formatAddress4(validSubnet(parseSubnet4(subnets.subnet4)).base + offset),
    address6: formatAddress6(validSubnet(parseSubnet6(subnets.subnet6)).base + offset),
  }
}

/** The server's own address in each of its subnets, with the prefix length: `10.64.0.1/16`. */
export function serverAddresses(subnets: SubnetPair): { address4: string; address6: string } {
  const [subnet4, subnet6] = [validSubnet(parseSubnet4(subnets.subnet4)), validSubnet(parseSubnet6(subnets.subnet6))]
  return {
    address4: `${formatAddress4(subnet4.base + 1n)}/${subnet4.prefixLength}`,
    address6: `${formatAddress6(subnet6.base + 1n)}/${subnet6.prefixLength}`,
  }
}

/** Whether two subnets have an address in common; never so across the two families. */
export function subnetsOverlap(a: string, b: string): boolean {
  const [first, second] = [parseEither(a), parseEither(b)]
  if (first.addressBits !== second.addressBits) return false
  const sharedBits = Math.min(first.prefixLength, second.prefixLength)
  const shift = BigInt(first.addressBits - sharedBits)
  return first.base >> shift === second.base >> shift
}

function parseSubnet(text: string, family: Family): SubnetResult {
  const [addressText = '', lengthText = '', ...rest] = text.split('/')
  const base = family.parseAddress(addressText)
  if (base === null || rest.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(lengthText)) {
    return problemResult(`is not an ${family.name} subnet, which is written like ${family.example}`)
  }
  const prefixLength = Number(lengthText)
  if (prefixLength < family.prefixLengthMin || prefixLength > family.prefixLengthMax) {
    return problemResult(`must be from /${family.prefixLengthMin} to /${family.prefixLengthMax}`)
  }
  const hostBits = BigInt(family.addressBits - prefixLength)
  const network = (base >> hostBits) << hostBits
  const canonical = `${family.formatAddress(network)}/${prefixLength}`
  if (network !== base) return problemResult(`has bits set after the prefix: the subnet meant may be ${canonical}`)
  return { subnet: { text: canonical, base, prefixLength, addressBits: family.addressBits }, problem: null }
}

function problemResult(problem: string): SubnetResult {
  return { subnet: null, problem }
}

function parseEither(text: string): Subnet {
  return validSubnet(text.includes(':') ? parseSubnet6(text) : parseSubnet4(text))
}

/** For subnets that were checked when they were stored: a bad one is a fault of ours and no refusal. */
function validSubnet(result: SubnetResult): Subnet {
  if (result.problem !== null) throw new RangeError(result.problem)
  return result.subnet
}

function parseAddress4(text: string): bigint | null {
  const octets = text.split('.')
  // No leading zeros: some systems read 010 as eight (RFC 6943 section 3.1.1).
  const isOctet = (text: string) => /^(0|[1-9]\d{0,2})$/.test(text) && Number(text) <= 255
  if (octets.length !== 4 || !octets.every(isOctet)) return null
  return octets.reduce((value, octet) => (value << 8n) | BigInt(octet), 0n)
}

function parseAddress6(text: string): bigint | null {
  const [head = [], tail = [], ...rest] = text.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const isShortened = text.includes('::')
  const missing = 8 - head.length - tail.length
  if (rest.length > 0 || (isShortened ? missing < 1 : missing !== 0)) return null
  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...tail]
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null
  return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n)
}

function formatAddress4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.')
}

/** RFC 5952 section 4: lower case, `::` for the longest run of zero groups, the first of equals, never for a lone group. */
function formatAddress6(value: bigint): string {
  const full = [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n]
    .map((shift) => ((value >> shift) & 0xffffn).toString(16))
    .join(':')
  const zeroRuns = [...full.matchAll(/\b0(:0)+\b/g)].sort((a, b) => b[0].length - a[0].length)
  const longest = zeroRuns[0]
  if (longest === undefined) return full
  const before = full.slice(0, longest.index).replace(/:$/, '')
  const after = full.slice(longest.index + longest[0].length).replace(/^:/, '')
  return `${before}::${after}`
}
