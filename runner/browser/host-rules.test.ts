import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hostResolverRules } from './host-rules.ts'
import { isPublicAddress } from './public-address.ts'

describe('the hosts of a meeting', () => {
  test('its own name leads to the checked address, named hosts are free, all others lead nowhere', () => {
    const rules = hostResolverRules({
      host: 'meet.example.com',
      address: '203.0.113.9',
      extraHosts: ['cdn.example.net'],
    })
    assert.equal(
      rules,
      'MAP meet.example.com 203.0.113.9, MAP * ~NOTFOUND, EXCLUDE meet.example.com, EXCLUDE *.meet.example.com, ' +
        'EXCLUDE 203.0.113.9, EXCLUDE cdn.example.net, EXCLUDE *.cdn.example.net',
    )
  })

  test('an address stands for itself', () => {
    const rules = hostResolverRules({ host: '127.0.0.1', address: '127.0.0.1', extraHosts: [] })
    assert.equal(rules, 'MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE 127.0.0.1')
  })

  const closed = ['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.100.100.200', '0.0.0.0']
  const closedV6 = ['::1', '::ffff:10.0.0.1', 'fe80::1', 'fd00::1', '64:ff9b::a00:1', '2002:7f00:1::', 'nonsense']
  for (const address of [...closed, ...closedV6])
    test(`${address} is nobody's public address`, () => assert.equal(isPublicAddress(address), false))
  for (const address of ['203.0.114.9', '8.8.8.8', '2a00:1450:4001:800::200e'])
    test(`${address} is a public address`, () => assert.equal(isPublicAddress(address), true))
})
