// node scripts/node24.js test/run.ts [pglite|postgres|oldest-postgres] [--test-...] [files and folders...]
// Runs the suite on PostgreSQL and some of it on PGlite as well (both-databases.ts), or all of it on the database named; tests that
// cannot tell them apart run once. On the oldest PostgreSQL that the documents promise only a few files run.
// Many files share one process: starting PGlite is expensive. The files of a database are shared out to a few processes, each with a
// database of its own; those that mostly wait have processes of their own. Ends with the files that took longest and the tests that
// failed. With CI set, a few files that failed are run once more: docs/start-here.md.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path/posix'
import { oldestPostgres } from '../src/storage/migrations.ts'
import { isTestedOn } from './harness/both-databases.ts'
import { describeFailures, describeFlaky, type Failure, filesToRepeat, withFlaky } from './harness/failed-tests.ts'
import { memoryFolder } from './harness/memory-folder.ts'
import { filesOnOldestPostgres, oldestPostgresMissing, oldestPostgresPrograms } from './harness/oldest-postgres.ts'
import { orderedOutput } from './harness/ordered-output.ts'
import { startPostgresServer } from './harness/postgres-server.ts'
import { shareOut, waitingFiles } from './harness/share-out.ts'
import { slowestFiles } from './harness/slowest-files.ts'
import { parseReport, type SuiteReport } from './harness/suite-report.ts'
import { thatTellDatabases } from './harness/tells-databases.ts'
import { describeTotals, sumTotals } from './harness/test-totals.ts'

const titles = new Map([
  ['pglite', 'PGlite'],
  ['postgres', 'PostgreSQL'],
  ['oldest-postgres', `PostgreSQL ${oldestPostgres}`],
])
const [first = ''] = process.argv.slice(2)
const named = titles.has(first) ? first : null
const rest = process.argv.slice(named === null ? 2 : 3)
const options = rest.filter((argument) => argument.startsWith('-'))
const places = rest.filter((argument) => !argument.startsWith('-'))
const isWhole = places.length === 0
const chosen = named === null ? ['postgres', 'pglite', ...(isWhole ? ['oldest-postgres'] : [])] : [named]
const patterns = (isWhole ? ['src', 'agent', 'runner', 'sdk', 'test', 'bench'] : places).map((place) =>
  place.endsWith('.ts') ? place : join(place, '**/*.test.ts'),
)
// Looks at what all the others have left behind.
const last = 'test/last.test.ts'
const files = globSync(patterns)
  .map((file) => relative('.', file))
  .filter((file) => file !== last)
  .sort()
if (files.length === 0) throw new Error(`No tests in ${patterns.join(', ')}`)

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort(signal))

const processesMax = Math.min(2, availableParallelism())
// Fewer are done before a second process has started.
const filesOfProcessMin = 20

/** `isWaiting`: it needs little of a processor. */
type Suite = { title: string; database: string; files: string[]; report: string; isWaiting: boolean }

