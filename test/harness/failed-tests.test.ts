import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { describeFailures, type Failure, filesToRepeat, withFlaky } from './failed-tests.ts'
import suiteReport, { parseReport } from './suite-report.ts'

const failure = (over: Partial<Failure> = {}): Failure => ({
  database: 'pglite',
  file: 'src/a.test.ts',
  title: 'tasks > keep their order',
  message: 'AssertionError: 1 !== 2',
  stack: ['at src/a.test.ts:4:5'],
  kind: 'testCodeFailure',
  isSuite: false,
  ...over,
})

describe('the report of failed tests', () => {
  test('names a test with all that it belongs to, its error, and where in our code it was thrown', async () => {
    const error = Object.assign(new Error('failed'), {
      failureType: 'testCodeFailure',
      cause: Object.assign(new RangeError('too far'), {
        stack: `RangeError: too far\n    at f (node:fs:1:1)\n    at g (${process.cwd()}/src/a.ts:2:3)\n    at h (/x/node_modules/y/z.js:1:1)`,
      }),
    })
    const parent = Object.assign(new Error('1 subtest failed'), { failureType: 'subtestsFailed' })
    const report = await reportOn([
      { type: 'test:start', data: { name: 'src/b.test.ts', nesting: 0 } },
      { type: 'test:start', data: { name: 'src/a.test.ts', nesting: 0 } },
      { type: 'test:start', data: { name: 'tasks', nesting: 1 } },
      { type: 'test:start', data: { name: 'keep their order', nesting: 2 } },
      { type: 'test:fail', data: { name: 'keep their order', nesting: 2, details: { type: 'test', error } } },
      { type: 'test:fail', data: { name: 'planned', nesting: 2, todo: true, details: { type: 'test', error } } },
      { type: 'test:fail', data: { name: 'tasks', nesting: 1, details: { type: 'suite', error: parent } } },
      { type: 'test:fail', data: { name: 'src/a.test.ts', nesting: 0, details: { type: 'suite', error: parent } } },
      { type: 'test:complete', data: { name: 'src/a.test.ts', nesting: 0, details: { duration_ms: 1500 } } },
    ])
    const { database: _, ...expected } = failure({ message: 'RangeError: too far', stack: ['at g (src/a.ts:2:3)'] })
    const { failures, costs } = parseReport(report)
    assert.deepEqual(failures, [expected])
    assert.equal(costs?.['src/a.test.ts']?.seconds, 1.5)
  })

  test('of a process that was killed is not whole, and its half line is left out', () => {
    const { database: _, ...written } = failure()
    const report = `${JSON.stringify(written)}\n{"file":"src/b`
    assert.deepEqual(parseReport(report), { failures: [written], costs: null })
  })
})

describe('the files that are run once more', () => {
  const on = (...files: string[]) => files.map((file) => failure({ file }))
  const isRepeatable = (file: string) => file !== 'test/last.test.ts'

  test('are those of up to three, each once on its database', () => {
    const failures = [...on('a', 'a', 'b'), failure({ file: 'a', database: 'postgres' })]
    assert.deepEqual(filesToRepeat(failures, isRepeatable), [
      { database: 'pglite', file: 'a' },
      { database: 'pglite', file: 'b' },
      { database: 'postgres', file: 'a' },
    ])
    assert.deepEqual(filesToRepeat(on('a', 'b', 'c', 'd'), isRepeatable), [])
  })

  test('are none if a test was cancelled, or one failed that cannot be repeated by itself', () => {
    assert.deepEqual(filesToRepeat([...on('a'), failure({ kind: 'cancelledByParent' })], isRepeatable), [])
    assert.deepEqual(filesToRepeat(on('a', 'test/last.test.ts'), isRepeatable), [])
  })
})

test('each failed test is listed with its file and database, the error of the first ones and no long one in full', () => {
  const many = Array.from({ length: 40 }, (_, at) => failure({ title: `test ${at}`, message: 'line\n'.repeat(50) }))
  const text = describeFailures([...many, failure({ title: 'parent', kind: 'subtestsFailed' })])
  for (const { title } of many)
    assert.ok(text.includes(`✖ src/a.test.ts (pglite)\n  ${title}\n`) || text.endsWith(title))
  assert.doesNotMatch(text, /parent/)
  assert.ok(text.split('\n').length < 400)
  assert.match(text, /42 more lines\n {4}at src\/a\.test\.ts:4:5/)
  assert.equal(describeFailures([]), '')
})

test('flaky tests are counted by themselves and not among those that failed', () => {
  const flaky = [failure(), failure({ kind: 'testTimeoutFailure' }), failure({ kind: 'hookFailed', isSuite: true })]
  assert.deepEqual(withFlaky({ tests: 9, pass: 6, fail: 2, cancelled: 1 }, flaky), {
    tests: 9,
    pass: 6,
    fail: 1,
    cancelled: 0,
    flaky: 2,
  })
})

describe('a run of the tests', () => {
  const failsOnce = `import { existsSync, writeFileSync } from 'node:fs'
    import { test } from 'node:test'
    const seen = new URL('seen', import.meta.url)
    test('by chance', () => {
      if (existsSync(seen)) return
      writeFileSync(seen, '')
      throw new Error('not yet')
    })`
  const failsAlways = `import { test } from 'node:test'
    test('always', () => { throw new Error('never') })`

  test('in CI passes if a failed file passes when it is run again, and says which test failed first', (t) => {
    const { status, stdout } = runFile(t, failsOnce, { CI: 'true' })
    assert.match(
      stdout,
      /ℹ fail 0\n[\s\S]*ℹ flaky 1\n\nFlaky: [\s\S]*once\.test\.ts \(pglite\)\n {2}by chance\n {4}Error: not yet\n/,
    )
    assert.equal(status, 0)
  })

  test('in CI fails if the file fails again', (t) => {
    const { status, stdout } = runFile(t, failsAlways, { CI: 'true' })
    assert.match(
      stdout,
      /Once more on PGlite[\s\S]*\nFailed\n✖ .*once\.test\.ts \(pglite\)\n {2}always\n {4}Error: never\n/,
    )
    assert.equal(status, 1)
  })

  test('elsewhere repeats nothing', (t) => {
    const { status, stdout } = runFile(t, failsOnce, { CI: '' })
    assert.match(stdout, /\nFailed\n✖ .*once\.test\.ts \(pglite\)\n/)
    assert.doesNotMatch(stdout, /Once more/)
    assert.equal(status, 1)
  })
})

/** The outcome of `test/run.ts` for one file. */
function runFile(t: TestContext, source: string, environment: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-run-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'once.test.ts')
  writeFileSync(file, source)
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env
  return spawnSync(process.execPath, ['test/run.ts', 'pglite', file], {
    encoding: 'utf8',
    env: { ...inherited, ...environment, FORCE_COLOR: '' },
  })
}

async function reportOn(events: object[]): Promise<string> {
  let report = ''
  const source = (async function* () {
    yield* events
  })()
  for await (const line of suiteReport(source as Parameters<typeof suiteReport>[0])) report += line
  return report
}
