// node scripts/node24.js test/run.ts [pglite|postgres] [--test-...] [files and folders...]
// Runs the suite once on each database, or on the one named. All files share one process: starting PGlite is expensive.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { join } from 'node:path/posix'
import { startPostgresServer } from './harness/postgres-server.ts'

const databases = ['pglite', 'postgres']
const [first = ''] = process.argv.slice(2)
const chosen = databases.includes(first) ? [first] : databases
const rest = process.argv.slice(databases.includes(first) ? 3 : 2)
const options = rest.filter((argument) => argument.startsWith('-'))
const places = rest.filter((argument) => !argument.startsWith('-'))
const patterns = (places.length > 0 ? places : ['src', 'test', 'bench']).map((place) =>
  place.endsWith('.ts') ? place : join(place, '**/*.test.ts'),
)
// Looks at what all the others have left behind.
const last = 'test/last.test.ts'
const files = globSync(patterns)
  .filter((file) => file !== last)
  .sort()
if (files.length === 0) throw new Error(`No tests in ${patterns.join(', ')}`)

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort(signal))

/** The exit code of one run of the suite. */
async function runSuite(environment: Record<string, string>): Promise<number> {
  if (stopping.signal.aborted) return 1
  const child = spawn(
    process.execPath,
    [
      '--test',
      '--test-isolation=none',
      '--test-reporter=spec',
      '--test-timeout=120000',
      // A test that leaves something open must not hang the run; the timeout above ends only waiting tests.
      '--test-force-exit',
      ...options,
      ...files,
      last,
    ],
    { stdio: 'inherit', env: { ...process.env, ...environment } },
  )
  const forward = () => child.kill(stopping.signal.reason)
  stopping.signal.addEventListener('abort', forward)
  const [code] = await once(child, 'exit')
  stopping.signal.removeEventListener('abort', forward)
  return code ?? 1
}

async function runOn(database: string): Promise<number> {
  console.log(`\nTests on ${database === 'pglite' ? 'PGlite' : 'PostgreSQL'}`)
  if (database === 'pglite') return runSuite({ ATRIUM_TEST_DATABASE: 'pglite' })

  const given = process.env.TEST_DATABASE_URL
  const server = given ? undefined : await startPostgresServer()
  try {
    return await runSuite({ ATRIUM_TEST_DATABASE: 'postgres', TEST_DATABASE_URL: given || (server?.url ?? '') })
  } finally {
    await server?.stop()
  }
}

for (const database of chosen) {
  const code = stopping.signal.aborted ? 1 : await runOn(database)
  if (code !== 0) process.exitCode = code
}
