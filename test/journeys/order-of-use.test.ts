import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { createMigratedDatabase, createPostgresDatabase } from '../harness/database.ts'
import { docBlock } from '../harness/doc-blocks.ts'
import { type Service, startService, temporaryFolder } from '../harness/service.ts'

const commands = docBlock('README.md', 'sh', '## A first tour')

const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'
// Of faults of the settings and the machine.
const onOne = { skip: isServer && 'is the same on either database' }

/** A fresh data folder, and on PostgreSQL a database beside it. A start that has to migrate takes half as long again. */
async function installation(
  createDatabase = createMigratedDatabase,
): Promise<{ folder: string; environment: Record<string, string> }> {
  const folder = await temporaryFolder()
  const database: Record<string, string> = isServer ? { DATABASE_URL: await createDatabase() } : {}
  return { folder, environment: { DATA_DIR: folder, RATE_LIMIT_MAX: '1000000', ...database } }
}

/** The README's commands as they stand. */
async function orderOfUse(service: Service, dataFolder: string, slug: string): Promise<string> {
  const script = `set -euo pipefail\n${commands}`
  const env = {
    PATH: process.env['PATH'],
    BASE: service.base,
    SLUG: slug,
    ADMIN_KEY: readFileSync(join(dataFolder, 'admin-key'), 'utf8').trim(),
  }
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { env })
  return stdout
}

async function get(
  service: Service,
  path: string,
  adminKey: string,
): Promise<{ status: number; body: { tenants?: { slug: string }[] } }> {
  const answer = await fetch(service.base + path, { headers: { 'x-admin-key': adminKey } })
  return { status: answer.status, body: (await answer.json()) as { tenants?: { slug: string }[] } }
}

test('the order of use works on a fresh folder, after a restart and after kill -9, and nothing acknowledged is lost', async (t) => {
  const { folder, environment } = await installation(createPostgresDatabase)
  let service = await startService(environment)
  t.after(() => service.stop('SIGKILL'))
  const adminKey = readFileSync(join(folder, 'admin-key'), 'utf8').trim()

  assert.ok(service.output().includes(adminKey), 'the first start prints the admin key')
  assert.ok(service.output().includes(`${service.base}/docs`))
  assert.equal(statSync(join(folder, 'admin-key')).mode & 0o777, 0o600)
  assert.equal(statSync(join(folder, 'master-key')).mode & 0o777, 0o600)

  // Without it some 200 MB stay in the process after large bodies.
  if (process.platform === 'linux')
    assert.match(
      readFileSync(`/proc/${service.pid}/environ`, 'utf8'),
      /\0GLIBC_TUNABLES=glibc.malloc.mmap_threshold=131072[:\0]/,
    )

  const said = await orderOfUse(service, folder, 'alpha')
  assert.match(said, /\[Interface\]\nPrivateKey = [A-Za-z0-9+/]{43}=\n/)
  assert.match(said, /"status":"ACTIVE"/)
  assert.match(said, /^In the meeting “Launch”, .*Grace \(“I will send the figures by Thursday”\)\.$/m)
  assert.match(said, /"valid":true,"code":"VALID","plan":"PRO","usesRemaining":null/)

  assert.equal(await service.stop('SIGTERM'), 0, service.output())
  service = await startService(environment)
  assert.ok(!service.output().includes(adminKey), 'only the first start prints the admin key')
  assert.ok(service.output().includes(join(folder, 'admin-key')), 'every start says where it is')
  await orderOfUse(service, folder, 'beta')

  const acknowledged = await killAmidWrites(service, { 'x-admin-key': adminKey })
  service = await startService(environment)
  await orderOfUse(service, folder, 'gamma')
  assert.ok(acknowledged.length >= 40)
  for (const id of acknowledged) assert.equal((await get(service, `/admin/tenants/${id}`, adminKey)).status, 200, id)
  const { body } = await get(service, '/admin/tenants?limit=100', adminKey)
  const slugs = body.tenants?.map((tenant) => tenant.slug) ?? []
  for (const slug of ['alpha', 'beta', 'gamma']) assert.ok(slugs.includes(slug), slug)
})

