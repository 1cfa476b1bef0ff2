import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../test/harness/app.ts'
import { memoryFanOut } from './fan-out.ts'
import type { Handle } from './handle.ts'
import { createPublicRevision } from './public-revision.ts'
import { transaction } from './scope.ts'

test('a change is known on its own node when it is committed, and not when it is rolled back', async () => {
  const { platform } = await testApp()
  const revision = createPublicRevision({ platform, fanOut: memoryFanOut(), isShared: false })
  const before = await revision.current()
  await assert.rejects(
    transaction(platform, async (tx) => {
      await revision.changed(tx)
      throw new Error('something later')
    }),
  )
  assert.equal(await revision.current(), before)
  await transaction(platform, (tx) => revision.changed(tx))
  assert.notEqual(await revision.current(), before)
})

test('a node without messages learns of a change from the database', async () => {
  const { platform } = await testApp()
  const there = createPublicRevision({ platform, fanOut: memoryFanOut(), isShared: true })
  const here = createPublicRevision({ platform, fanOut: memoryFanOut(), isShared: true })
  const before = await here.current()
  await transaction(platform, (tx) => there.changed(tx))
  // Asked as readers ask: each question starts, at most every quarter of a second, one to the database.
  const askedAtMs = performance.now()
  while ((await here.current()) === before) {
    assert.ok(performance.now() - askedAtMs < 5_000, 'the change was not seen')
    await new Promise(setImmediate)
  }
})

test('while the database is down, the revision stays as it was', async () => {
  const { platform } = await testApp()
  let isAway = false
  const handle: Handle = {
    ...platform.handle,
    readPipelined: (statement) =>
      isAway ? Promise.reject(new Error('away')) : platform.handle.readPipelined(statement),
  }
  const revision = createPublicRevision({ platform: { ...platform, handle }, fanOut: memoryFanOut(), isShared: true })
  const before = await revision.current()
  isAway = true
  assert.equal(await revision.current(), before)
})

test('a database that does not answer delays readers once, and then hardly at all', { timeout: 20_000 }, async () => {
  const { platform } = await testApp()
  let isSilent = false
  const handle: Handle = {
    ...platform.handle,
    readPipelined: (statement) => (isSilent ? new Promise(() => undefined) : platform.handle.readPipelined(statement)),
  }
  const revision = createPublicRevision({ platform: { ...platform, handle }, fanOut: memoryFanOut(), isShared: true })
  const before = await revision.current()
  isSilent = true
  let [waitedMs, reads] = [0, 0]
  const startedAtMs = performance.now()
  // The first second in which it is believed, and the one in which a reader waits for it.
  while (performance.now() - startedAtMs < 3_000) {
    const askedAtMs = performance.now()
    assert.equal(await revision.current(), before)
    if (askedAtMs - startedAtMs > 2_000) waitedMs += performance.now() - askedAtMs
    await new Promise(setImmediate)
    reads += 1
  }
  assert.ok(waitedMs < 600, `${waitedMs} ms of the last second, ${reads} reads`)
  isSilent = false
  await transaction(platform, (tx) => revision.changed(tx))
  const changedAtMs = performance.now()
  while ((await revision.current()) === before) {
    assert.ok(performance.now() - changedAtMs < 5_000, 'seen once it speaks again')
    await new Promise(setImmediate)
  }
})