const inMemory = memoryFolder()
const folder = mkdtempSync(join(tmpdir(), 'atrium-suite-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const telling = new Set(thatTellDatabases(files))
function filesOn(database: string): string[] {
  if (database === 'oldest-postgres' && isWhole) return files.filter((file) => filesOnOldestPostgres.includes(file))
  if (database === 'oldest-postgres' || named !== null) return files
  // PostgreSQL is faster than PGlite: it takes those that run once.
  const candidates = database === 'postgres' ? files : files.filter((file) => telling.has(file))
  return isWhole ? candidates.filter((file) => isTestedOn(database, file)) : candidates
}

/** What each process runs. */
function sharesOn(database: string): Pick<Suite, 'files' | 'isWaiting'>[] {
  const files = filesOn(database)
  if (files.length < 2 * filesOfProcessMin) return [{ files, isWaiting: database === 'oldest-postgres' }]
  const waiting = files.filter((file) => waitingFiles.includes(file))
  const others = files.filter((file) => !waiting.includes(file))
  return [
    ...shareOut(others, processesMax).map((files) => ({ files, isWaiting: false })),
    ...shareOut(waiting, processesMax).map((files) => ({ files, isWaiting: true })),
  ].filter((share) => share.files.length > 0)
}

if (chosen.includes('oldest-postgres') && oldestPostgresPrograms === null) {
  console.error(`\n${oldestPostgresMissing}\n`)
  if (named !== null) process.exitCode = 1
}

const suites: Suite[] = chosen
  .filter((database) => database !== 'oldest-postgres' || oldestPostgresPrograms !== null)
  .flatMap((database) => {
    const shares = sharesOn(database)
    return shares.map((share, at) => ({
      title: `Tests on ${titles.get(database)}${shares.length === 1 ? '' : `, part ${at + 1} of ${shares.length}`}`,
      database,
      report: join(folder, `${database}-${at}`),
      ...share,
    }))
  })
  .filter(({ files }) => files.length > 0)

/** The exit code of one process of tests. */
async function runSuite(suite: Suite, environment: Record<string, string>, write: (text: string) => void) {
  if (stopping.signal.aborted) return 1
  const child = spawn(
    process.execPath,
    [
      // For `unhooked-promises.ts`.
      '--expose-internals',
      // New objects of a request are gone before so much room is used up, and are not copied.
      '--min-semi-space-size=32',
      '--max-semi-space-size=64',
      '--test',
      '--test-isolation=none',
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=./test/harness/suite-report.ts',
      `--test-reporter-destination=${suite.report}`,
      '--test-timeout=120000',
      // A test that leaves something open must not hang the run; the timeout above ends only waiting tests.
      '--test-force-exit',
      ...options,
      'test/harness/file-suites.ts',
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        // What is loaded is stripped of its types and compiled once for all processes.
        NODE_COMPILE_CACHE: resolve('node_modules/.cache/compile'),
        // As the service has it (scripts/node24.js). With PGlite a test takes a sixth less of a processor.
        GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
        ...(inMemory === null ? {} : { TMPDIR: inMemory }),
        ATRIUM_TEST_FILES: JSON.stringify([...suite.files, last]),
        ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
        ...environment,
      },
    },
  )
  child.stdout.setEncoding('utf8').on('data', write)
  child.stderr.setEncoding('utf8').on('data', write)
  const forward = () => child.kill(stopping.signal.reason)
  stopping.signal.addEventListener('abort', forward)
  const [code] = await once(child, 'close')
  stopping.signal.removeEventListener('abort', forward)
  return (code as number | null) ?? 1
}

async function runOn(suite: Suite, write: (text: string) => void): Promise<number> {
  write(`\n${suite.title}\n`)
  if (suite.database === 'pglite') return runSuite(suite, { ATRIUM_TEST_DATABASE: 'pglite' }, write)

  const isOldest = suite.database === 'oldest-postgres'
  const given = isOldest ? undefined : process.env.TEST_DATABASE_URL
  const programs = isOldest ? oldestPostgresPrograms : null
  const server = given ? undefined : await startPostgresServer(programs === null ? {} : { programs })
  try {
    const url = given || (server?.url ?? '')
    const temporary: Record<string, string> = given ? {} : { TEST_DATABASE_IS_TEMPORARY: 'true' }
    return await runSuite(suite, { ATRIUM_TEST_DATABASE: 'postgres', TEST_DATABASE_URL: url, ...temporary }, write)
  } finally {
    await server?.stop()
  }
}

type Result = { hasPassed: boolean; database: string; failures: Failure[] } & Pick<SuiteReport, 'costs'>

async function resultOf(suite: Suite, write: (text: string) => void): Promise<Result> {
  const code = await runOn(suite, write).catch((error: unknown) => {
    write(`${suite.title}: ${String(error)}\n`)
    return 1
  })
  // A process that was killed early leaves no report.
  const { failures, costs } = parseReport(readFileSync(suite.report, { encoding: 'utf8', flag: 'a+' }))
  return {
    hasPassed: code === 0,
    database: suite.database,
    costs,
    failures: failures.map((failed) => ({ ...failed, database: suite.database })),
  }
}

const output = orderedOutput(suites.length, (text) => process.stdout.write(text))
const results: Result[] = []
async function work(...lists: Iterable<Suite>[]): Promise<void> {
  for (const list of lists) {
    for (const suite of list) {
      const at = suites.indexOf(suite)
      results.push(await resultOf(suite, output.of(at)))
      output.end(at)
    }
  }
}
// Several take from each list. One process runs suites that wait, beside one process for each processor. Those run what is left of
// the waiting suites when they have nothing else.
const others = suites.filter(({ isWaiting }) => !isWaiting).values()
const waiting = suites.filter(({ isWaiting }) => isWaiting).values()
await Promise.all([...Array.from({ length: processesMax }, () => work(others, waiting)), work(waiting)])

/** Those of the failures that did not happen again when their files were run once more. */
async function flakyAmong(failures: readonly Failure[]): Promise<Failure[]> {
  const hasCrashed = results.some(
    ({ hasPassed, costs, failures }) => !hasPassed && (costs === null || !failures.length),
  )
  if (!process.env.CI || hasCrashed || stopping.signal.aborted) return []
  const flaky: Failure[] = []
  for (const [at, { database, file }] of filesToRepeat(failures, (file) => files.includes(file)).entries()) {
    const title = `Once more on ${titles.get(database)}: ${file}`
    const suite = { title, database, files: [file], report: join(folder, `repeated-${at}`), isWaiting: false }
    const { hasPassed } = await resultOf(suite, (text) => process.stdout.write(text))
    if (hasPassed) flaky.push(...failures.filter((failure) => failure.database === database && failure.file === file))
  }
  return flaky
}

const failures = results.flatMap(({ failures }) => failures)
const flaky = await flakyAmong(failures)
const failed = failures.filter((failure) => !flaky.includes(failure))
if (failed.length > 0 || results.some(({ hasPassed, failures }) => !hasPassed && failures.length === 0))
  process.exitCode = 1
if (files.length > 1) console.log(`\nThe slowest files\n${slowestFiles(results.map(({ costs }) => costs ?? {}))}`)
if (suites.length > 1 || flaky.length > 0) console.log(describeTotals(withFlaky(sumTotals(output.texts()), flaky)))
console.log(describeFlaky(flaky) + describeFailures(failed))
