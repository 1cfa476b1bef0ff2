import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slowBodies } from './slow-bodies.ts'

const settings = { bytesPerSecondMin: 1000, patienceMs: 5_000, checkMs: 3_600_000 }

/** How many seconds the body lasts that brings `bytesOf(second)` bytes in each second, up to a minute. */
function secondsUntilEnded(bytesOf: (second: number) => number): number | null {
  let second = 0
  let isEnded = false
  const { watch, check } = slowBodies(settings, () => second * 1000)
  const message = { complete: false, destroyed: false, socket: { bytesRead: 0 } }
  watch(message, () => {
    isEnded = true
  })
  while (!isEnded && second < 60) {
    second++
    message.socket.bytesRead += bytesOf(second)
    check()
  }
  return isEnded ? second : null
}

test('a body must come at the least speed, and may stop for a few seconds', () => {
  const rows: [string, (second: number) => number, number | null][] = [
    ['nothing comes', () => 0, 6],
    ['a byte a second', () => 1, 6],
    ['much, and then nothing', (second) => (second === 1 ? 1_000_000 : 0), 7],
    ['the least speed', () => 1000, null],
    ['half of it', () => 500, 11],
    ['twice of it, with pauses of four seconds', (second) => (second % 5 === 0 ? 10_000 : 0), null],
  ]
  for (const [name, bytesOf, ended] of rows) assert.equal(secondsUntilEnded(bytesOf), ended, name)
})

test('a body that has arrived, or whose client has left, is not ended', () => {
  for (const change of [{ complete: true }, { destroyed: true }]) {
    let nowMs = 0
    const { watch, check } = slowBodies(settings, () => nowMs)
    const message = { complete: false, destroyed: false, socket: { bytesRead: 0 } }
    watch(message, () => assert.fail('ended'))
    Object.assign(message, change)
    nowMs = 60_000
    check()
  }
})
