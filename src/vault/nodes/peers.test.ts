import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { afterEach, before, beforeEach, describe, test } from 'node:test'
import { type TestApp, type TestUser, testApp } from '../../../test/harness/app.ts'
import { freshDatabase } from '../../../test/harness/database.ts'
import { enrolledNode, type TestNode } from '../../../test/harness/node.ts'
import { type TestServer, vpnCalls } from '../../../test/harness/vpn.ts'
import { run, sql } from '../../storage/query.ts'
import { transaction } from '../../storage/scope.ts'
import { invalidateNodeRevisions } from '../peers/peer.store.ts'
import { generateKeyPair } from '../wireguard/keys.ts'

type Told = { publicKey: string; presharedKey: string; allowedIps: string[]; notAfterSeconds: number | null }

let app: TestApp
let vpn: ReturnType<typeof vpnCalls>
let user: TestUser
let server: TestServer
let node: TestNode
let license: { id: string; key: string }

before(async () => {
  app = await testApp()
  vpn = vpnCalls(app)
})

const prepare = async () => {
  user = await vpn.someone()
  license = await app.license({ id: user.tenantId })
  server = await vpn.server()
  node = await enrolledNode(app, server)
}

const device = (overrides = {}) => app.device(user, { region: server.region, ...overrides })
async function connected() {
  const made = (await device()) as unknown as {
    id: string
    publicKey: string
    assignedIp: string
    assignedIpv6: string
    config: string
  }
  assert.equal((await vpn.connect(user, made.id)).status, 201)
  return made
}
const revisionNow = async () => (await vpn.countsOf(server.id))?.revision ?? 0
const keysOf = (peers: Told[]) => peers.map(({ publicKey }) => publicKey)
/** What a node would hold after applying all that it is told since. */
async function changes(since: number) {
  const { status, body } = await node.peers(since)
  assert.equal(status, 200)
  assert.equal(body.kind, 'delta')
  return { revision: body.revision, upserts: keysOf(body.upserts).sort(), removes: [...body.removes].sort() }
}

