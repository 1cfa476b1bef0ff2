import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { writeBackup } from '../../src/backup/file.ts'
import { tally, toLine } from '../../src/backup/format.ts'
import { folderSession, type Session, serverSession } from '../../src/backup/session.ts'
import { newId } from '../../src/kernel/ids.ts'
import { createPostgresDatabase } from '../harness/database.ts'
import { startService, temporaryFolder } from '../harness/service.ts'

const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'
const root = fileURLToPath(new URL('../..', import.meta.url))
const timeout = 240_000 // a dozen processes are started, and embedded databases made, one after another

type Installation = { folder: string; environment: Record<string, string> }

async function installation(): Promise<Installation> {
  const folder = await temporaryFolder()
  const database: Record<string, string> = isServer ? { DATABASE_URL: await createPostgresDatabase() } : {}
  return { folder, environment: { DATA_DIR: folder, RATE_LIMIT_MAX: '1000000', ...database } }
}

type Said = { code: number; stdout: string; stderr: string }

/** One of the three commands, as an operator gives it. */
function command(name: string, file: string, environment: Record<string, string>, ...options: string[]): Promise<Said> {
  const env = { PATH: process.env['PATH'], ...environment }
  const line = ['scripts/node24.js', 'src/backup.ts', name, ...options, file]
  return new Promise((resolve) => {
    execFile(process.execPath, line, { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr })
    })
  })
}

type Headers = Record<string, string>
// biome-ignore lint/suspicious/noExplicitAny: an assertion on a wrong path fails the test, which is its purpose
type Reply = { status: number; body: any }

async function post(base: string, path: string, headers: Headers, body: unknown): Promise<Reply> {
  const sent = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
  const answer = await fetch(base + path, sent)
  return { status: answer.status, body: await answer.json() }
}

/** A tenant, its key, a user with a device, and a license of a thousand uses. */
async function populate(base: string, adminKey: string) {
  const admin = { 'x-admin-key': adminKey }
  const contact = { name: 'Example', slug: 'example', contactEmail: 'ops@example.com' }
  const { tenant } = (await post(base, '/admin/tenants', admin, contact)).body
  const named = { name: 'app', products: ['vault-vpn', 'assistant-ai'] }
  const { apiKey } = (await post(base, `/admin/tenants/${tenant.id}/api-keys`, admin, named)).body
  const key = { 'x-api-key': apiKey.key }
  const person = { email: 'ada@example.com', password: 'three-otters-and-a-kayak' }
  await post(base, '/vault/v1/auth/register', key, person)
  const plan = { tenantId: tenant.id, product: 'assistant-ai', plan: 'PRO', maxUses: 100_000 }
  const { license } = (await post(base, '/vault/v1/licenses', admin, plan)).body
  const { accessToken } = (await post(base, '/vault/v1/auth/login', key, person)).body
  const user = { ...key, authorization: `Bearer ${accessToken}` }
  const laptop = { deviceName: 'laptop', deviceType: 'LINUX' }
  const keyed = { ...user, 'idempotency-key': 'kept' }
  const { device } = (await post(base, '/vault/v1/devices', keyed, laptop)).body
  return { key, person, license: license.key as string, deviceId: device.id as string, laptop }
}

type World = Awaited<ReturnType<typeof populate>>

async function login(base: string, { key, person }: World): Promise<Headers> {
  const { status, body } = await post(base, '/vault/v1/auth/login', key, person)
  assert.equal(status, 200, JSON.stringify(body))
  return { ...key, authorization: `Bearer ${body.accessToken}` }
}

async function configOf(base: string, world: World): Promise<string> {
  const answer = await fetch(`${base}/vault/v1/devices/${world.deviceId}/config`, { headers: await login(base, world) })
  assert.equal(answer.status, 200)
  return answer.text()
}

