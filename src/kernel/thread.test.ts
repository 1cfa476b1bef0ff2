import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from './refusal.ts'
import { type ThreadSettings, thread } from './thread.ts'

const kernel = new URL('./thread.ts', import.meta.url).href
const refusals = new URL('./refusal.ts', import.meta.url).href

/** A thread that runs what it is sent, as the body of a function. */
function runner(settings: Partial<ThreadSettings> = {}) {
  const source = `import { computeInThread } from '${kernel}'; import { Refusal } from '${refusals}'
    let calls = 0
    computeInThread((body) => new Function('Refusal', 'calls', body)(Refusal, ++calls))`
  return thread<string, unknown>({
    entry: new URL(`data:text/javascript,${encodeURIComponent(source)}`),
    durationMsMax: 20_000,
    waitingMax: 3,
    tooMuch: 'Too much.',
    ...settings,
  })
}

function isRefused(code: string, detail?: string) {
  return (error: unknown) =>
    error instanceof Refusal && error.code === code && (detail === undefined || error.options.detail === detail)
}

test('others are served while a thread computes', async () => {
  const run = runner()
  let isDone = false
  const computed = run('const end = Date.now() + 300; while (Date.now() < end); return "done"').then((result) => {
    isDone = true
    return result
  })
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(isDone, false)
  assert.equal(await computed, 'done')
})

test('a thread computes one thing after another, and what is refused there is refused here', async () => {
  const run = runner()
  assert.deepEqual(await Promise.all([run('return calls'), run('return calls')]), [1, 2])
  await assert.rejects(
    run('throw new Refusal("VALIDATION_ERROR", { detail: "No." })'),
    isRefused('VALIDATION_ERROR', 'No.'),
  )
  await assert.rejects(run('throw new RangeError("a bug")'), { name: 'RangeError', message: 'a bug' })
  assert.equal(await run('return calls'), 5)
})

test('what takes too long is ended and refused, and the next one begins anew', async () => {
  const run = runner({ durationMsMax: 2000 })
  assert.equal(await run('return calls'), 1)
  await assert.rejects(run('for (;;);'), isRefused('VALIDATION_ERROR', 'Too much.'))
  assert.equal(await run('return calls'), 1)
})

test('what fills its memory ends its thread and not the process', async () => {
  const run = runner()
  await assert.rejects(
    run('const all = []; for (;;) all.push(new Array(1e5).fill(0.5 + all.length))'),
    isRefused('VALIDATION_ERROR', 'Too much.'),
  )
  assert.equal(await run('return calls'), 1)
})

test('a thread that ends by itself fails its caller alone', async () => {
  const run = runner()
  await assert.rejects(run('process.exit(0)'), /ended in the midst/)
  assert.equal(await run('return calls'), 1)
})

test('more than may wait are refused at once', async () => {
  const run = runner({ waitingMax: 1 })
  const waiting = [run('return 1'), run('return 2')]
  await assert.rejects(run('return 3'), isRefused('UNAVAILABLE'))
  assert.deepEqual(await Promise.all(waiting), [1, 2])
})
