import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isServerRecord } from './server-record.ts'

const good = {
  id: '1',
  name: 'fra-1',
  region: 'eu',
  dns: [],
  address4: '10.64.0.1/16',
  address6: 'fd42:1::1/64',
  subnet4: '10.64.0.0/16',
  subnet6: 'fd42:1::/64',
  listenPort: 51820,
  mtu: 1420,
}

describe('what the platform says of the server', () => {
  test('is taken where a server can be set up from it', () => {
    for (const fitting of [{}, { listenPort: 1 }, { mtu: 1280 }, { subnet4: '10.0.0.0/8', address4: '10.0.0.1/8' }])
      assert.ok(isServerRecord({ ...good, ...fitting }), JSON.stringify(fitting))
  })

  const injected = '10.64.0.0/16 accept\n  }\n}\ninclude "/etc/shadow"\ntable ip x { chain y { ip saddr 10.0.0.0/16'
  const bad: [what: string, fault: Record<string, unknown>][] = [
    ['rules of its own behind a network', { subnet4: injected }],
    ['the same behind what BlockList takes for a network', { subnet4: '10.64.0.0/16/ accept' }],
    ['a line behind an address', { address4: '10.64.0.1/16\n' }],
    ['an option of ip', { address6: '-force' }],
    ['a zone', { address6: 'fe80::1%eth0/64', subnet6: 'fe80::/64' }],
    ['the whole internet', { subnet4: '0.0.0.0/0', address4: '10.64.0.1/0' }],
    ['half of it', { subnet6: '::/1', address6: 'fd42:1::1/1' }],
    ['an address outside of the subnet', { address4: '10.65.0.1/16' }],
    ['another prefix than that of the subnet', { address4: '10.64.0.1/24' }],
    ['IPv6 for IPv4', { address4: 'fd42:1::1/64', subnet4: 'fd42:1::/64' }],
    ['no text', { subnet6: 7 }],
    ['no port', { listenPort: 0 }],
    ['too high a port', { listenPort: 65_536 }],
    ['a text for a port', { listenPort: '51820' }],
    ['a negative mtu', { mtu: -1 }],
  ]
  for (const [what, fault] of bad)
    test(`is refused with ${what}`, () => assert.equal(isServerRecord({ ...good, ...fault }), false))
  test('is refused where it is nothing at all', () => {
    for (const nothing of [null, undefined, 'a text', []]) assert.equal(isServerRecord(nothing), false)
  })
})