/** Callers who change two tables at once until they are told to end. Gives the answers that were not good. */
function writersOn(base: string, { key, license }: World): { end(): Promise<{ writes: number; bad: Reply[] }> } {
  let isOver = false
  let writes = 0
  const bad: Reply[] = []
  const writers = Array.from({ length: 2 }, async () => {
    while (!isOver) {
      const reply = await post(base, '/vault/v1/licenses/validate', key, { licenseKey: license, consume: true })
      writes += 1
      if (reply.status !== 200 || reply.body.valid !== true) bad.push(reply)
    }
  })
  return {
    end: async () => {
      isOver = true
      await Promise.all(writers)
      return { writes, bad }
    },
  }
}

function sessionOn({ folder, environment }: Installation): Promise<Session> {
  return environment['DATABASE_URL'] ? serverSession(environment['DATABASE_URL']) : folderSession(folder)
}

/** What one transaction always changes together. */
async function assertConsistent(target: Installation): Promise<void> {
  const session = await sessionOn(target)
  const [counts] = await session.rows(`select sum(uses_count)::text,
      (select ((select count(*) from license_uses where refunded_at is null)
        + (select coalesce(sum(uses_count), 0) from license_use_batches))::text),
      (select sum(active_count)::text from vpn_servers), (select count(*)::text from devices where status <> 'REVOKED')
    from licenses`)
  await session.close()
  const [counted, uses, active, devices] = counts ?? []
  assert.equal(counted, uses)
  assert.ok(Number(uses) > 0, 'the backup was made while uses were taken')
  assert.equal(active, devices)
}

/** The attack: whoever can write the file, but has no master key, adds an administrator and makes the sums again. */
async function* withAnotherOwner(file: string): AsyncGenerator<string> {
  const owner: Record<string, string> = {
    id: newId(new Date()),
    name: 'intruder',
    role: 'OWNER',
    key_hash: `\\x${hash('sha256', 'a key of the intruder')}`,
    key_prefix: 'atr_intruder',
    created_at: '2026-01-01 00:00:00+00',
  }
  let counted: ReturnType<typeof tally> | null = null
  for (const line of gunzipSync(readFileSync(file)).toString().split('\n').slice(0, -2)) {
    const part = JSON.parse(line)
    if (part.end) part.end.tables.admin_keys = counted?.result()
    yield part.end ? toLine(part) : line
    if (counted === null && part.table === 'admin_keys') {
      counted = tally()
      const row = toLine(part.columns.map((column: string) => owner[column] ?? null))
      counted.add(row)
      yield row
    }
  }
}

/** The settings of a new installation that has the keys of another. */
async function emptyCopy({ folder }: Installation): Promise<Record<string, string>> {
  const copy = await temporaryFolder()
  for (const kept of ['master-key', 'admin-key']) copyFileSync(join(folder, kept), join(copy, kept))
  return { DATA_DIR: copy }
}

