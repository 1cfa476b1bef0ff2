import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceCount, formatEndpoint, serverHealth } from './server.rules.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1000)

test('health follows the age of the last report', () => {
  const cases: [Date | null, string][] = [
    [null, 'OFFLINE'],
    [secondsAgo(0), 'ONLINE'],
    [secondsAgo(60), 'ONLINE'],
    [secondsAgo(61), 'STALE'],
    [secondsAgo(300), 'STALE'],
    [secondsAgo(301), 'OFFLINE'],
    [secondsAgo(-5), 'ONLINE'],
  ]
  for (const [lastSeenAt, health] of cases) assert.equal(serverHealth({ hasAgent: true, lastSeenAt }, now), health)
})

test('a server without a node misses nobody', () => {
  assert.equal(serverHealth({ hasAgent: false, lastSeenAt: null }, now), 'ONLINE')
})

test('a subnet has room for all its addresses but network, server and broadcast', () => {
  assert.equal(deviceCount('10.0.0.0/30'), 1)
  assert.equal(deviceCount('10.0.0.0/24'), 253)
  assert.equal(deviceCount('10.0.0.0/16'), 65_533)
})

test('an endpoint that is an IPv6 address stands in brackets', () => {
  assert.equal(formatEndpoint({ endpointHost: 'vpn.example.com', endpointPort: 51_820 }), 'vpn.example.com:51820')
  assert.equal(formatEndpoint({ endpointHost: '2001:db8::1', endpointPort: 443 }), '[2001:db8::1]:443')
})
