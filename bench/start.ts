// node scripts/node24.js bench/start.ts [rounds]: how long a start takes until the service listens, and what memory it
// holds a second later. On a fresh folder, again on the same one, and on PostgreSQL where TEST_DATABASE_URL is set.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startPostgresServer } from '../test/harness/postgres-server.ts'

const rounds = Number(process.argv[2] ?? 3)
const kinds = ['embedded, first start', 'embedded, again', 'PostgreSQL'] as const
const rows = new Map(kinds.map((kind) => [kind as string, { startMs: [] as number[], memoryMb: [] as number[] }]))

async function measure(what: string, environment: Record<string, string>): Promise<void> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['scripts/node24.js', 'src/main.ts'], {
    env: { PATH: process.env['PATH'], PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await untilListening(child)
  const row = rows.get(what)
  row?.startMs.push(Math.round(performance.now() - startedAt))
  await delay(1000)
  row?.memoryMb.push(await memoryMb(child.pid as number))
  child.kill('SIGTERM')
  await once(child, 'exit')
}

function untilListening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => String(chunk).includes('listens on') && resolve())
    child.once('exit', (code) => reject(new Error(`The service ended with ${code}.`)))
  })
}

/** Resident memory (proc(5), VmRSS). */
async function memoryMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}

const server = await startPostgresServer()
for (let round = 0; round < rounds; round++) {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-bench-'))
  const data = join(folder, 'data')
  await measure('embedded, first start', { DATA_DIR: data })
  await measure('embedded, again', { DATA_DIR: data })
  await measure('PostgreSQL', { DATA_DIR: join(folder, 'other'), DATABASE_URL: server.url, MASTER_KEY: '0'.repeat(64) })
  await rm(folder, { recursive: true })
}
await server.stop()
for (const [what, { startMs, memoryMb }] of rows) {
  console.log(`${what.padEnd(24)} start ${startMs.join(' ')} ms, memory ${memoryMb.join(' ')} MB`)
}
