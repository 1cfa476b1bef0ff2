import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { yieldToEventLoop } from './event-loop.ts'

const busy = (ms: number) => {
  const untilMs = performance.now() + ms
  while (performance.now() < untilMs);
}

describe('work that holds the event loop', () => {
  test('lets everybody else have a turn again and again, however much of it there is', async () => {
    let turns = 0
    let isOver = false
    const count = () => {
      turns += 1
      if (!isOver) setTimeout(count, 0)
    }
    setTimeout(count, 0)
    for (let piece = 0; piece < 50; piece++) {
      await yieldToEventLoop()
      busy(2)
      await null
    }
    isOver = true
    assert.ok(turns >= 10, `${turns} turns in 100 ms of work`)
  })

  test('goes on at once while it has been short', async () => {
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(yieldToEventLoop(), null)
  })
})
