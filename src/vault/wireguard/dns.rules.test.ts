import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effectiveDns, publicResolvers } from './dns.rules.ts'

const subnets = { subnet4: '10.65.0.0/16', subnet6: 'fd42:1::/64' }

test('resolvers are what was set, else the server if its agent serves DNS, else public ones', () => {
  const dns = (set: string[] | null, servesDns: boolean) => effectiveDns({ dns: set, servesDns, ...subnets })
  assert.deepEqual([dns(['10.1.1.1'], true), dns([], true)], [['10.1.1.1'], []])
  assert.deepEqual(dns(null, true), ['10.65.0.1'])
  assert.deepEqual(dns(null, false), publicResolvers)
})
