import {
  formatSubnet4,
  formatSubnet6,
  parseSubnet4,
  parseSubnet6,
  prefixLength4For,
  type Subnet,
} from './address.rules.ts'

/** Where IPv4 subnets are assigned: the part of 10.0.0.0/8 that home and office networks use least. */
const pools4 = ['10.64.0.0/10', '10.128.0.0/9']
/** Room for 65,533 devices, and for 192 such servers. */
const usualPrefixLength4 = 16
/** As RFC 4291 section 2.5.1 has it for a network of hosts. */
const prefixLength6 = 64

type Range = { first: bigint; last: bigint }

/**
 * The first subnet that holds `capacity` devices and overlaps none of `taken`: a /16, or a wider one that the capacity
 * needs. Once those are used up, one half as wide, and so on. Null if no pool has room.
 */
export function freeSubnet4(taken: string[], capacity: number): string | null {
  const narrowest = prefixLength4For(capacity)
  if (narrowest === null) return null
  const occupied = taken.map((text) => rangeOf(parseSubnet4(text).subnet))
  for (let length = Math.min(usualPrefixLength4, narrowest); length <= narrowest; length++) {
    for (const pool of pools4) {
      const base = firstFree(rangeOf(parseSubnet4(pool).subnet), 1n << BigInt(32 - length), occupied)
      if (base !== null) return formatSubnet4(base, length)
    }
  }
  return null
}

/**
 * The first /64 that overlaps none of `taken`, in the installation's own /48 of the unique local addresses: fd, and then
 * `globalId`, 5 bytes that look random (RFC 4193 section 3.2). Null if all are taken.
 */
export function freeSubnet6(taken: string[], globalId: Buffer): string | null {
  const first = BigInt(`0xfd${globalId.subarray(0, 5).toString('hex')}`) << 80n
  const occupied = taken.map((text) => rangeOf(parseSubnet6(text).subnet))
  const size = 1n << BigInt(128 - prefixLength6)
  // Subnet 0 is left out: its addresses are too easily taken for those of the whole /48.
  const base = firstFree({ first: first + size, last: first + (1n << 80n) - 1n }, size, occupied)
  return base === null ? null : formatSubnet6(base, prefixLength6)
}

function rangeOf(subnet: Subnet | null): Range {
  if (subnet === null) throw new RangeError('A subnet that was stored is none.')
  const { base, prefixLength, addressBits } = subnet
  return { first: base, last: base + (1n << BigInt(addressBits - prefixLength)) - 1n }
}

/** The first multiple of `size` within the pool from which on `size` addresses are free. */
function firstFree(pool: Range, size: bigint, occupied: Range[]): bigint | null {
  const inOrder = occupied.toSorted((a, b) => (a.first < b.first ? -1 : 1))
  let base = alignUp(pool.first, size)
  for (const { first, last } of inOrder) {
    if (first < base + size && last >= base) base = alignUp(last + 1n, size)
  }
  return base + size - 1n <= pool.last ? base : null
}

const alignUp = (address: bigint, size: bigint): bigint => ((address + size - 1n) / size) * size
