import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'

const trustedProxies = ['127.0.0.1']
let app: TestApp
let otherNode: TestApp
before(async () => {
  app = await testApp({ trustedProxies })
  otherNode = await testApp({ trustedProxies, clock: app.clock })
})

async function guess(node: TestApp, from: string, key = 'a-wrong-key') {
  const headers = { 'x-admin-key': key, 'x-forwarded-for': from }
  return (await node.call({ url: '/admin/tenants', headers })).body.code
}

type Entry = { actor: { type: string }; action: string; outcome: string; ip: string; requestId: string }

async function entriesFrom(...addresses: string[]): Promise<Entry[]> {
  const { body } = await app.call({ url: '/admin/audit-logs?action=adminKey.refused&limit=100', headers: app.admin })
  return (body.auditLogs as Entry[]).filter(({ ip }) => addresses.includes(ip))
}

test('of wrong admin keys one is audited for each address and minute, also with two nodes', async () => {
  const nodes = [app, otherNode]
  const codes = await Promise.all(Array.from({ length: 20 }, (_, at) => guess(nodes[at % 2] ?? app, '198.51.100.1')))
  assert.deepEqual(new Set(codes), new Set(['ADMIN_KEY_INVALID']))
  const [entry, ...more] = await entriesFrom('198.51.100.1')
  assert.deepEqual([entry?.actor.type, entry?.outcome, more], ['ANONYMOUS', 'DENIED', []])
  assert.ok(entry?.requestId)

  await guess(app, '198.51.100.2')
  assert.equal((await entriesFrom('198.51.100.2')).length, 1)
  app.clock.advance({ seconds: 60 })
  for (const node of nodes) await guess(node, '198.51.100.1')
  assert.equal((await entriesFrom('198.51.100.1')).length, 2)
})

test('addresses of one IPv6 network are one address, and right or missing keys are not audited', async () => {
  for (const from of ['2001:db8:7:1::1', '2001:db8:7:1::2']) await guess(app, from)
  assert.equal((await entriesFrom('2001:db8:7:1::1', '2001:db8:7:1::2')).length, 1)
  await app.call({ url: '/admin/tenants', headers: { 'x-forwarded-for': '198.51.100.3' } })
  await app.call({ url: '/admin/tenants', headers: { ...app.admin, 'x-forwarded-for': '198.51.100.3' } })
  assert.deepEqual(await entriesFrom('198.51.100.3'), [])
})

test('guesses that are refused because of their number are audited as well', async () => {
  const rateLimits = { requestsMax: 1000, authFailuresMax: 1, windowSeconds: 900 }
  const node = await testApp({ trustedProxies, clock: app.clock, rateLimits })
  assert.equal(await guess(node, '198.51.100.4'), 'ADMIN_KEY_INVALID')
  app.clock.advance({ seconds: 60 })
  assert.equal(await guess(node, '198.51.100.4'), 'RATE_LIMITED')
  assert.equal((await entriesFrom('198.51.100.4')).length, 2)
})
