import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { answerWatch } from './answer-watch.ts'

/** Its answer fails when its connection is closed. */
function statement() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { answer: promise, give: () => resolve('answer'), close: () => reject(new Error('closed')) }
}

function hold(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('a connection without an answer is closed, and others are not', async () => {
  const watch = answerWatch(500)
  const [silent, answered] = [statement(), statement()]
  const both = [watch.during(silent.answer, silent.close), watch.during(answered.answer, answered.close)]
  answered.give()
  assert.deepEqual(
    (await Promise.allSettled(both)).map(({ status }) => status),
    ['rejected', 'fulfilled'],
  )
})

test('a held event loop is one beat, however long', async () => {
  const watch = answerWatch(1000)
  const late = statement()
  const asked = watch.during(late.answer, late.close)
  hold(1600)
  // The timers that became due meanwhile.
  await turn()
  await turn()
  late.give()
  assert.equal(await asked, 'answer')
})