// From the embedded database to PostgreSQL: docs/backup.md, whose commands are run.
test('a service is backed up at work and goes on from the backup', { timeout }, async (t) => {
  const source = await installation()
  const service = await startService(source.environment)
  t.after(() => service.stop('SIGKILL'))
  const adminKey = readFileSync(join(source.folder, 'admin-key'), 'utf8').trim()
  const world = await populate(service.base, adminKey)
  const config = await configOf(service.base, world)
  const file = join(await temporaryFolder(), 'backup')

  const writers = writersOn(service.base, world)
  const made = await command('backup', file, source.environment)
  const { writes, bad } = await writers.end()
  assert.equal(made.code, 0, made.stderr)
  assert.match(made.stdout, /The master key is not in it/)
  assert.deepEqual(bad.slice(0, 1), [], `${writes} writes`)
  assert.equal(/paused for \d+ ms/.test(made.stdout), !isServer)
  assert.deepEqual(
    readdirSync(source.folder).filter((name) => name.startsWith('snapshot')),
    [],
  )
  assert.equal(await service.stop('SIGTERM'), 0)
  assert.ok(!existsSync(join(source.folder, 'atrium.url')))

  const verified = await command('verify', file, source.environment)
  assert.equal(verified.code, 0, verified.stderr)
  assert.match(verified.stdout, /The master key opens all [3-9] sealed values/)

  const target = await installation()
  const keyless = await command('restore', file, target.environment)
  assert.match(keyless.stderr, /There is no master key/)
  const otherKey = await command('restore', file, { ...target.environment, MASTER_KEY: 'ab'.repeat(32) })
  assert.match(otherKey.stderr, /not the one that the backup was made with/)
  assert.deepEqual(readdirSync(target.folder), [], 'a refused restore makes nothing')
  for (const kept of ['master-key', 'admin-key']) copyFileSync(join(source.folder, kept), join(target.folder, kept))
  const restored = await command('restore', file, target.environment)
  assert.equal(restored.code, 0, restored.stderr)
  await assertConsistent(target)
  const again = await command('restore', file, target.environment)
  assert.match(again.stderr, /not empty/)
  assert.equal(again.code, 1)

  const next = await startService(target.environment)
  t.after(() => next.stop('SIGKILL'))
  assert.equal(await configOf(next.base, world), config)
  const repeated = { ...(await login(next.base, world)), 'idempotency-key': 'kept' }
  const repeat = await post(next.base, '/vault/v1/devices', repeated, world.laptop)
  assert.equal(repeat.body.device?.id, world.deviceId, 'an answer that was kept is given again')
  const validated = await post(next.base, '/vault/v1/licenses/validate', world.key, { licenseKey: world.license })
  assert.equal(validated.body.valid, true)
})

test('a backup of a stopped embedded service is verified; a changed row, a damaged byte, or another key, is found', {
  skip: isServer && 'about the embedded database',
  timeout,
}, async () => {
  const source = await installation()
  const service = await startService(source.environment)
  await service.stop('SIGKILL')
  // What a backup leaves that is killed: the next one takes it away.
  mkdirSync(join(source.folder, 'snapshot-0123456789ab'))
  const file = join(await temporaryFolder(), 'backup')
  const made = await command('backup', file, source.environment)
  assert.equal(made.code, 0, made.stderr)
  assert.doesNotMatch(made.stdout, /paused/)
  assert.deepEqual(
    readdirSync(source.folder).filter((name) => name.startsWith('snapshot')),
    [],
  )

  const elsewhere = { DATA_DIR: await temporaryFolder() }
  const keyless = await command('verify', file, elsewhere)
  assert.equal(keyless.code, 1)
  assert.match(keyless.stderr, /There is no master key/)
  const otherKey = await command('verify', file, { ...elsewhere, MASTER_KEY: 'ab'.repeat(32) })
  assert.match(otherKey.stderr, /not the one/)
  assert.equal(otherKey.code, 1)

  const forged = `${file}.forged`
  await writeBackup(forged, withAnotherOwner(file), null)
  for (const name of ['verify', 'restore']) {
    const said = await command(name, forged, name === 'verify' ? source.environment : await emptyCopy(source))
    assert.equal(said.code, 1)
    assert.match(said.stderr, /Not a good backup\. It is not sealed/)
  }
  const trusted = await command('verify', forged, elsewhere, '--unsealed')
  assert.equal(trusted.code, 0, trusted.stderr)
  assert.match(trusted.stdout, /Sealed values were not checked.*Whether anybody has changed it was not checked/s)

  const bytes = readFileSync(file)
  const middle = bytes.length >> 1
  bytes[middle] = (bytes[middle] as number) ^ 1
  writeFileSync(file, bytes)
  const damaged = await command('restore', file, { ...elsewhere, MASTER_KEY: 'ab'.repeat(32) })
  assert.equal(damaged.code, 1)
  assert.match(damaged.stderr, /Not a good backup\. It was changed or cut short/)
  const nothing = await command('backup', file, elsewhere)
  assert.match(nothing.stderr, /There is no embedded database in/)
})
