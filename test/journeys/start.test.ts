import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createPostgresDatabase } from '../harness/database.ts'
import { startService, temporaryFolder } from '../harness/service.ts'

const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'
// Nothing listens there.
const deadRedis = 'redis://:hidden@127.0.0.1:1'

test('the first start says what it prepares, every start where all is, and one without an admin key makes a new one', async (t) => {
  const folder = await temporaryFolder()
  const url = isServer ? await createPostgresDatabase() : null
  const environment: Record<string, string> = { DATA_DIR: folder, REDIS_URL: deadRedis }
  if (url !== null) environment['DATABASE_URL'] = url
  const first = await startService(environment)
  t.after(() => first.stop('SIGKILL'))
  const progress = isServer
    ? /^Preparing the database: \d+ migrations to apply\.$/m
    : /^Creating the embedded database in /m
  const place = url === null ? `embedded, in ${folder}` : `PostgreSQL at ${new URL(url).host}${new URL(url).pathname}`
  const said = first.output()
  assert.match(said, progress)
  assert.ok(said.search(progress) < said.search(/listens on/))
  const rows = { addresses: first.base, database: place, Redis: 'at 127.0.0.1:1', files: `in ${folder}/media` }
  for (const [name, value] of Object.entries(rows)) assert.ok(said.includes(`  ${name.padEnd(15)}${value}\n`), said)
  assert.doesNotMatch(said, /hidden/)

  const { status, checks } = (await (await fetch(`${first.base}/health`)).json()) as Health
  assert.deepEqual([status, checks.redis.status, checks.blobs.status], ['ok', 'down', 'up'])

  assert.equal(await first.stop('SIGTERM'), 0)
  const second = await startService(environment)
  t.after(() => second.stop('SIGKILL'))
  assert.doesNotMatch(second.output(), progress)

  // As docs/lost-admin-key.md says.
  const keyFile = join(folder, 'admin-key')
  const lost = readFileSync(keyFile, 'utf8').trim()
  await second.stop('SIGTERM')
  rmSync(keyFile)
  const third = await startService(environment)
  t.after(() => third.stop('SIGKILL'))
  const found = readFileSync(keyFile, 'utf8').trim()
  assert.ok(found !== lost && third.output().includes(found))
  const statusOf = async (key: string) =>
    (await fetch(`${third.base}/admin/tenants`, { headers: { 'x-admin-key': key } })).status
  assert.deepEqual([await statusOf(lost), await statusOf(found)], [401, 200])
})

type Health = { status: string; checks: Record<'redis' | 'blobs', { status: string }> }

test('a second node that keeps its files elsewhere is warned of at its start and in /health', {
  skip: !isServer && 'of PostgreSQL',
}, async (t) => {
  const shared = {
    DATABASE_URL: await createPostgresDatabase(),
    MASTER_KEY: '5a'.repeat(32),
    ADMIN_KEY: 'atradmin_Vb2-kQ9xT4mZ7_rLhD8sWnCe',
    LOG_LEVEL: 'warn',
  }
  const folder = await temporaryFolder()
  const nodes = []
  for (const dataFolder of [folder, folder, await temporaryFolder()]) {
    const node = await startService({ ...shared, DATA_DIR: dataFolder })
    t.after(() => node.stop('SIGKILL'))
    nodes.push(node)
  }
  const states = nodes.map(async ({ base, output }) => {
    const { checks } = (await (await fetch(`${base}/health`)).json()) as Health
    return [checks.blobs.status, output().includes('Other nodes keep uploaded files where this node does not see them')]
  })
  // The others notice within half a minute.
  assert.deepEqual(await Promise.all(states), [
    ['up', false],
    ['up', false],
    ['apart', true],
  ])
})
