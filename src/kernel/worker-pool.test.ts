import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { Refusal } from './refusal.ts'
import { type WorkerPoolSettings, workerPool } from './worker-pool.ts'

const poolModule = new URL('./worker-pool.ts', import.meta.url).href
const refusalModule = new URL('./refusal.ts', import.meta.url).href

/** A pool whose threads run what they are sent, as the body of a function. */
function scriptPool(settings: Partial<WorkerPoolSettings> = {}) {
  const source = `import { answerInWorker } from '${poolModule}'; import { Refusal } from '${refusalModule}'
    let calls = 0
    answerInWorker((body, bytes, progress) => new Function('Refusal', 'calls', 'progress', body)(Refusal, ++calls, progress))`
  const pool = workerPool<string, unknown>({
    entry: new URL(`data:text/javascript,${encodeURIComponent(source)}`),
    queueMax: 3,
    timeoutMs: 20_000,
    overLimit: () => new Refusal('VALIDATION_ERROR', { detail: 'Too much.' }),
    ...settings,
  })
  after(() => pool.close())
  return pool
}

function isRefused(code: string, detail?: string) {
  return (error: unknown) =>
    error instanceof Refusal && error.code === code && (detail === undefined || error.options.detail === detail)
}

test('a thread that has been idle ends, and the next task has a new one', async () => {
  const { run, workerCount } = scriptPool({ idleMsMax: 1 })
  const started = once(process, 'worker')
  assert.equal(await run('return calls'), 1)
  const [worker] = (await started) as [Worker]
  if (workerCount() > 0) await once(worker, 'exit')
  assert.equal(await run('return calls'), 1)
})

test('the event loop goes on while a thread computes, and no thread runs before the first task', async () => {
  const { run, workerCount } = scriptPool()
  assert.equal(workerCount(), 0)
  let isDone = false
  const computed = run('const end = Date.now() + 300; while (Date.now() < end); return "done"').then((result) => {
    isDone = true
    return result
  })
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(isDone, false)
  assert.equal(await computed, 'done')
})

test('a thread is used again, also after a refusal or an error, and both reach the caller', async () => {
  const { run, workerCount } = scriptPool()
  assert.deepEqual(await Promise.all([run('return calls'), run('return calls')]), [1, 2])
  await assert.rejects(
    run('throw new Refusal("VALIDATION_ERROR", { detail: "No." })'),
    isRefused('VALIDATION_ERROR', 'No.'),
  )
  await assert.rejects(run('throw new RangeError("a bug")'), { name: 'RangeError', message: 'a bug' })
  assert.equal(await run('return calls'), 5)
  assert.equal(workerCount(), 1)
})

test('as many tasks run at once as the pool has threads', async () => {
  const { run, workerCount } = scriptPool({ workersMax: 2 })
  assert.deepEqual(await Promise.all([run('return calls'), run('return calls')]), [1, 1])
  assert.equal(workerCount(), 2)
})

test('a task that takes too long is refused, its thread ends, and the next task gets a new one', async () => {
  const { run, workerCount } = scriptPool({ timeoutMs: 2000 })
  assert.equal(await run('return calls'), 1)
  await assert.rejects(run('for (;;);'), isRefused('VALIDATION_ERROR', 'Too much.'))
  assert.equal(workerCount(), 0)
  assert.equal(await run('return calls'), 1)
})

test('a task that needs too much memory ends its thread and not the process', async () => {
  const { run } = scriptPool({ memoryMaxMb: 64 })
  await assert.rejects(
    run('const all = []; for (;;) all.push(new Array(1e5).fill(0.5 + all.length))'),
    isRefused('VALIDATION_ERROR', 'Too much.'),
  )
  assert.equal(await run('return calls'), 1)
})

test('a task whose arrays need too much memory ends its thread and not the process', async () => {
  const { run } = scriptPool({ arraysMaxMb: 64 })
  await assert.rejects(
    run('const all = []; for (;;) { all.push(new Uint8Array(1e6)); for (let n = 0; n < 1e6; n++); }'),
    isRefused('VALIDATION_ERROR', 'Too much.'),
  )
  assert.equal(await run('return calls'), 1)
})

test('what a task reports reaches its caller in order and before its result', async () => {
  const { run } = scriptPool()
  const reports: unknown[] = []
  const onProgress = (report: unknown) => reports.push(report)
  assert.equal(await run('progress(1); progress(2); return "done"', { onProgress }), 'done')
  assert.deepEqual(reports, [1, 2])
})

test('a task that is given up ends its thread and fails with the reason, and one that waits never runs', async () => {
  const { run, workerCount } = scriptPool()
  const controller = new AbortController()
  const { signal } = controller
  const tasks = [run('for (;;);', { signal }), run('return calls', { signal })]
  controller.abort(new Error('given up'))
  for (const task of tasks) await assert.rejects(task, /given up/)
  assert.equal(workerCount(), 0)
  assert.equal(await run('return calls'), 1)
})

test('a thread that ends by itself, or by an uncaught error, fails its caller alone', async () => {
  const { run } = scriptPool()
  await assert.rejects(run('process.exit(0)'), /ended while it computed/)
  assert.equal(await run('return calls'), 1)
  const entry = new URL(
    'data:text/javascript,import { parentPort } from "node:worker_threads"; parentPort.on("message", () => { throw new Error("a fault") })',
  )
  const failing = scriptPool({ entry })
  await assert.rejects(failing.run(''), /a fault/)
  await assert.rejects(failing.run(''), /a fault/)
  assert.equal(failing.workerCount(), 0)
})

test('tasks that find no place in the queue are refused at once, and those in it are answered', async () => {
  const { run } = scriptPool({ queueMax: 1 })
  const waiting = [run('return 1'), run('return 2')]
  await assert.rejects(run('return 3'), isRefused('UNAVAILABLE'))
  assert.deepEqual(await Promise.all(waiting), [1, 2])
})

test('closing terminates the threads and refuses tasks that run, wait or come later', async () => {
  const { run, close, workerCount } = scriptPool()
  const refused = [run('for (;;);'), run('return 1')].map((task) => assert.rejects(task, isRefused('UNAVAILABLE')))
  await close()
  await Promise.all(refused)
  await assert.rejects(run('return 1'), isRefused('UNAVAILABLE'))
  assert.equal(workerCount(), 0)
})
