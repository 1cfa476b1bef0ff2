// Deliveries of real processes that end in the midst of them, and of two that share a database.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, describe, test } from 'node:test'
import { openDatabase } from '../../src/storage/database.ts'
import { many, run, sql } from '../../src/storage/query.ts'
import { createSecrets } from '../../src/storage/secrets.ts'
import { testApp } from '../harness/app.ts'
import { ask } from '../harness/client.ts'
import { startCluster } from '../harness/cluster.ts'
import { makeCustomer } from '../harness/customer.ts'
import { createMigratedDatabase } from '../harness/database.ts'
import { behaviours, type Receiver, receiver } from '../harness/receiver.ts'
import { startService, temporaryFolder } from '../harness/service.ts'

const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'
// Not how long it takes (seconds), but how long a very busy machine may take.
const timeout = 180_000
const open: Receiver[] = []
after(() => Promise.all(open.map((one) => one.close())))

/** A process with a tenant whose endpoint is the receiver. */
async function startTelling(there: Receiver) {
  const [adminKey, masterKey] = [`atradmin_${randomBytes(24).toString('base64url')}`, randomBytes(32).toString('hex')]
  const options = isServer
    ? { databaseUrl: await createMigratedDatabase(), dataFolder: await temporaryFolder() }
    : { databaseUrl: null, dataFolder: await temporaryFolder() }
  const service = await startService({
    ...(options.databaseUrl === null ? {} : { DATABASE_URL: options.databaseUrl }),
    DATA_DIR: options.dataFolder,
    ADMIN_KEY: adminKey,
    MASTER_KEY: masterKey,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    DRAIN_SECONDS: '0',
    LOG_LEVEL: 'info',
  })
  const admin = { 'x-admin-key': adminKey }
  const { tenantId } = await makeCustomer({ base: service.base, admin })
  const sendTest = await endpointAt(service.base, { tenantId, headers: admin, url: there.url })
  return { service, options, masterKey, sendTest }
}

/** Makes an endpoint; what is given back sends a test to it and says its id. */
async function endpointAt(
  base: string,
  { tenantId, headers, url }: { tenantId: string; headers: Record<string, string>; url: string },
) {
  const place = `/admin/tenants/${tenantId}/webhooks/endpoints`
  const made = await ask({ url: base + place, method: 'POST', headers, body: { url } })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const path = `${place}/${made.body.endpoint.id}/test`
  return async (at = base): Promise<string> => {
    const sent = await ask({ url: at + path, method: 'POST', headers, body: {} })
    assert.equal(sent.status, 202, JSON.stringify(sent.body))
    return sent.body.delivery.messageId
  }
}

const listen = async (...behave: Parameters<typeof receiver>): Promise<Receiver> => {
  open.push(await receiver(...behave))
  return open.at(-1) as Receiver
}
const idsOf = ({ heard }: Receiver) => heard.map(({ headers }) => String(headers['webhook-id']))

/** The application of the next process over the same database, which has waited for whatever the dead one claimed. */
async function reopened({ options, masterKey }: Awaited<ReturnType<typeof startTelling>>) {
  const database = await openDatabase({ ...options, log: { warn: () => undefined } })
  const app = await testApp({ database, secrets: createSecrets(Buffer.from(masterKey, 'hex')) })
  const statuses = async () => {
    const sends = sql<{
      id: string
      status: string
      attempts: number
    }>`select message_id as id, status, attempts from webhook_sends`
    return many(app.platform, sends)
  }
  return { app, database, statuses }
}