describe('the peers of a node', () => {
  beforeEach(prepare)
  afterEach(() => vpn.silence())

  test('are at first a snapshot of those let in, with count and hash', async () => {
    const empty = (await node.peers(0)).body
    assert.deepEqual(
      [empty.kind, empty.count, empty.peers, empty.sha256],
      ['snapshot', 0, [], createHash('sha256').digest('hex')],
    )
    await device()
    const [a, b] = [await connected(), await connected()]
    const { body, headers } = await node.peers(0)
    assert.equal(headers['cache-control'], 'no-store')
    assert.deepEqual([body.kind, body.count, body.revision], ['snapshot', 2, await revisionNow()])
    const peers: Told[] = body.peers
    assert.deepEqual(keysOf(peers), [a.publicKey, b.publicKey].sort())
    const told = peers.find(({ publicKey }) => publicKey === a.publicKey)
    assert.deepEqual(told, {
      publicKey: a.publicKey,
      presharedKey: /PresharedKey = (\S+)/.exec(a.config)?.[1],
      allowedIps: [`${a.assignedIp}/32`, `${a.assignedIpv6}/128`],
      notAfterSeconds: null,
    })
    const lines = peers.map((peer) => `${peer.publicKey} ${peer.presharedKey} ${peer.allowedIps.join(',')}\n`)
    assert.equal(body.sha256, createHash('sha256').update(lines.join('')).digest('hex'))
  })

  test('are afterwards what changed alone', async () => {
    const since = await revisionNow()
    assert.equal((await node.peers(since)).status, 204)
    const [a, b] = [await connected(), await connected()]
    assert.deepEqual(await changes(since), {
      revision: since + 2,
      upserts: [a.publicKey, b.publicKey].sort(),
      removes: [],
    })
    await vpn.disconnect(user, { deviceId: a.id })
    assert.deepEqual(await changes(since + 2), { revision: since + 3, upserts: [], removes: [a.publicKey] })
    await vpn.revoke(user, b.id)
    assert.deepEqual(await changes(since + 3), { revision: since + 4, upserts: [], removes: [b.publicKey] })
    await vpn.connect(user, a.id)
    assert.deepEqual(await changes(since + 2), {
      revision: since + 5,
      upserts: [a.publicKey],
      removes: [b.publicKey],
    })
  })

  test('of another server, and devices that never connected, are not told', async () => {
    const since = await revisionNow()
    const other = await vpn.server()
    await vpn.connect(user, (await app.device(user, { region: other.region })).id)
    const idle = await device()
    await vpn.rotate(user, idle.id)
    assert.equal((await node.peers(since)).status, 204)
  })

  test('lose the old key of a device with new ones, whether or not it is let in', async () => {
    const a = await connected()
    const since = await revisionNow()
    const rotated = (await vpn.rotate(user, a.id)).body.device
    assert.deepEqual(await changes(since), {
      revision: since + 1,
      upserts: [rotated.publicKey],
      removes: [a.publicKey],
    })
    await vpn.disconnect(user, { deviceId: a.id })
    const third = (await vpn.rotate(user, a.id)).body.device
    const { removes, upserts } = await changes(since + 1)
    assert.deepEqual(upserts, [])
    assert.ok(removes.includes(rotated.publicKey))
    assert.ok(!keysOf((await node.peers(0)).body.peers).includes(third.publicKey))
  })

  test('keep a key to which a device came back', async () => {
    const first = generateKeyPair()
    const made = await device({ publicKey: first.publicKey })
    await vpn.connect(user, made.id)
    const since = await revisionNow()
    await vpn.rotate(user, made.id)
    await vpn.rotate(user, made.id, { publicKey: first.publicKey })
    const { upserts, removes } = await changes(since)
    assert.deepEqual(upserts, [first.publicKey])
    assert.ok(!removes.includes(first.publicKey))
  })

  test('lose those of a tenant that was erased', async () => {
    const a = await connected()
    const b = await connected()
    await vpn.disconnect(user, { deviceId: b.id })
    const since = await revisionNow()
    const { slug } = (await app.call({ url: `/admin/tenants/${user.tenantId}`, headers: app.admin })).body.tenant
    const removed = await app.call({
      method: 'DELETE',
      url: `/admin/tenants/${user.tenantId}?confirm=${slug}`,
      headers: app.admin,
    })
    assert.equal(removed.status, 204)
    const erased = await app.call({
      method: 'POST',
      url: `/admin/tenants/${user.tenantId}/erase`,
      headers: app.admin,
      body: { confirm: slug },
    })
    assert.equal(erased.status, 200, JSON.stringify(erased.body))
    const { removes, upserts } = await changes(since)
    assert.deepEqual(upserts, [])
    assert.ok(removes.includes(a.publicKey))
    assert.equal((await node.peers(0)).body.count, 0)
  })

  test('come with the end of the license that lets them in, also when it is moved', async () => {
    const change = (expiresAt: string | null) =>
      app.call({ method: 'PATCH', url: `/vault/v1/licenses/${license.key}`, headers: app.admin, body: { expiresAt } })
    const inSeconds = (seconds: number) => new Date(app.clock.now().getTime() + seconds * 1000).toISOString()
    await change(inSeconds(600))
    const a = await connected()
    const endOf = async () =>
      ((await node.peers(0)).body.peers as Told[]).find(({ publicKey }) => publicKey === a.publicKey)?.notAfterSeconds
    assert.equal(await endOf(), 600)
    app.clock.advance({ seconds: 100 })
    assert.equal(await endOf(), 500)
    const since = await revisionNow()
    await change(inSeconds(50))
    assert.deepEqual(await changes(since), { revision: since + 1, upserts: [a.publicKey], removes: [] })
    assert.equal(await endOf(), 50)
    await change(null)
    assert.equal(await endOf(), null)
  })

  test('are refused to who knows a later revision than there is', async () => {
    const revision = await revisionNow()
    const reply = await node.peers(revision + 1)
    assert.deepEqual([reply.status, reply.body.code], [409, 'REVISION_AHEAD'])
    assert.equal((await node.status(revision + 1)).body.code, 'REVISION_AHEAD')
    assert.equal((await node.peers(0)).body.kind, 'snapshot')
  })

  test('are refused to an agent that another has followed, in whatever it says', async () => {
    assert.equal((await node.peers(0)).status, 200)
    assert.equal((await node.peers(0, { epoch: node.epoch + 1 })).status, 200)
    for (const reply of [await node.peers(0), await node.status(0), await node.report([])])
      assert.deepEqual([reply.status, reply.body.code], [409, 'NODE_SUPERSEDED'])
  })

  test('are refused to questions that make no sense', async () => {
    for (const query of [
      '',
      'since=0',
      'since=-1&epoch=1',
      'since=0&epoch=1&wait=26',
      'since=0&epoch=1.5',
      'since=x&epoch=1',
      'since=0&epoch=1&wait=25&more=1',
    ]) {
      const reply = await app.call({ url: `/vault/v1/node/peers?${query}`, headers: node.headers })
      assert.deepEqual([reply.status, reply.body.code], [400, 'VALIDATION_ERROR'], query)
    }
  })

  test('are never missed, in whatever order transactions end: no revision is seen before one that is smaller', async () => {
    const devices = await Promise.all(Array.from({ length: 12 }, () => device()))
    let since = (await node.peers(0)).body.revision as number
    const held = new Set<string>()
    let isOver = false
    const follow = (async () => {
      while (!isOver || (await revisionNow()) > since) {
        const { status, body } = await node.peers(since, { wait: 1 })
        if (status === 204) continue
        assert.equal(status, 200, JSON.stringify(body))
        for (const key of body.removes) held.delete(key)
        for (const { publicKey } of body.upserts as Told[]) held.add(publicKey)
        assert.ok(body.revision > since)
        since = body.revision
      }
    })()
    await Promise.all(
      devices.map(async ({ id }, index) => {
        await vpn.connect(user, id)
        if (index % 3 === 0) await vpn.disconnect(user, { deviceId: id })
        if (index % 4 === 0) await vpn.rotate(user, id)
      }),
    )
    isOver = true
    await follow
    assert.deepEqual([...held].sort(), keysOf((await node.peers(0)).body.peers))
    assert.equal(held.size, 8)
  })
})