/** Eight writers, until forty tenants were acknowledged and the service was killed amid further ones. Gives the ids of those. */
async function killAmidWrites(service: Service, headers: Record<string, string>): Promise<string[]> {
  const acknowledged: string[] = []
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let count = 0; acknowledged.length < 40; count++) {
      const slug = `kill-${writer}-${count}`
      const body = JSON.stringify({ name: slug, slug, contactEmail: 'a@example.com' })
      const sent = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }
      const answer = await fetch(`${service.base}/admin/tenants`, sent).catch(() => null)
      if (answer?.status !== 201) continue
      const { tenant } = ((await answer.json().catch(() => null)) ?? {}) as { tenant?: { id: string } }
      if (tenant !== undefined) acknowledged.push(tenant.id)
    }
  })
  await Promise.race(writers) // the others are in the middle of a request
  // Not for those: a request whose server is killed may never settle.
  await service.stop('SIGKILL')
  return acknowledged
}

test('a second process on one data folder is refused, with what to do', {
  skip: isServer && 'about the embedded database',
}, async (t) => {
  const folder = await temporaryFolder()
  const service = await startService({ DATA_DIR: folder })
  t.after(() => service.stop('SIGKILL'))
  await assert.rejects(startService({ DATA_DIR: folder }), (error: Error) => {
    assert.match(error.message, /ended with 1/)
    assert.match(error.message, new RegExp(`${service.pid}`))
    assert.ok(error.message.includes(folder))
    return true
  })
  assert.equal((await fetch(`${service.base}/health`)).status, 200)
})

test('a port that is taken is told apart from other faults, with the setting to change', onOne, async () => {
  const service = await startService((await installation()).environment)
  try {
    const { port } = new URL(service.base)
    const second = startService({ ...(await installation()).environment, PORT: port })
    await assert.rejects(second, new RegExp(`Another program listens on port ${port} of 127\\.0\\.0\\.1\\. .*PORT`))
  } finally {
    await service.stop('SIGKILL')
  }
})

test('a bad setting stops the start with its name and what is allowed', onOne, async () => {
  const folder = await temporaryFolder()
  await assert.rejects(
    startService({ DATA_DIR: folder, PORT: '99999', ADMIN_KEY: 'short', LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://x' }),
    (error: Error) => {
      for (const line of [
        /PORT must be an integer from 0 to 65535/,
        /ADMIN_KEY must be 12/,
        /LOG_LEVEL must be one of/,
        /DATABASE_URL must be an address/,
      ])
        assert.match(error.message, line)
      assert.ok(!error.message.includes('short\n'))
      return true
    },
  )
})

test('SIGTERM finishes every request that the service has begun to read, and does not wait for an upload that never ends', async (t) => {
  const { folder, environment } = await installation()
  const service = await startService(environment)
  t.after(() => service.stop('SIGKILL'))
  const adminKey = readFileSync(join(folder, 'admin-key'), 'utf8').trim()
  await beginUpload(service)
  const begun = await Promise.all(
    Array.from({ length: 10 }, (_, index) => beginTenant(service, adminKey, `drain-${index}`)),
  )
  const stopped = service.stop('SIGTERM')
  await untilClosed(service)
  for (const answer of await Promise.all(begun.map((finish) => finish()))) assert.match(answer, /^HTTP\/1\.1 201 /)
  assert.equal(await stopped, 0)
})

/** Sends the headers of a request and the beginning of its body, and nothing more. */
async function beginUpload({ base }: Service): Promise<void> {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(
    'POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"em',
  )
  await fetch(`${base}/health`)
}

/** Sends the headers of a request and waits for `100 Continue`: from then on the service has it. Gives what sends the rest. */
async function beginTenant({ base }: Service, adminKey: string, slug: string): Promise<() => Promise<string>> {
  const { hostname, port } = new URL(base)
  const body = JSON.stringify({ name: 'x', slug, contactEmail: 'a@example.com' })
  const socket = connect(Number(port), hostname)
  const headers = [
    'Host: x',
    `X-Admin-Key: ${adminKey}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  socket.write(['POST /admin/tenants HTTP/1.1', ...headers, 'Expect: 100-continue', '', ''].join('\r\n'))
  const [invited] = await once(socket, 'data')
  assert.match(String(invited), /^HTTP\/1\.1 100 /)
  return async () => {
    socket.write(body)
    const [answer] = await once(socket, 'data')
    return String(answer)
  }
}

/** Until the port takes no new connection: the stop has begun. */
async function untilClosed({ base }: Service): Promise<void> {
  const { hostname, port } = new URL(base)
  for (;;) {
    const socket = connect(Number(port), hostname)
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (!isOpen) return
  }
}

test('a master key that was cut short stops the start instead of becoming a weaker one', onOne, async () => {
  const { folder, environment } = await installation()
  writeFileSync(join(folder, 'master-key'), 'abcdef\n')
  await assert.rejects(startService(environment), /master-key must be 64 hexadecimal digits/)
})
