import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { changes } from '../test/harness/changes.ts'
import { type NodePlatform, startNodePlatform } from '../test/harness/node-platform.ts'
import type { PeerManager } from './peer-manager.ts'
import { type Delta, type Platform, platformClient, type Snapshot } from './platform.ts'
import { backoffMs, type FinalRefusal, pollLoop } from './poll-loop.ts'

const sent = (name: string) => ({ publicKey: name, presharedKey: 'p', allowedIps: ['a'], notAfterSeconds: null })

describe('pulling changes', () => {
  let far: NodePlatform
  let platform: Platform
  let applied: (Delta | Snapshot)[]
  let revision: number
  let refused: FinalRefusal | undefined
  let stopping: AbortController
  let done: Promise<void>
  let epoch: number
  let pauses: number[]
  const { changed, until } = changes()

  const stand = (): PeerManager =>
    ({
      revision: () => revision,
      status: () => ({ appliedRevision: revision, rejected: [{ publicKey: '?', reason: 'INVALID_PUBLIC_KEY' }] }),
      apply: async (answer: Delta | Snapshot) => {
        applied.push(answer)
        revision = answer.revision
        changed()
        return 'applied'
      },
      forgetRevision: async () => {
        revision = 0
      },
    }) as unknown as PeerManager
  const begin = () => {
    done = pollLoop({
      peerManager: stand(),
      platform,
      signal: stopping.signal,
      random: () => 0,
      pause: async (ms) => {
        pauses.push(ms)
        changed()
        // The loop goes on at once, but not before the calls that are under way.
        await nextTurn()
      },
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      onRefused: (why) => {
        refused = why
        stopping.abort()
      },
    })
  }
  const acknowledged = () => far.until(() => far.state.status.appliedRevision === far.state.revision)

  beforeEach(async () => {
    far = await startNodePlatform()
    let token = far.state.enrollmentToken
    epoch = 1000
    platform = platformClient(far.base, { token: () => token, epoch: () => epoch, waitSeconds: 25 })
    token = (await platform.enroll(token, { publicKey: 'k', agentVersion: '1' })).nodeToken
    ;[applied, pauses, revision, refused, stopping] = [[], [], 0, undefined, new AbortController()]
  })
  afterEach(async () => {
    stopping.abort()
    await done
    await far.stop()
  })

  test('begins with a snapshot, goes on with deltas, and acknowledges each', async () => {
    far.put(sent('a'))
    begin()
    await acknowledged()
    far.put(sent('b'))
    far.remove('a')
    await acknowledged()
    assert.equal(applied[0]?.kind, 'snapshot')
    assert.ok(applied.slice(1).every(({ kind }) => kind === 'delta'))
    assert.equal(revision, 3)
  })

  test('acknowledges the revision also when the platform does not take the list of bad peers', async () => {
    far.put(sent('a'))
    let statuses = 0
    far.state.instead.set('/status', (usual) =>
      statuses++ === 0 ? { status: 422, body: { code: 'INVALID' } } : usual(),
    )
    begin()
    await acknowledged()
    assert.deepEqual([statuses, far.state.status.rejected], [2, []])
  })

  test('acknowledges at its start what was applied before a crash', async () => {
    far.put(sent('a'))
    revision = 1
    begin()
    await acknowledged()
    assert.deepEqual(applied, [])
  })

  test('notices no connection that the platform had closed in the meantime', async () => {
    far.put(sent('a'))
    far.state.instead.set('/status', () => {
      far.state.instead.delete('/status')
      return far.closeOne()
    })
    begin()
    await acknowledged()
    assert.deepEqual(pauses, [])
  })

  test('asks for everything when the platform was set back', async () => {
    for (const name of ['a', 'b', 'c']) far.put(sent(name))
    begin()
    await acknowledged()
    far.setBack(1)
    far.stop().then(() => far.start())
    await until(() => applied.filter(({ kind }) => kind === 'snapshot').length === 2)
    assert.equal(revision, 1)
  })

  for (const [what, answer] of [
    ['a page of a proxy', { status: 200, body: '<html>Bad gateway</html>' }],
    ['something else', { status: 200, body: { kind: 'other' } }],
    ['a delta that is none', { status: 200, body: { kind: 'delta', revision: 'x', upserts: [], removes: [] } }],
    ['a failure', { status: 503, body: { code: 'UNAVAILABLE' } }],
    ['that there were too many requests', { status: 429, body: { code: 'RATE_LIMITED' } }],
  ] as const) {
    test(`goes on when the platform answers ${what}`, async () => {
      far.put(sent('a'))
      far.state.instead.set('/peers', () => {
        far.state.instead.delete('/peers')
        return answer
      })
      begin()
      await acknowledged()
      assert.deepEqual([applied.length, refused, pauses], [1, undefined, [1000]])
    })
  }

  test('ends when a newer agent works for the server', async () => {
    far.state.epoch = epoch + 1
    begin()
    await done
    assert.deepEqual([refused, applied], ['superseded', []])
  })

  test('ends when the token is not taken any more', async () => {
    far.state.nodeToken = 'another'
    begin()
    await done
    assert.deepEqual([refused, applied], ['token refused', []])
  })

  test('keeps no processor busy when the platform never waits', async () => {
    far.put(sent('a'))
    begin()
    await acknowledged()
    far.state.instead.set('/peers', () => ({ status: 204 }))
    far.put(sent('b'))
    await until(() => pauses.length >= 3)
    assert.deepEqual([...new Set(pauses)], [200])
  })
})

test('a platform that is away is asked again after 1 s, at last every 15 to 30 s, not by all agents at once', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 7, 1000].map((count) => backoffMs(count, 1)),
    [1e3, 2e3, 4e3, 8e3, 16e3, 3e4, 3e4, 3e4],
  )
  assert.deepEqual(
    [1, 2, 1000].map((count) => backoffMs(count, 0)),
    [1000, 1000, 15_000],
  )
})
