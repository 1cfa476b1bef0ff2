import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isPublicAddress4, metadataNetworks, parseNetwork, privateNetworks } from './networks.ts'

describe('the networks that devices do not reach', () => {
  test('are those of the metadata services of clouds, also through a NAT64', () => {
    for (const network of ['169.254.0.0/16', '168.63.129.16/32', '100.100.100.200/32'])
      assert.ok(metadataNetworks.ipv4.includes(network), network)
    // RFC 6052 section 2.2: the 32 bits follow the 96 of the prefix.
    for (const network of ['fd00:ec2::254/128', 'fd20:ce::254/128', '64:ff9b::a9fe:0/112', '64:ff9b::a83f:8110/128'])
      assert.ok(metadataNetworks.ipv6.includes(network), network)
    assert.ok(privateNetworks.ipv6.includes('64:ff9b::a00:0/104'))
  })
})

test('a network is an address with or without a length, and nothing that could be more', () => {
  assert.deepEqual(parseNetwork('10.1.2.3'), { family: 'ipv4', network: '10.1.2.3/32' })
  assert.deepEqual(parseNetwork('fd12:3::/48'), { family: 'ipv6', network: 'fd12:3::/48' })
  for (const text of [
    '',
    '10.0.0/8',
    '10.0.0.0/0',
    '10.0.0.0/33',
    '::/0',
    'fd12::/129',
    '::ffff:10.0.0.1',
    '10.0.0.0/8 ',
    'fe80::1%eth0',
  ])
    assert.equal(parseNetwork(text), undefined, text)
})

test('an address is public if it is none of a private network, of a cloud, or of the machine itself', () => {
  for (const address of ['9.9.9.9', '203.0.113.2', '172.32.0.1']) assert.ok(isPublicAddress4(address), address)
  for (const address of [
    '10.0.0.2',
    '127.0.0.53',
    '169.254.169.253',
    '168.63.129.16',
    '0.0.0.0',
    '255.255.255.255',
    '::1',
    'x',
  ])
    assert.ok(!isPublicAddress4(address), address)
})
