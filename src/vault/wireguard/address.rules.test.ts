import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addressesAt, highestOffset, parseSubnet4, parseSubnet6, subnetsOverlap } from './address.rules.ts'

const subnets = { subnet4: '10.64.0.0/16', subnet6: 'fd42:1::/64' }

/** The canonical spelling by another hand: the host of a URL (WHATWG), which shortens as RFC 5952 does. */
function canonicalByUrl(address6: string): string {
  return new URL(`http://[${address6}]/`).hostname.slice(1, -1)
}

const hex6 = (groups: number[]) => groups.map((group) => group.toString(16)).join(':')
const network4 = fc.tuple(fc.nat(0xffffffff), fc.integer({ min: 8, max: 30 })).map(([value, length]) => {
  const base = value - (value % 2 ** (32 - length))
  return { base, length, text: `${[24, 16, 8, 0].map((shift) => (base >>> shift) & 0xff).join('.')}/${length}` }
})
// Mostly zero groups, so that runs of zeros, ties and lone zeros come up; the last four groups are the host's.
const prefix6 = fc.array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 4, maxLength: 4 })

const offsets: [offset: number, address4: string, address6: string][] = [
  [2, '10.64.0.2', 'fd42:1::2'],
  [16, '10.64.0.16', 'fd42:1::10'],
  [255, '10.64.0.255', 'fd42:1::ff'],
  [256, '10.64.1.0', 'fd42:1::100'],
  [65_534, '10.64.255.254', 'fd42:1::fffe'],
]

for (const [offset, address4, address6] of offsets) {
  test(`offset ${offset} of 10.64.0.0/16 and fd42:1::/64 is ${address4} and ${address6}`, () => {
    assert.deepEqual(addressesAt(subnets, offset), { address4, address6 })
  })
}

test('the network, the server, the broadcast address and anything beyond are never given', () => {
  for (const offset of [-1, 0, 1, 65_535, 65_536, 2.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => addressesAt(subnets, offset), RangeError, String(offset))
  }
})

test('the highest offset is the one before the broadcast address', () => {
  assert.equal(highestOffset('10.64.0.0/16'), 65_534)
  assert.equal(highestOffset('10.0.0.0/8'), 16_777_214)
  assert.equal(highestOffset('192.168.7.0/24'), 254)
  assert.equal(highestOffset('192.168.7.4/30'), 2)
})

test('every offset of a subnet gives two addresses that no other offset gives', () => {
  const small = { subnet4: '10.64.4.0/22', subnet6: 'fd42:1:2:3::/64' }
  const all = Array.from({ length: highestOffset(small.subnet4) - 1 }, (_, index) => addressesAt(small, index + 2))
  assert.equal(all.length, 1021)
  assert.equal(new Set(all.flatMap(({ address4, address6 }) => [address4, address6])).size, 2 * 1021)
})

test('an IPv4 address leads back to its offset in every subnet', () => {
  fc.assert(
    fc.property(network4, fc.nat(), ({ base, text }, pick) => {
      const offset = 2 + (pick % (highestOffset(text) - 1))
      const { address4 } = addressesAt({ subnet4: text, subnet6: 'fd42:1::/64' }, offset)
      assert.equal(Buffer.from(address4.split('.').map(Number)).readUInt32BE() - base, offset)
    }),
  )
})

test('an IPv6 address is its subnet plus the offset, in canonical spelling', () => {
  fc.assert(
    fc.property(prefix6, fc.integer({ min: 2, max: 2 ** 24 - 2 }), (prefix, offset) => {
      const { address6 } = addressesAt({ subnet4: '10.0.0.0/8', subnet6: `${hex6(prefix)}::/64` }, offset)
      assert.equal(address6, canonicalByUrl(hex6([...prefix, 0, 0, Math.floor(offset / 65_536), offset % 65_536])))
    }),
    { numRuns: 1000 },
  )
})

test('the widest IPv4 subnet fits into the narrowest IPv6 one', () => {
  const widest = { subnet4: '10.0.0.0/8', subnet6: 'fd42::ff:0:0/104' }
  assert.equal(parseSubnet6('fd42::ff:0:0/104').problem, null)
  assert.equal(addressesAt(widest, highestOffset('10.0.0.0/8')).address6, 'fd42::ff:ff:fffe')
})

test('a lone zero group of an IPv6 address is not shortened', () => {
  const narrow = { subnet4: '10.0.0.0/8', subnet6: 'fd42:0:2:3:4:5::/104' }
  assert.equal(addressesAt(narrow, 0x1_0002).address6, 'fd42:0:2:3:4:5:1:2')
})

const spellings6: [written: string, canonical: string][] = [
  ['FD42:0001:0000:0000:0000:0000:0000:0000/64', 'fd42:1::/64'],
  ['fd42:1:0:0::/64', 'fd42:1::/64'],
  ['fd42:0:0:1::/64', 'fd42:0:0:1::/64'],
  ['fd42:1:0:2::/64', 'fd42:1:0:2::/64'],
  ['10:0:0:1::/64', '10:0:0:1::/64'],
  ['fd42:0:0:0:1:0:0:0/80', 'fd42::1:0:0:0/80'],
  ['fd42:0:1:2:3:4::/96', 'fd42:0:1:2:3:4::/96'],
  ['::/64', '::/64'],
]

