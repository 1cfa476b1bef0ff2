import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Call, closedLoop, type Span } from './closed-loop.ts'

const noop = () => undefined
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
const soon: Call = turn

test('each call is made once where a number is asked for, by no more callers than there are', async () => {
  const made: number[] = []
  let running = 0
  let most = 0
  const tally = await closedLoop(
    { callers: 4, span: { kind: 'once', calls: 50 }, notice: noop },
    async (caller, call) => {
      made.push(call)
      most = Math.max(most, ++running)
      await soon(caller, call)
      running--
    },
  )
  assert.deepEqual(
    made.toSorted((a, b) => a - b),
    Array.from({ length: 50 }, (_, at) => at),
  )
  assert.deepEqual([tally.calls, most], [50, 4])
})

test('what is answered while warming up does not count, and the window is announced at both ends', async () => {
  const moments: string[] = []
  let answered = 0
  let answeredBefore = 0
  const span: Span = { kind: 'window', warmUpMs: 30, measuredMs: 30 }
  const notice = (moment: string) => {
    moments.push(moment)
    if (moment === 'begun') answeredBefore = answered
  }
  const tally = await closedLoop({ callers: 2, span, notice }, async (caller, call) => {
    await soon(caller, call)
    answered++
  })
  assert.deepEqual(moments, ['begun', 'ended'])
  assert.ok(answeredBefore > 0)
  assert.ok(tally.calls > 0 && tally.calls <= answered - answeredBefore)
})

test('a window goes on until it has seen an answer for each caller, so that silence is never taken for speed', async () => {
  const waiting: (() => void)[] = []
  const span: Span = { kind: 'window', warmUpMs: 1, measuredMs: 5 }
  const tally = await closedLoop({ callers: 3, span, notice: noop }, async () => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      if (waiting.length < 3) return
      setTimeout(() => {
        for (const go of waiting.splice(0)) go()
      }, 40)
    })
  })
  assert.ok(tally.calls >= 3)
})

test('one call that fails fails the run and stops the other callers', async () => {
  let calls = 0
  const span: Span = { kind: 'window', warmUpMs: 1, measuredMs: 20 }
  const failing = closedLoop({ callers: 2, span, notice: noop }, async (caller, call) => {
    calls++
    await soon(caller, call)
    if (caller === 1) throw new Error('answered 500, not 200')
  })
  await assert.rejects(failing, /answered 500/)
  // The other's call ends in this turn of the event loop; it would make its next one before the end of the second.
  await turn()
  const after = calls
  await turn()
  assert.equal(calls, after)
})
