import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '../../src/storage/database.ts'
import { many, sql } from '../../src/storage/query.ts'
import { createMigratedDatabase } from '../harness/database.ts'
import { inboundApp } from '../harness/inbound.ts'
import { temporaryFolder } from '../harness/service.ts'

const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'
const log = { warn: () => undefined }
const keys = ['a0', 'a1', 'a2', 'b0', 'c0']

/** A process that has acknowledged deliveries and is in the midst of the first effect. */
async function startBusy(options: object): Promise<ChildProcess> {
  const program = fileURLToPath(import.meta.resolve('../harness/busy-inbound.ts'))
  const args = [program, JSON.stringify(options), JSON.stringify(keys)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [event] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => ['exit'])])
  assert.match(String(event), /begun/)
  return child
}

test('what was acknowledged before kill -9 has its effect after the start, once and in order', {
  timeout: 120_000,
}, async (t) => {
  const options = isServer
    ? { databaseUrl: await createMigratedDatabase(), dataFolder: '' }
    : { databaseUrl: null, dataFolder: await temporaryFolder() }
  const child = await startBusy(options)
  child.kill('SIGKILL')
  await once(child, 'exit')

  const database = await openDatabase({ ...options, log })
  const app = await inboundApp({ database })
  t.after(async () => {
    await app.app.jobs.stop(0)
    await database.close()
  })
  // Another node may be slow and not dead, so there it has 30 s. An embedded database has no other node.
  if (isServer)
    await many(app.platform, sql`update jobs.job_common set heartbeat_on = heartbeat_on - interval '31 seconds'`)
  app.app.jobs.start()
  const waiting = sql<{
    count: number
  }>`select count(*)::int as count from webhook_deliveries where status <> 'processed'`
  // The try that was killed counts, and the next one waits its 20 s and more: past that.
  const due = sql`update jobs.job_common set start_after = jobs.job_now() where state < 'active'`
  while ((await many(app.platform, waiting))[0]?.count !== 0) {
    await many(app.platform, due)
    await delay(50)
  }
  assert.deepEqual(app.done.toSorted(), keys)
  assert.deepEqual(
    app.done.filter((key) => key.startsWith('a')),
    ['a0', 'a1', 'a2'],
  )
})
