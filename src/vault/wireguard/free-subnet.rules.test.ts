import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseSubnet4, parseSubnet6, subnetsOverlap } from './address.rules.ts'
import { freeSubnet4, freeSubnet6 } from './free-subnet.rules.ts'

const globalId = Buffer.from('a1b2c3d4e5ff', 'hex')

describe('a free IPv4 subnet', () => {
  const cases: [taken: string[], capacity: number, expected: string | null][] = [
    [[], 5000, '10.64.0.0/16'],
    [['10.64.0.0/16'], 5000, '10.65.0.0/16'],
    [['10.65.0.0/16'], 5000, '10.64.0.0/16'],
    [['10.64.3.0/30'], 5000, '10.65.0.0/16'],
    [['10.64.0.0/16', '192.168.0.0/16'], 65_533, '10.65.0.0/16'],
    [['10.64.0.0/16'], 65_534, '10.66.0.0/15'],
    [['10.64.0.0/10'], 5000, '10.128.0.0/16'],
    [['10.0.0.0/8'], 1, null],
    [[], 8_000_000, '10.128.0.0/9'],
    [[], 16_000_000, null],
  ]
  for (const [taken, capacity, expected] of cases) {
    test(`for ${capacity} devices beside ${taken.join(', ') || 'nothing'} is ${expected}`, () =>
      assert.equal(freeSubnet4(taken, capacity), expected))
  }

  test('is narrower once all of the usual width are taken, and still holds the devices', () => {
    const taken = [
      '10.64.0.0/10',
      '10.128.0.0/10',
      '10.192.0.0/11',
      '10.224.0.0/12',
      '10.240.0.0/13',
      '10.248.0.0/14',
      '10.252.0.0/15',
      '10.254.0.0/16',
      '10.255.0.0/17',
    ]
    assert.equal(freeSubnet4(taken, 5000), '10.255.128.0/17')
    assert.equal(freeSubnet4(taken, 40_000), null)
  })
})

test('a free IPv6 subnet is the first /64 of the installation’s own /48', () => {
  const first = freeSubnet6([], globalId)
  assert.equal(first, 'fda1:b2c3:d4e5:1::/64')
  assert.equal(freeSubnet6([first as string, 'fd42::/64'], globalId), 'fda1:b2c3:d4e5:2::/64')
  assert.equal(freeSubnet6(['fda1:b2c3:d4e5::/48'], globalId), null)
})

test('a free subnet never overlaps one that is taken, and is one that a server may have', () => {
  const subnet = fc
    .record({ host: fc.integer({ min: 0, max: 2 ** 24 - 1 }), length: fc.integer({ min: 9, max: 30 }) })
    .map(({ host, length }) => {
      const base = Math.floor((10 * 2 ** 24 + host) / 2 ** (32 - length)) * 2 ** (32 - length)
      return `${[24, 16, 8, 0].map((shift) => Math.floor(base / 2 ** shift) % 256).join('.')}/${length}`
    })
  const check = (taken: string[], capacity: number) => {
    const free = freeSubnet4(taken, capacity)
    if (free === null) return
    assert.equal(parseSubnet4(free).problem, null)
    for (const other of taken) assert.ok(!subnetsOverlap(free, other), `${free} ${other}`)
    const free6 = freeSubnet6(
      taken.map((_, index) => `fda1:b2c3:d4e5:${(index * 2 + 1).toString(16)}::/64`),
      globalId,
    )
    assert.equal(parseSubnet6(free6 ?? '').problem, null)
  }
  fc.assert(fc.property(fc.array(subnet, { maxLength: 30 }), fc.integer({ min: 1, max: 100_000 }), check))
})