describe('a process that ends', () => {
  test('by kill -9 between the commit and the deliveries: all are made after the next start, under their ids', {
    timeout,
  }, async (t) => {
    const there = await listen(behaviours.hang)
    const telling = await startTelling(there)
    const ids = []
    for (let sent = 0; sent < 8; sent++) ids.push(await telling.sendTest())
    await there.until(() => there.heard.length >= 5)
    await telling.service.stop('SIGKILL')
    const cutOff = idsOf(there)
    assert.equal(new Set(cutOff).size, cutOff.length, 'none twice yet')
    there.answer(behaviours.status(204))

    const { app, database, statuses } = await reopened(telling)
    t.after(() => database.close())
    // No sign of life for longer than a node may be silent, and then past the claims and the waits of the queue.
    await run(app.platform, sql`update jobs.job_common set heartbeat_on = heartbeat_on - interval '31 seconds'`)
    await app.app.jobs.recover()
    const isDone = async () => (await statuses()).every(({ status }) => status === 'DELIVERED')
    for (let minute = 0; minute < 10 && !(await isDone()); minute++) {
      app.clock.advance({ seconds: 61 })
      await app.settled()
    }
    assert.ok(await isDone(), JSON.stringify(await statuses()))
    assert.deepEqual(idsOf(there).slice(cutOff.length).toSorted(), ids.toSorted(), 'each once more, none lost')
    await app.app.jobs.stop(0)
  })

  test('by SIGTERM: what a receiver is about to answer is waited for and not sent again', { timeout }, async (t) => {
    const asked = Promise.withResolvers<ServerResponse>()
    const there = await listen((_request: IncomingMessage, response: ServerResponse) => asked.resolve(response))
    const telling = await startTelling(there)
    await telling.sendTest()
    const response = await asked.promise
    const stopped = telling.service.stop('SIGTERM')
    await telling.service.says('draining')
    response.writeHead(204).end()
    assert.equal(await stopped, 0)
    const { app, database, statuses } = await reopened(telling)
    t.after(() => database.close())
    app.clock.advance({ seconds: 3600 })
    await app.settled()
    assert.deepEqual(
      (await statuses()).map(({ status, attempts }) => [status, attempts]),
      [['DELIVERED', 1]],
    )
    assert.equal(there.heard.length, 1)
    await app.app.jobs.stop(0)
  })

  test('by SIGTERM while a receiver hangs: it ends in time, and the next process makes the try at once', {
    timeout,
  }, async (t) => {
    const there = await listen(behaviours.hang)
    const telling = await startTelling(there)
    await telling.sendTest()
    await there.until(() => there.heard.length === 1)
    assert.equal(await telling.service.stop('SIGTERM'), 0)
    there.answer(behaviours.status(204))
    const { app, database, statuses } = await reopened(telling)
    t.after(() => database.close())
    await app.settled()
    assert.deepEqual(
      (await statuses()).map(({ status, attempts }) => [status, attempts]),
      [['DELIVERED', 1]],
    )
    assert.equal(there.heard.length, 2)
    await app.app.jobs.stop(0)
  })
})

test('two nodes with one database deliver each event once, and no more at once than a tenant may have', {
  skip: isServer ? false : 'of PostgreSQL',
  timeout,
}, async (t) => {
  let [now, most] = [0, 0]
  const there = await listen((_request: IncomingMessage, response: ServerResponse) => {
    most = Math.max(most, ++now)
    setTimeout(() => {
      now -= 1
      response.writeHead(204).end()
    }, 30)
  })
  const environment = { WEBHOOK_ALLOW_PRIVATE: 'true' }
  const cluster = await startCluster({ nodes: 2, databaseUrl: await createMigratedDatabase(), environment })
  t.after(() => cluster.stop())
  const [base = '', other = ''] = cluster.nodes.map((node) => node.base)
  const { tenantId } = await makeCustomer({ base, admin: cluster.admin })
  const sendTest = await endpointAt(base, { tenantId, headers: cluster.admin, url: there.url })
  const ids = await Promise.all(Array.from({ length: 60 }, (_, index) => sendTest(index % 2 === 0 ? base : other)))
  await there.until(() => new Set(idsOf(there)).size === 60)
  await there.until(() => now === 0)
  assert.deepEqual(idsOf(there).toSorted(), ids.toSorted())
  assert.ok(most <= 10, `${most} at once`)
})