describe('a poll', () => {
  beforeEach(prepare)
  afterEach(() => vpn.silence())

  test('is answered as soon as something changes at its server, and another server’s stays', async () => {
    const [other, since] = [await enrolledNode(app, await vpn.server()), await revisionNow()]
    const made = await device()
    let isAnswered = false
    const elsewhere = other.peers((await other.peers(0)).body.revision, { wait: 2 }).then((reply) => {
      isAnswered = true
      return reply
    })
    const here = node.peers(since, { wait: 25 })
    await vpn.connect(user, made.id)
    const { status, body } = await here
    assert.deepEqual([status, keysOf(body.upserts)], [200, [(made as unknown as { publicKey: string }).publicKey]])
    assert.equal(isAnswered, false)
    assert.equal((await elsewhere).status, 204)
  })

  test('is not answered by a change that is undone', async () => {
    const since = await revisionNow()
    const poll = node.peers(since, { wait: 1 })
    const undone = transaction(app.scopeOf(user.tenantId), async (tx) => {
      await run(tx, sql`update vpn_servers set revision = revision + 1 where id = ${server.id}`)
      throw new Error('undone')
    })
    await assert.rejects(undone, /undone/)
    assert.equal((await poll).status, 204)
  })

  test('holds no connection to the database: many wait, and all others are served', async () => {
    const since = await revisionNow()
    const polls = Array.from({ length: 40 }, () => node.peers(since, { wait: 25 }))
    const a = await connected()
    for (const { status, body } of await Promise.all(polls)) {
      assert.equal(status, 200)
      assert.deepEqual(keysOf(body.upserts), [a.publicKey])
    }
  })

  test('ends at once where a newer agent takes over, the node is dismissed, or the service drains', async () => {
    const own = await testApp()
    const calls = vpnCalls(own)
    const there = await calls.server()
    const agent = await enrolledNode(own, there)
    const since = (await agent.peers(0)).body.revision
    const followed = agent.peers(since, { wait: 25 })
    assert.equal((await agent.peers(since, { epoch: agent.epoch + 1 })).status, 204)
    assert.equal((await followed).body.code, 'NODE_SUPERSEDED')
    const dismissed = agent.peers(since, { wait: 25, epoch: agent.epoch + 1 })
    await own.call({ method: 'DELETE', url: `/admin/vpn/servers/${there.id}/node-token`, headers: own.admin })
    assert.equal((await dismissed).body.code, 'NODE_TOKEN_INVALID')
    const next = await enrolledNode(own, there)
    const drained = next.peers((await next.peers(0)).body.revision, { wait: 25 })
    own.app.drain()
    assert.equal((await drained).status, 204)
    await own.app.server.close()
  })
})

describe('a node that was away', () => {
  async function nodeWithPeer(own: TestApp) {
    const calls = vpnCalls(own)
    const [there, someone] = [await calls.server(), await calls.someone()]
    await own.license({ id: someone.tenantId })
    const agent = await enrolledNode(own, there)
    const made = await own.device(someone, { region: there.region })
    await calls.connect(someone, made.id)
    return { agent, rotate: () => calls.rotate(someone, made.id) }
  }

  test('for longer than a week is told all of its peers anew', async () => {
    // Of its own: the clock of all others stays where it is.
    const own = await testApp()
    const { agent, rotate } = await nodeWithPeer(own)
    const since = (await agent.peers(0)).body.revision
    await rotate()
    own.clock.advance({ seconds: 7 * 24 * 3600 })
    await own.app.housekeep()
    assert.equal((await agent.peers(since)).body.kind, 'delta')
    own.clock.advance({ seconds: 1 })
    await own.app.housekeep()
    assert.equal((await agent.peers(since)).body.kind, 'snapshot')
    assert.equal((await agent.peers((await agent.peers(0)).body.revision)).status, 204)
  })

  test('while the database was restored to an older state is told all of its peers anew, whatever it had applied', async (t) => {
    const database = await freshDatabase()
    t.after(() => database.close())
    const own = await testApp({ database })
    const { agent, rotate } = await nodeWithPeer(own)
    const before = (await agent.peers(0)).body.revision
    await run(own.platform, sql.raw(invalidateNodeRevisions))
    for (const since of [0, before, before + 1000]) {
      const { status, body } = await agent.peers(since)
      assert.deepEqual([status, body.kind, body.peers.length], [200, 'snapshot', 1], `since ${since}`)
      assert.ok(body.revision > before + 1000)
    }
    await rotate()
    assert.equal((await agent.peers((await agent.peers(0)).body.revision)).status, 204, 'and goes on from there')
  })
})
