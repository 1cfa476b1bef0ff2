import assert from 'node:assert/strict'
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { endAfterRestart } from './boot-clock.ts'
import { openState, type PeerState, type State } from './state.ts'

const peer = (name: string, endsAt: number | null = null) => ({
  publicKey: name,
  presharedKey: `psk of ${name}`,
  allowedIps: ['10.64.0.2/32'],
  endsAt,
})
const nothing = { removes: [], adds: [], renewed: [], rejected: [] }
const never = (): PeerState => assert.fail('not written whole')

describe('the state folder', () => {
  let folder: string
  let now: { bootId: string; seconds: number; wallMs: number }
  const opened = (): Promise<State> =>
    openState(folder, {
      clock: { bootId: now.bootId, seconds: () => now.seconds },
      wallMs: () => now.wallMs,
      log: { warn: () => undefined },
    })
  const filled = async () => {
    const state = await opened()
    await state.load()
    await state.record({ ...nothing, adds: [peer('a'), peer('b', 160)], revision: 4 }, never)
    await state.record({ ...nothing, removes: ['a'], adds: [peer('c')], revision: 5 }, never)
    return state
  }
  const namesOf = (held: PeerState) => held.peers.map(({ publicKey }) => publicKey)

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-agent-'))
    now = { bootId: 'one', seconds: 100, wallMs: 1_000_000 }
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('holds after a restart what was recorded, and the same key', async () => {
    const { publicKey } = await filled()
    const again = await opened()
    const held = await again.load()
    assert.deepEqual([held.revision, namesOf(held), again.publicKey], [5, ['b', 'c'], publicKey])
    assert.deepEqual(namesOf(await (await opened()).load()), ['b', 'c'], 'and after another')
  })

  test('is read by its owner alone, and shows no preshared key and no token', async () => {
    const state = await filled()
    await state.saveNode({ token: 'atrnode_x', enrolledWith: '', server: {} as never })
    await state.nextEpoch(1)
    await state.folder.withTemporaryFile('secret', async (path) => assert.equal(statSync(path).mode & 0o777, 0o600))
    for (const name of readdirSync(folder)) {
      assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name)
      assert.doesNotMatch(readFileSync(join(folder, name), 'utf8'), /psk of|atrnode_|secret/, name)
    }
    assert.equal((await (await opened()).node())?.token, 'atrnode_x')
  })

  test('leaves out a line that a crash has cut off, with all that the platform was not told of', async () => {
    await filled()
    const journal = join(folder, 'peers.journal')
    truncateSync(journal, statSync(journal).size - 10)
    const held = await (await opened()).load()
    assert.deepEqual([held.revision, namesOf(held)], [4, ['a', 'b']])
  })

  test('takes no line of an older file for one of its own', async () => {
    await filled()
    const lines = readFileSync(join(folder, 'peers.journal'))
    await (await opened()).load()
    appendFileSync(join(folder, 'peers.journal'), lines)
    const state = await opened()
    await state.save({ ...(await state.load()), peers: [], revision: 9 })
    appendFileSync(join(folder, 'peers.journal'), lines)
    const held = await (await opened()).load()
    assert.deepEqual([held.revision, namesOf(held)], [9, []])
  })

  test('is written whole once the journal is long', async () => {
    const state = await filled()
    for (let count = 0; count < 1000; count++) {
      const whole = (): PeerState => ({ revision: 7, peers: [peer('z')], rejected: [] })
      await state.record({ ...nothing, revision: 6 }, whole)
    }
    assert.deepEqual(namesOf(await (await opened()).load()), ['z'])
  })

  test('asks for all peers anew when they cannot be read', async () => {
    await filled()
    writeFileSync(join(folder, 'peers.sealed'), 'scrap')
    assert.deepEqual(await (await opened()).load(), { revision: 0, peers: [], rejected: [] })
  })

  test('keeps the time that a peer has left over a restart, and drops it when that has passed', async () => {
    await filled()
    now = { ...now, seconds: 150 }
    assert.deepEqual(
      (await (await opened()).load()).peers.map(({ endsAt }) => endsAt),
      [160, null],
    )
    now = { ...now, seconds: 160 }
    assert.deepEqual(namesOf(await (await opened()).load()), ['c'])
  })

  test('asks for all peers anew after a reboot, when it cannot know how long some have', async () => {
    await filled()
    now = { bootId: 'two', seconds: 5, wallMs: now.wallMs + 20_000 }
    const held = await (await opened()).load()
    assert.equal(held.revision, 0)
    assert.deepEqual(
      held.peers.map(({ endsAt }) => endsAt),
      [45, null],
    )
  })

  test('gives an epoch greater than the last, also when the clock of the machine went back', async () => {
    const state = await opened()
    assert.equal(await state.nextEpoch(5000), 5000)
    assert.equal(await (await opened()).nextEpoch(3000), 5001)
  })

  test('removes what a killed agent had lent to wg', async () => {
    await opened()
    writeFileSync(join(folder, 'lent-1-0'), 'key')
    await opened()
    assert.deepEqual(readdirSync(folder), ['server.key'])
  })

  test('lets removals happen once for each time the operator allowed it', async () => {
    const state = await opened()
    assert.equal(await state.consumeRemovalPermission(), false)
    writeFileSync(join(folder, 'allow-removals'), '')
    assert.deepEqual([await state.consumeRemovalPermission(), await state.consumeRemovalPermission()], [true, false])
  })
})

describe('an end with 60 s left', () => {
  const stamp = { bootId: 'one', bootSeconds: 100, wallMs: 1_000_000 }
  const left = (now: { bootId: string; bootSeconds: number; wallMs: number }) =>
    endAfterRestart(160, stamp, now) - now.bootSeconds

  test('has after a reboot what the longer of both clocks leaves of it, and nothing when a clock went back', () => {
    assert.equal(left({ bootId: 'one', bootSeconds: 110, wallMs: 0 }), 50)
    assert.equal(left({ bootId: 'two', bootSeconds: 10, wallMs: 1_030_000 }), 30)
    assert.equal(left({ bootId: 'two', bootSeconds: 40, wallMs: 1_030_000 }), 20)
    assert.equal(left({ bootId: 'two', bootSeconds: 1, wallMs: 999_999 }), Number.NEGATIVE_INFINITY)
  })
})