for (const [written, canonical] of spellings6) {
  test(`the subnet ${written} is kept as ${canonical}`, () => {
    assert.equal(parseSubnet6(written).subnet?.text, canonical)
  })
}

test('the canonical spelling of a subnet is read as the same subnet', () => {
  fc.assert(
    fc.property(network4, prefix6, ({ text }, prefix) => {
      assert.equal(parseSubnet4(text).subnet?.text, text)
      const subnet6 = parseSubnet6(`${hex6(prefix)}:0:0:0:0/64`).subnet
      assert.deepEqual(parseSubnet6(subnet6?.text ?? '').subnet, subnet6)
    }),
  )
})

const refusedSubnets4: [text: string, reason: RegExp][] = [
  ['10.64.0.1/16', /the subnet meant may be 10\.64\.0\.0\/16/],
  ['10.0.0.0/7', /from \/8 to \/30/],
  ['10.64.0.0/31', /from \/8 to \/30/],
  ['10.64.0.2/32', /from \/8 to \/30/],
  ['10.64.0.0', /written like 10\.64\.0\.0\/16/],
  ['10.64.0.0/', /written like/],
  ['10.64.0.0/016', /written like/],
  ['10.64.0.0/16/16', /written like/],
  ['10.64.0/16', /written like/],
  ['010.64.0.0/16', /written like/],
  ['10.256.0.0/16', /written like/],
  ['10.64.0.0/16\n', /written like/],
  ['10.64.0.0/1e1', /written like/],
  ['fd42:1::/64', /written like/],
  ['', /written like/],
]

for (const [text, reason] of refusedSubnets4) {
  test(`${JSON.stringify(text)} is refused as an IPv4 subnet, with the reason`, () => {
    assert.match(parseSubnet4(text).problem ?? '', reason)
  })
}

const refusedSubnets6: [text: string, reason: RegExp][] = [
  ['fd42:1::1/64', /the subnet meant may be fd42:1::\/64/],
  ['fd42:1::/31', /from \/32 to \/104/],
  ['fd42:1::/105', /from \/32 to \/104/],
  ['fd42:1::/128', /from \/32 to \/104/],
  ['fd42:1::', /written like fd42:1::\/64/],
  ['fd42::1::/64', /written like/],
  ['fd42:::/64', /written like/],
  ['fd42:1:2:3:4:5:6:7:8/64', /written like/],
  ['1:2:3:4:5:6:7::8/64', /written like/],
  ['fd42:1/64', /written like/],
  ['fd42:10000::/64', /written like/],
  ['fd42:g::/64', /written like/],
  ['fd42:1::%eth0/64', /written like/],
  ['::10.64.0.0/104', /written like/],
  ['[fd42:1::]/64', /written like/],
  ['10.64.0.0/16', /written like/],
  ['', /written like/],
]

for (const [text, reason] of refusedSubnets6) {
  test(`${JSON.stringify(text)} is refused as an IPv6 subnet, with the reason`, () => {
    assert.match(parseSubnet6(text).problem ?? '', reason)
  })
}

test('no text whatever makes the reader of subnets throw', () => {
  const piece = fc.oneof(fc.constantFrom(':', '::', '.', '/', '0', 'fd42', '10', '64'), fc.string())
  fc.assert(
    fc.property(
      fc.array(piece).map((pieces) => pieces.join('')),
      (text) => {
        for (const result of [parseSubnet4(text), parseSubnet6(text)]) {
          assert.equal(result.subnet === null, result.problem !== null)
        }
      },
    ),
  )
})

const overlaps: [a: string, b: string, overlap: boolean][] = [
  ['10.64.0.0/16', '10.64.0.0/16', true],
  ['10.64.0.0/16', '10.64.128.0/24', true],
  ['10.64.0.0/16', '10.65.0.0/16', false],
  ['10.64.0.0/10', '10.127.255.0/24', true],
  ['10.64.0.0/10', '10.128.0.0/16', false],
  ['fd42:1::/64', 'fd42:1:0:0:8000::/80', true],
  ['fd42:1::/64', 'fd42:1:0:1::/64', false],
  ['fd42:1::/48', 'fd42:1:0:1::/64', true],
  ['::/32', '10.64.0.0/16', false],
]

for (const [a, b, overlap] of overlaps) {
  test(`${a} and ${b} ${overlap ? 'overlap' : 'do not overlap'}, either way round`, () => {
    assert.equal(subnetsOverlap(a, b), overlap)
    assert.equal(subnetsOverlap(b, a), overlap)
  })
}

test('two subnets overlap exactly when one holds the first address of the other', () => {
  fc.assert(
    fc.property(network4, network4, (a, b) => {
      const holds = (outer: typeof a, inner: typeof a) =>
        inner.base >= outer.base && inner.base < outer.base + 2 ** (32 - outer.length)
      assert.equal(subnetsOverlap(a.text, b.text), holds(a, b) || holds(b, a))
    }),
  )
})

test('a stored subnet that cannot be read is a fault and no refusal', () => {
  assert.throws(() => highestOffset('10.64.0.1/16'), RangeError)
  assert.throws(() => addressesAt({ ...subnets, subnet6: 'nonsense' }, 2), RangeError)
  assert.throws(() => subnetsOverlap('10.64.0.0/16', 'nonsense'), RangeError)
})
