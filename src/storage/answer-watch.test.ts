import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { answerWatch } from './answer-watch.ts'

/** A question that is answered, or fails when it is closed. */
function question() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { ask: () => promise, answer: () => resolve('answer'), close: () => reject(new Error('closed')) }
}

function hold(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('a question without an answer is closed, and others are not', async () => {
  const watch = answerWatch(500)
  const [silent, answered] = [question(), question()]
  const both = [watch.during(silent.ask, silent.close), watch.during(answered.ask, answered.close)]
  answered.answer()
  assert.deepEqual(
    (await Promise.allSettled(both)).map(({ status }) => status),
    ['rejected', 'fulfilled'],
  )
})

test('a held event loop is one beat, however long', async () => {
  const watch = answerWatch(1000)
  const late = question()
  const asked = watch.during(late.ask, late.close)
  hold(1600)
  // The timers that became due meanwhile.
  await turn()
  await turn()
  late.answer()
  assert.equal(await asked, 'answer')
})
