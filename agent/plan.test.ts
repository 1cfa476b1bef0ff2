import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { peerValidator } from './peer.ts'
import { missingPeers, type PeerTable, type Plan, peerTable, planDelta, planSnapshot, splitRemovals } from './plan.ts'

const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const validate = peerValidator({
  publicKey: keyOf(255),
  address4: '10.64.0.1/16',
  address6: 'fd42:1::1/64',
  subnet4: '10.64.0.0/16',
  subnet6: 'fd42:1::/64',
})
const circumstances = { validate, now: 1000 }

/** Few keys and addresses, so that they meet; some of what is sent is bad or ended. */
const sentPeer = fc.record({
  publicKey: fc.integer({ min: 1, max: 6 }).map(keyOf),
  presharedKey: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 2 }).map(keyOf) },
    { weight: 1, arbitrary: fc.constant('bad') },
  ),
  allowedIps: fc.integer({ min: 2, max: 7 }).map((host) => [`10.64.0.${host}/32`, `fd42:1::${host}/128`]),
  notAfterSeconds: fc.constantFrom(null, null, 60, 0),
})
type Sent = { publicKey: string; presharedKey: string; allowedIps: string[]; notAfterSeconds: number | null }
const step = fc.record({
  isSnapshot: fc.boolean(),
  peers: fc.array(sentPeer, { maxLength: 6 }),
  removes: fc.array(fc.integer({ min: 1, max: 6 }).map(keyOf), { maxLength: 3 }),
})

/** The interface, as `wg` treats it: it takes an address from whoever has it, and keeps what it is not told of. */
function carriedOut(live: Map<string, string>, plan: Plan): void {
  for (const key of plan.removes) live.delete(key)
  for (const peer of plan.adds) {
    const text = `${peer.presharedKey} ${peer.allowedIps.join()}`
    assert.ok(!live.has(peer.publicKey), 'a live peer keeps its old preshared key')
    assert.ok(![...live.values()].some((other) => other.split(' ')[1] === text.split(' ')[1]), 'an address moves')
    live.set(peer.publicKey, text)
  }
}

const textsOf = (table: PeerTable) =>
  new Map([...table.all()].map((peer) => [peer.publicKey, `${peer.presharedKey} ${peer.allowedIps.join()}`]))

/** What is wanted of a delta or a snapshot, by the plainest means. */
function checkWanted(table: PeerTable, sent: Sent[], plan: Plan): void {
  const latest = new Map(sent.map((peer) => [peer.publicKey, peer]))
  const rejected = new Set(plan.rejected.map(({ publicKey }) => publicKey))
  for (const [publicKey, peer] of latest) {
    const held = table.find(publicKey)
    const isGood = peer.presharedKey !== 'bad'
    const isAlive = peer.notAfterSeconds !== 0
    if (isGood && isAlive && !rejected.has(publicKey)) {
      assert.equal(held?.presharedKey, peer.presharedKey)
      assert.deepEqual(held?.allowedIps, [...peer.allowedIps].sort())
      assert.equal(held?.endsAt, peer.notAfterSeconds === null ? null : 1060)
    } else assert.equal(held, undefined)
    if (!isGood) assert.ok(rejected.has(publicKey))
  }
}

describe('a plan', () => {
  test('carried out gives the interface exactly the peers that are wanted, whatever came before', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const table = peerTable()
        const live = new Map<string, string>()
        for (const { isSnapshot, peers, removes } of steps) {
          const before = textsOf(table)
          const plan = isSnapshot
            ? planSnapshot(table, { peers, gone: missingPeers(table, peers) }, circumstances)
            : planDelta(table, { upserts: peers, removes }, circumstances)
          carriedOut(live, plan)
          table.apply(plan)
          assert.deepEqual(new Map([...live].sort()), new Map([...textsOf(table)].sort()))
          checkWanted(table, peers, plan)
          const named = new Set(peers.map(({ publicKey }) => publicKey))
          for (const [key, text] of before) {
            if (named.has(key)) continue
            const isKept = !isSnapshot && !removes.includes(key)
            assert.equal(live.get(key), isKept ? text : undefined, 'the others are left alone')
          }
        }
      }),
      { numRuns: 300 },
    )
  })

  test('does not touch the interface when nothing but an end changed', () => {
    const peer = { publicKey: keyOf(1), presharedKey: keyOf(2), allowedIps: ['10.64.0.2/32'], notAfterSeconds: null }
    const table = peerTable()
    table.apply(planDelta(table, { upserts: [peer], removes: [] }, circumstances))
    const plan = planDelta(table, { upserts: [{ ...peer, notAfterSeconds: 5 }], removes: [] }, circumstances)
    assert.deepEqual([plan.removes, plan.adds, plan.renewed.map(({ endsAt }) => endsAt)], [[], [], [1005]])
  })

  test('gives a taken address to nobody else, and to the next when it was given back in the same delta', () => {
    const [first, second] = [1, 2].map((byte) => ({
      publicKey: keyOf(byte),
      presharedKey: keyOf(byte),
      allowedIps: ['10.64.0.2/32'],
      notAfterSeconds: null,
    }))
    const table = peerTable()
    table.apply(planDelta(table, { upserts: [first], removes: [] }, circumstances))
    const refused = planDelta(table, { upserts: [second], removes: [] }, circumstances)
    assert.deepEqual(refused.rejected, [{ publicKey: keyOf(2), reason: 'ADDRESS_TAKEN' }])
    assert.deepEqual([refused.removes, refused.adds], [[], []])
    const moved = planDelta(table, { upserts: [second], removes: [keyOf(1)] }, circumstances)
    assert.deepEqual([moved.removes, moved.adds.map(({ publicKey }) => publicKey)], [[keyOf(1)], [keyOf(2)]])
  })
})

describe('removals of a snapshot', () => {
  const keys = (from: number, count: number) => Array.from({ length: count }, (_, at) => `key ${from + at}`)
  const cases: [what: string, input: Partial<Parameters<typeof splitRemovals>[0]>, now: number, waiting: number][] = [
    ['30 % are done', { gone: keys(0, 30) }, 30, 0],
    ['more than 30 % wait', { gone: keys(0, 31) }, 0, 31],
    ['more than 30 % are done when the operator allowed it', { gone: keys(0, 100), isAllowed: true }, 100, 0],
    [
      'one that came since is not held up by those that wait',
      { gone: keys(0, 51), waiting: new Set(keys(0, 50)) },
      1,
      50,
    ],
    ['many that came since wait too', { gone: keys(0, 90), waiting: new Set(keys(0, 50)) }, 0, 90],
    [
      'those that waited are done when they have become few',
      { gone: keys(0, 20), waiting: new Set(keys(0, 50)) },
      20,
      0,
    ],
    ['none of none', { gone: [], held: 0 }, 0, 0],
  ]
  for (const [what, input, now, waiting] of cases) {
    test(`of 100 peers: ${what}`, () => {
      const found = splitRemovals({ gone: [], held: 100, waiting: new Set(), isAllowed: false, ...input })
      assert.deepEqual([found.now.length, found.waiting.length], [now, waiting])
    })
  }
})
