import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Refusal } from '../kernel/refusal.ts'
import { type WorkerPoolSettings, workerPool } from './worker-pool.ts'

const poolModule = new URL('./worker-pool.ts', import.meta.url).href
const answerModule = new URL('./answer-in-worker.ts', import.meta.url).href
const refusalModule = new URL('../kernel/refusal.ts', import.meta.url).href
const folder = mkdtempSync(join(tmpdir(), 'atrium-workers-'))
after(() => rmSync(folder, { recursive: true }))

function entryOf(name: string, source: string): URL {
  const file = join(folder, `${name}.ts`)
  writeFileSync(file, source)
  return pathToFileURL(file)
}

const script = entryOf(
  'script',
  `import { answerInWorker } from '${answerModule}'; import { Refusal } from '${refusalModule}'
  let calls = 0
  answerInWorker((body: any, bytes, progress) => new Function('Refusal', 'calls', 'progress', 'bytes', body)(Refusal, ++calls, progress, bytes))`,
)

/** A pool whose workers run what they are sent, as the body of a function. */
function scriptPool(settings: Partial<WorkerPoolSettings> = {}) {
  const pool = workerPool<string, unknown>({
    entry: script,
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

test('a worker that has been idle ends, and the next task has a new one', async () => {
  const { run, workerCount } = scriptPool({ idleMsMax: 1 })
  assert.equal(await run('return calls'), 1)
  while (workerCount() > 0) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(await run('return calls'), 1)
})

test('the event loop goes on while a worker computes, and no worker runs before the first task', async () => {
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

test('a worker is used again, also after a refusal or an error, and both reach the caller', async () => {
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

test('as many tasks run at once as the pool has workers', async () => {
  const { run, workerCount } = scriptPool({ workersMax: 2 })
  assert.deepEqual(await Promise.all([run('return calls'), run('return calls')]), [1, 1])
  assert.equal(workerCount(), 2)
})

test('a task that takes too long is refused, its worker ends, and the next task gets a new one', async () => {
  const { run, workerCount } = scriptPool({ timeoutMs: 2000 })
  assert.equal(await run('return calls'), 1)
  await assert.rejects(run('for (;;);'), isRefused('VALIDATION_ERROR', 'Too much.'))
  assert.equal(workerCount(), 0)
  assert.equal(await run('return calls'), 1)
})

// All but the first ended the whole process while tasks were computed in threads.
const hungry = {
  'many arrays': 'const all = []; for (;;) all.push(new Array(1e5).fill(0.5 + all.length))',
  'a text that is split': "const all = []; for (;;) all.push('a,'.repeat(4e6).split(','))",
  'JSON with many objects': "JSON.parse('[' + '{\"a\":[1,{}]},'.repeat(2e6) + '1]')",
  'a map that grows': 'const all = new Map(); for (let n = 0; ; n++) all.set("k" + n, { n })',
}
for (const [what, body] of Object.entries(hungry))
  test(`a task that needs too much memory ends its worker and not the service: ${what}`, async () => {
    const { run } = scriptPool({ heapMaxMb: 64 })
    await assert.rejects(run(body), isRefused('VALIDATION_ERROR', 'Too much.'))
    assert.equal(await run('return calls'), 1)
  })

test('a task whose arrays need too much memory ends its worker and not the service', async () => {
  const { run } = scriptPool({ heapMaxMb: 64, arraysMaxMb: 64 })
  await assert.rejects(
    run('const all = []; for (;;) { all.push(new Uint8Array(1e6).fill(1)); for (let n = 0; n < 1e6; n++); }'),
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

test('a task that is given up ends its worker and fails with the reason, and one that waits never runs', async () => {
  const { run, workerCount } = scriptPool()
  const controller = new AbortController()
  const { signal } = controller
  const tasks = [run('for (;;);', { signal }), run('return calls', { signal })]
  controller.abort(new Error('given up'))
  for (const task of tasks) await assert.rejects(task, /given up/)
  assert.equal(workerCount(), 0)
  assert.equal(await run('return calls'), 1)
})

test('a worker that ends by itself, or by an uncaught error, fails its caller alone', async () => {
  const { run } = scriptPool()
  await assert.rejects(run('process.exit(0)'), /ended while it computed/)
  assert.equal(await run('return calls'), 1)
  const failing = scriptPool({ entry: entryOf('failing', "throw new Error('a fault')") })
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

test('closing ends the workers and refuses tasks that run, wait or come later', async () => {
  const { run, close, workerCount } = scriptPool()
  const refused = [run('for (;;);'), run('return 1')].map((task) => assert.rejects(task, isRefused('UNAVAILABLE')))
  await close()
  await Promise.all(refused)
  await assert.rejects(run('return 1'), isRefused('UNAVAILABLE'))
  assert.equal(workerCount(), 0)
})

test('bytes of many sizes reach the worker as they are, and come back', async () => {
  const { run } = scriptPool()
  for (const length of [0, 1, 65_536, 3_000_001]) {
    const bytes = Buffer.alloc(length, 'abc')
    const back = (await run('return bytes', { bytes })) as Uint8Array
    assert.ok(bytes.equals(back), `${length} bytes`)
  }
})

test('a worker knows no secret of the service, and outlasts signals that stop it', async () => {
  const { run } = scriptPool()
  const names = (await run('return Object.keys(process.env)')) as string[]
  // A shell sets PWD by itself.
  assert.deepEqual(
    names.filter((name) => name !== 'PWD'),
    [],
  )
  const survived = "process.kill(process.pid, 'SIGTERM'); process.kill(process.pid, 'SIGINT'); return 'survived'"
  assert.equal(await run(survived), 'survived')
  assert.equal(await run('return calls'), 3)
})

test('a worker for which nobody waits leaves the processor to others', async () => {
  const priorityOf = (settings: Partial<WorkerPoolSettings>) =>
    scriptPool(settings).run('return process.getBuiltinModule("node:os").getPriority()')
  assert.equal(await priorityOf({}), getPriority())
  assert.equal(await priorityOf({ isBackground: true }), Math.min(getPriority() + 5, 19))
})

const sessionFile = '/proc/self/autogroup'

test('the session of such a worker leaves the processor to others', {
  // Linux lets others than root change one session in a tenth of a second.
  skip: (process.getuid?.() !== 0 || !existsSync(sessionFile)) && 'the system may not allow it',
}, async () => {
  const session = await scriptPool({ isBackground: true }).run(
    `return process.getBuiltinModule('node:fs').readFileSync('${sessionFile}', 'utf8')`,
  )
  assert.match(String(session), / nice 5$/m)
})

test('a worker that has computed for long is replaced, before a limit ends it', async () => {
  const { run } = scriptPool()
  assert.equal(await run('return calls'), 1)
  assert.equal(await run('process.cpuUsage = () => ({ user: 81e6, system: 0 }); return calls'), 2)
  assert.equal(await run('return calls'), 1)
})

test('a task or a result that cannot be copied fails its caller alone', async () => {
  const { run } = scriptPool()
  await assert.rejects(run((() => 1) as unknown as string), /could not be cloned/)
  await assert.rejects(run('return () => 1'), /cannot be sent/)
  assert.equal(await run('return "done"'), 'done')
})

test('a task is refused while the service can open no more files, and not for longer', async () => {
  const service = entryOf(
    'full',
    `import { closeSync, openSync } from 'node:fs'
    import { workerPool } from '${poolModule}'
    const pool = workerPool({ entry: new URL('${script}'), queueMax: 1, timeoutMs: 60_000, overLimit: () => new Error() })
    const code = () => pool.run('return "done"').catch((error: any) => error.code ?? String(error))
    const open: number[] = []
    try { for (;;) open.push(openSync('/dev/null')) } catch {}
    const refused = await code()
    for (const file of open) closeSync(file)
    process.stdout.write([refused, await code()].join())
    await pool.close()`,
  )
  const limited = ['-c', 'ulimit -n 64; exec "$0" "$1"', process.execPath, fileURLToPath(service)]
  assert.equal((await promisify(execFile)('/bin/sh', limited)).stdout, 'UNAVAILABLE,done')
})

test('a worker ends with its service, also where that is killed', async () => {
  const service = entryOf(
    'service',
    `import { workerPool } from '${poolModule}'
    const pool = workerPool({ entry: new URL('${script}'), queueMax: 1, timeoutMs: 60_000, overLimit: () => new Error() })
    process.stdout.write(String(await pool.run('return process.pid')))
    setInterval(() => {}, 60_000)`,
  )
  const serviceProcess = spawn(process.execPath, [fileURLToPath(service)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [pid] = (await once(serviceProcess.stdout, 'data')) as [Buffer]
  serviceProcess.kill('SIGKILL')
  while (isRunning(Number(pid))) await new Promise((resolve) => setImmediate(resolve))
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
