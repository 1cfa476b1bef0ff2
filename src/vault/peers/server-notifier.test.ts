import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { memoryFanOut } from '../../storage/fan-out.ts'
import { serverNotifier } from './server-notifier.ts'

const channel = 'vault.peers'
const longMs = 60_000

describe('the notifier of a server', () => {
  test('wake who waits for that server, and nobody else', async () => {
    const fanOut = memoryFanOut()
    const notifier = serverNotifier(fanOut, channel)
    const woken: string[] = []
    const watches = ['a', 'a', 'b', 'c'].map((id, index) => {
      const watch = notifier.watch(id)
      void watch.next(longMs).then(() => woken.push(`${id}${index}`))
      return watch
    })
    fanOut.publish(channel, 'a')
    fanOut.publish(channel, 'nobody')
    await new Promise(setImmediate)
    assert.deepEqual(woken, ['a0', 'a1'])
    assert.equal(notifier.waiting(), 4)
    notifier.end()
    for (const watch of watches) watch.close()
    assert.equal(notifier.waiting(), 0)
  })

  test('that come between two looks are not missed, and wake once', async () => {
    const fanOut = memoryFanOut()
    const watch = serverNotifier(fanOut, channel).watch('a')
    fanOut.publish(channel, 'a')
    await watch.next(longMs)
    let isWoken = false
    void watch.next(longMs).then(() => (isWoken = true))
    await new Promise(setImmediate)
    assert.equal(isWoken, false)
    fanOut.publish(channel, 'a')
    await new Promise(setImmediate)
    assert.equal(isWoken, true)
  })

  test('are waited for no longer than asked, and not by who has gone away', async () => {
    const notifier = serverNotifier(memoryFanOut(), channel)
    await notifier.watch('a').next(1)
    const absence = new AbortController()
    const watch = notifier.watch('a', absence.signal)
    const waiting = watch.next(longMs)
    absence.abort()
    await waiting
    await watch.next(longMs)
    watch.close()
  })
})
