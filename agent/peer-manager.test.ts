import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { fakeWg } from '../test/harness/fake-wg.ts'
import { counters } from './counters.ts'
import { openLog } from './log.ts'
import { peerValidator, snapshotHash } from './peer.ts'
import { type PeerManager, peerManager } from './peer-manager.ts'
import type { Delta, Snapshot } from './platform.ts'
import { openState } from './state.ts'
import { wireguard } from './wireguard.ts'

const keyOf = (number: number) => Buffer.alloc(32, `${number} `).toString('base64')
const sent = (number: number, notAfterSeconds: number | null = null) => ({
  publicKey: keyOf(number),
  presharedKey: keyOf(number + 5000),
  allowedIps: [`10.64.${number >> 8}.${number & 255}/32`],
  notAfterSeconds,
})
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)
const delta = (revision: number, upserts: unknown[], removes: string[] = []): Delta => ({
  kind: 'delta',
  revision,
  upserts,
  removes,
})
const snapshot = (revision: number, peers: unknown[], overrides: Partial<Snapshot> = {}): Snapshot => ({
  kind: 'snapshot',
  revision,
  count: peers.length,
  sha256: snapshotHash(peers),
  peers,
  ...overrides,
})

describe('the peer manager', () => {
  let folder: string
  let wg: ReturnType<typeof fakeWg>
  let clock: { bootId: string; seconds(): number }
  let nowSeconds: number
  let kept: PeerManager
  let counted: ReturnType<typeof counters>
  let unsound: number
  let lines: string[]

  const started = async () => {
    const state = await openState(folder, { clock, wallMs: () => 0, log: { warn: () => undefined } })
    counted = counters({})
    unsound = 0
    kept = peerManager({
      held: await state.load(),
      state,
      wireguard: wireguard({
        run: wg.run,
        folder: state.folder,
        interfaceName: 'wg0',
        privateKey: state.privateKey,
        listenPort: 51820,
      }),
      counters: counted,
      clock,
      validate: peerValidator({
        publicKey: state.publicKey,
        address4: '10.64.0.1/16',
        address6: 'fd42::1/64',
        subnet4: '10.64.0.0/16',
        subnet6: 'fd42::/64',
      }),
      log: openLog((line) => lines.push(line)),
      onInterfaceFault: () => {
        unsound += 1
      },
    })
  }
  const live = () => [...wg.peers.keys()].sort()
  const keys = (...ofNumbers: number[]) => ofNumbers.map(keyOf).sort()
  const sync = (isNew = false) => kept.sync(async () => ({ isNew, endpoints: {} }))

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-agent-'))
    wg = fakeWg()
    nowSeconds = 100
    lines = []
    clock = { bootId: 'one', seconds: () => nowSeconds }
    await started()
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('gives the interface at most 500 peers at a time', async () => {
    await kept.apply(
      snapshot(
        1,
        numbers(2, 1102).map((number) => sent(number)),
      ),
    )
    assert.deepEqual(wg.commands, ['addconf 500', 'addconf 500', 'addconf 101'])
    assert.equal(wg.peers.size, 1101)
  })

  test('applies all others when one record is bad, and tells which it was until it is well', async () => {
    const bad = { ...sent(3), presharedKey: 'x' }
    await kept.apply(delta(1, [sent(2), bad, sent(4)]))
    assert.deepEqual(live(), keys(2, 4))
    assert.deepEqual(kept.status(), {
      appliedRevision: 1,
      rejected: [{ publicKey: keyOf(3), reason: 'INVALID_PRESHARED_KEY' }],
    })
    await started()
    assert.equal(kept.status().rejected.length, 1, 'also after a restart')
    await kept.apply(delta(2, [sent(3)]))
    assert.deepEqual([live(), kept.status().rejected], [keys(2, 3, 4), []])
  })

  test('finds the one that only wg dislikes, among many, and leaves it out from then on', async () => {
    wg.disliked.add(keyOf(77))
    await kept.apply(
      delta(
        1,
        numbers(2, 200).map((number) => sent(number)),
      ),
    )
    assert.equal(wg.peers.size, 198)
    assert.deepEqual(kept.status().rejected, [{ publicKey: keyOf(77), reason: 'REFUSED_BY_WIREGUARD' }])
    wg.commands.length = 0
    await sync()
    assert.deepEqual(wg.commands, [])
    wg.peers.clear()
    await sync(true)
    assert.deepEqual(wg.commands, ['syncconf 198'])
  })

  test('puts another preshared key and another address into force', async () => {
    await kept.apply(delta(1, [sent(2)]))
    await kept.apply(delta(2, [{ ...sent(2), presharedKey: keyOf(9), allowedIps: ['10.64.0.9/32'] }]))
    const { presharedKey, allowedIps } = wg.peers.get(keyOf(2)) ?? assert.fail()
    assert.deepEqual([presharedKey, allowedIps], [keyOf(9), ['10.64.0.9/32']])
  })

  test('applies nothing of a snapshot that is cut off, empty against its word or changed', async () => {
    await kept.apply(snapshot(1, [sent(2), sent(3)]))
    const whole = snapshot(2, [sent(2), sent(4)])
    for (const bad of [
      { ...whole, peers: [sent(2)] },
      { ...whole, peers: [] },
      { ...whole, sha256: snapshotHash([]) },
      { ...whole, peers: [sent(2), { ...sent(4), presharedKey: keyOf(1) }] },
    ]) {
      await assert.rejects(kept.apply(bad), /incomplete/)
    }
    assert.deepEqual([live(), kept.revision()], [keys(2, 3), 1])
  })

  test('lets a database that was set back add peers, and remove many only with the operator’s word', async () => {
    await kept.apply(
      snapshot(
        9,
        numbers(2, 11).map((number) => sent(number)),
      ),
    )
    await kept.forgetRevision()
    const older = [...numbers(2, 5), 20].map((number) => sent(number))
    assert.equal(await kept.apply(snapshot(3, older)), 'waiting')
    assert.deepEqual(live(), keys(...numbers(2, 11), 20))
    assert.equal(kept.revision(), 0, 'and asks for it again')
    // Revoked meanwhile: this one does not wait.
    assert.equal(await kept.apply(snapshot(4, older.slice(1))), 'waiting')
    assert.deepEqual(live(), keys(...numbers(3, 11), 20))
    writeFileSync(join(folder, 'allow-removals'), '')
    assert.equal(await kept.apply(snapshot(4, older.slice(1))), 'applied')
    assert.deepEqual([live(), kept.revision()], [keys(3, 4, 5, 20), 4])
    assert.equal(existsSync(join(folder, 'allow-removals')), false, 'for once')
    assert.equal(lines.filter((line) => line.includes('more than 30 %')).length, 1)
  })

  test('removes a peer at its end without being told to, and keeps it removed after a restart', async () => {
    await kept.apply(delta(1, [sent(2, 60), sent(3, 61), sent(4)]))
    nowSeconds += 60
    await kept.removeEnded()
    assert.deepEqual(live(), keys(3, 4))
    nowSeconds += 1
    await started()
    await sync()
    assert.deepEqual(live(), keys(4))
  })

  test('does not remove a peer whose license was prolonged', async () => {
    await kept.apply(delta(1, [sent(2, 60)]))
    await kept.apply(delta(2, [sent(2, 600)]))
    nowSeconds += 61
    await kept.removeEnded()
    assert.deepEqual(live(), keys(2))
  })

  test('does not bring back a removed peer when it restarts with the platform away', async () => {
    await kept.apply(delta(1, [sent(2), sent(3)]))
    await kept.apply(delta(2, [], [keyOf(2)]))
    wg.peers.clear()
    await started()
    await sync(true)
    assert.deepEqual([live(), kept.revision()], [keys(3), 2])
  })

  test('takes changes while the interface is gone, asks for it, and fills it once it is there', async () => {
    await kept.apply(delta(1, [sent(2), sent(3)]))
    wg.isGone = true
    await kept.apply(delta(2, [sent(4)], [keyOf(2)]))
    assert.deepEqual([kept.revision(), unsound, kept.status().rejected], [2, 2, []])
    wg.isGone = false
    wg.peers.clear()
    await sync(true)
    assert.deepEqual(live(), keys(3, 4))
  })

  test('puts a live interface right without touching who is as he should be', async () => {
    await kept.apply(delta(1, [sent(2), sent(3), sent(4)]))
    const [good, wrong] = [wg.peers.get(keyOf(2)), wg.peers.get(keyOf(3)) ?? assert.fail()]
    wrong.presharedKey = keyOf(1)
    wg.peers.set(keyOf(9), { ...wrong, allowedIps: ['10.64.0.9/32'] })
    wg.peers.delete(keyOf(4))
    wg.commands.length = 0
    await sync()
    assert.deepEqual([live(), wg.peers.get(keyOf(3))?.presharedKey], [keys(2, 3, 4), keyOf(5003)])
    assert.equal(wg.peers.get(keyOf(2)), good)
    assert.deepEqual(wg.commands, ['remove 2', 'addconf 2'])
  })

  test('fills a new interface although wg dislikes one of the peers', async () => {
    await kept.apply(delta(1, [sent(2), sent(3), sent(4)]))
    wg.peers.clear()
    wg.disliked.add(keyOf(3))
    await sync(true)
    assert.deepEqual(live(), keys(2, 4))
    assert.deepEqual(kept.status().rejected, [{ publicKey: keyOf(3), reason: 'REFUSED_BY_WIREGUARD' }])
  })

  test('knocks where a device was last when the interface is new', async () => {
    await kept.apply(delta(1, [sent(2), sent(3)]))
    await kept.sync(async () => ({ isNew: true, endpoints: { [keyOf(2)]: '192.0.2.1:5' } }))
    const of = (number: number) => wg.peers.get(keyOf(number)) ?? assert.fail()
    assert.deepEqual([of(2).endpoint, of(2).keepalive], ['192.0.2.1:5', '1'])
    assert.deepEqual([of(3).endpoint, of(3).keepalive], ['(none)', 'off'])
    await sync()
    assert.deepEqual([of(2).endpoint, of(2).keepalive], ['192.0.2.1:5', 'off'])
  })

  test('counts what a peer sent until it was removed', async () => {
    await kept.apply(delta(1, [sent(2)]))
    const peer = wg.peers.get(keyOf(2)) ?? assert.fail()
    peer.rx = 700
    await kept.apply(delta(2, [], [keyOf(2)]))
    assert.equal(counted.next()?.peers[0]?.rxBytes, 700)
  })

  test('writes no key into its log', async () => {
    await kept.apply(delta(1, [sent(2), { ...sent(3), presharedKey: 'x' }]))
    wg.isGone = true
    await kept.apply(delta(2, [sent(4)], [keyOf(2)]))
    openLog((line) => lines.push(line)).error('Enrolled', { token: 'atrenroll_abc', reason: `peer ${keyOf(2)}` })
    assert.doesNotMatch(lines.join(''), /[A-Za-z0-9+/]{43}=|atrenroll_/)
  })
})
