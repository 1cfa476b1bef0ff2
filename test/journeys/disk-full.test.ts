import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { openDatabase } from '../../src/storage/database.ts'
import { sql } from '../../src/storage/query.ts'
import { type Answer, ask } from '../harness/client.ts'
import { makeCustomer } from '../harness/customer.ts'
import { type Service, startService, temporaryFolder } from '../harness/service.ts'

const skip =
  process.env['ATRIUM_TEST_DATABASE'] === 'postgres'
    ? 'about the embedded database'
    : (process.platform !== 'linux' || process.getuid?.() !== 0) && 'needs to mount a small disk, as root on Linux'
if (skip && skip !== 'about the embedded database') console.error(`\n!!! ${skip}: A FULL DISK IS NOT TESTED !!!\n`)

const mb = 1024 * 1024

/** A disk of 96 MB in memory. Null where mounting is not allowed, as in most containers. */
async function smallDisk(t: TestContext): Promise<string | null> {
  const folder = await temporaryFolder()
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', folder])
  if (status !== 0) {
    console.error('\n!!! mounting is not allowed here: A FULL DISK IS NOT TESTED !!!\n')
    return null
  }
  // Lazily: tests end before what they registered first is undone.
  t.after(() => execFileSync('umount', ['--lazy', folder]))
  return folder
}

/** Leaves so many free bytes on the disk, or fewer: the service may take some of them meanwhile. */
function fill(disk: string, freeBytes: number): void {
  const { bavail, bsize } = statfsSync(disk)
  try {
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(Math.max(0, bavail * bsize - freeBytes)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

test('a full disk refuses writes and serves reads, costs nothing that was acknowledged, and is no trouble once there is space', {
  skip,
}, async (t) => {
  const disk = await smallDisk(t)
  if (disk === null) return t.skip('mounting is not allowed here')
  const admin = { 'x-admin-key': `atradmin_${randomBytes(24).toString('base64url')}` }
  const environment = { DATA_DIR: join(disk, 'data'), ADMIN_KEY: admin['x-admin-key'], RATE_LIMIT_MAX: '1000000' }
  let service: Service = await startService(environment)
  t.after(() => service.stop('SIGKILL'))
  const customer = await makeCustomer({ base: service.base, admin })
  const kept: string[] = []
  let count = 0
  const write = async (): Promise<Answer> => {
    const slug = `disk-${count++}`
    const body = { name: slug, slug, contactEmail: 'a@example.com' }
    const answer = await ask({ url: `${service.base}/admin/tenants`, method: 'POST', headers: admin, body })
    if (answer.status === 201) kept.push(answer.body.tenant.id)
    return answer
  }
  const assertRefuses = async () => {
    let answer = await write()
    while (answer.status === 201) answer = await write()
    assert.deepEqual([answer.status, answer.body.code], [503, 'UNAVAILABLE'])
    assert.ok(answer.headers['retry-after'])
    assert.equal((await customer.validate(service.base)).status, 200)
    assert.equal((await ask({ url: `${service.base}/admin/tenants/${kept.at(-1)}`, headers: admin })).status, 200)
  }

  fill(disk, mb / 8)
  await assertRefuses()
  rmSync(join(disk, 'ballast'))
  assert.equal((await write()).status, 201, 'without a restart')
  fill(disk, 0)
  await assertRefuses()
  await service.stop('SIGKILL')
  rmSync(join(disk, 'ballast'))
  service = await startService(environment)
  for (const id of kept) {
    assert.equal((await ask({ url: `${service.base}/admin/tenants/${id}`, headers: admin })).status, 200, id)
  }
  assert.equal((await write()).status, 201)
})

test('a full disk on which the log itself cannot grow ends the process in words, and the next start has all of it', {
  skip,
}, async (t) => {
  const disk = await smallDisk(t)
  if (disk === null) return t.skip('mounting is not allowed here')
  const source = (file: string) => JSON.stringify(import.meta.resolve(`../../src/storage/${file}`))
  const program = `
    const { openDatabase } = await import(${source('database.ts')})
    const { sql } = await import(${source('query.ts')})
    const { statfsSync, writeFileSync } = await import('node:fs')
    const [, disk, ballast] = process.argv
    const { handle } = await openDatabase({ databaseUrl: null, dataFolder: disk + '/data', log: console })
    await handle.execute(sql\`create table notes as select 1 as id\`)
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(ballast, Buffer.alloc(bavail * bsize))
    // The log's files have 16 MB each, and there may be two before it grows.
    await handle.execute(sql\`select pg_logical_emit_message(false, 'filler', repeat('x', 40000000))\`)
      .catch((error) => console.log(error.severity, error.code))`
  const ballast = join(disk, 'ballast')
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, disk, ballast])
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  assert.equal(stdout, 'PANIC 53100\n')
  assert.match(stderr, /The embedded database has stopped: .*No space left on device/)
  assert.equal(code, 1)
  rmSync(ballast)
  const database = await openDatabase({
    databaseUrl: null,
    dataFolder: join(disk, 'data'),
    log: { warn: () => undefined },
  })
  t.after(() => database.close())
  assert.deepEqual((await database.handle.execute(sql`select id from notes`)).rows, [{ id: 1 }])
})
