import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../../test/harness/app.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { testCounts } from '../../../test/harness/usage-counts.ts'
import { overrideLimit } from '../../../test/harness/usage-limits.ts'
import { eventBus } from '../../storage/events.ts'
import { many, run, sql } from '../../storage/query.ts'
import { transaction } from '../../storage/scope.ts'
import { transferredBytes } from './transferred-bytes.ts'
import { countFromEvents } from './usage-recording.ts'

type Row = { meter: string; orgId: string | null; userId: string | null; amount: number }
const usesOf = (app: Awaited<ReturnType<typeof testApp>>, tenantId: string) =>
  many(
    app.platform,
    sql<Row>`select meter, org_id as "orgId", user_id as "userId", amount from usage_by_day
      where tenant_id = ${tenantId} order by meter, org_id`,
  )

test('requests, summaries and begun minutes of transcripts are counted for the user and the organization', async () => {
  const app = await testApp()
  const orgs = organizationCalls(app)
  const key = await app.apiKey(await app.tenant())
  const user = await orgs.person(key)
  const { id: orgId } = await orgs.create(user)
  const meetings = meetingCalls(app)
  const { id } = await meetings.create(user, {
    orgId,
    transcript: [said('First', { timestamp: '00:00:00' }), said('Second', { timestamp: '00:01:30' })],
  })
  await meetings.append(user, id, [said('Third', { timestamp: '00:01:59' })])
  await meetings.append(user, id, [said('Fourth', { timestamp: '00:05:00' })])
  await meetings.append(user, id, [said('An earlier one', { timestamp: '00:03:00' })])
  assert.equal((await meetings.call(user, 'GET', `/${id}/summary`)).status, 200)
  await app.app.flush()
  const uses = await usesOf(app, key.tenantId)
  const of = (meter: string) => uses.filter((use) => use.meter === meter)
  assert.deepEqual(of('transcriptMinutes'), [{ meter: 'transcriptMinutes', orgId, userId: user.id, amount: 6 }])
  assert.deepEqual(of('summaries'), [{ meter: 'summaries', orgId, userId: user.id, amount: 1 }])
  const requests = of('apiCalls').find(({ userId }) => userId === user.id)
  assert.ok(requests !== undefined && requests.amount >= 6)
})

test('what others tell of is counted once its transaction is committed', async () => {
  const app = await testApp()
  const { id: tenantId } = await app.tenant()
  const scope = app.scopeOf(tenantId)
  const events = eventBus()
  const counts = testCounts(app)
  countFromEvents(events, counts)
  const userId = crypto.randomUUID()
  const emitAll = async (tx: typeof scope) => {
    await events.emit(tx, 'mail.sent', { tenantId, userId })
    await events.emit(tx, 'email.sent', { tenantId, orgId: userId, messageId: userId })
    await events.emit(tx, 'webhook.delivered', { tenantId })
    await events.emit(tx, 'session.started', { tenantId, sessionId: userId, deviceId: userId, userId })
  }
  await assert.rejects(
    scope.handle.transaction(async (handle) => {
      await emitAll({ ...scope, handle })
      throw new Error('undone')
    }),
  )
  await scope.handle.transaction((handle) => emitAll({ ...scope, handle }))
  await counts.flush()
  assert.deepEqual(await usesOf(app, tenantId), [
    { meter: 'mails', orgId: userId, userId: null, amount: 1 },
    { meter: 'mails', orgId: null, userId, amount: 1 },
    { meter: 'vpnSessions', orgId: null, userId, amount: 1 },
    { meter: 'webhookDeliveries', orgId: null, userId: null, amount: 1 },
  ])
})

test('the bytes of a report are counted in its transaction, for each tenant that is not erased', async () => {
  const app = await testApp()
  const [first, second, erased] = [(await app.tenant()).id, (await app.tenant()).id, (await app.tenant()).id]
  await run(app.platform, sql`update tenants set deleted_at = now(), erased_at = now() where id = ${erased}`)
  const told: unknown[] = []
  const count = transferredBytes({
    clock: app.clock,
    planOf: () => sql<string | null>`'TRIAL'`,
    tellReached: async ({ tenantId }, [one]) => {
      told.push([tenantId, one?.counter.meter])
    },
  })
  await overrideLimit(app, first, 'vpnBytes', { hard: 12 })
  const report = {
    tenants: [second, erased, first].map((tenantId) => ({ tenantId, bytesUp: 5, bytesDown: 7 })),
  }
  await assert.rejects(
    transaction(app.platform, async (tx) => {
      await count(tx, report)
      throw new Error('undone')
    }),
  )
  told.length = 0
  await transaction(app.platform, (tx) => count(tx, report))
  const uses = [{ meter: 'vpnBytes', orgId: null, userId: null, amount: 12 }]
  for (const [tenantId, expected] of [[first, uses] as const, [second, uses] as const, [erased, []] as const])
    assert.deepEqual(await usesOf(app, tenantId), expected)
  assert.deepEqual(told, [[first, 'vpnBytes']])
})

test('reports of several nodes with the same tenants beside a batch count every byte', async () => {
  const app = await testApp()
  const tenants = await Promise.all(Array.from({ length: 4 }, async () => (await app.tenant()).id))
  const counts = testCounts(app)
  const { clock } = app
  const count = transferredBytes({
    clock,
    planOf: () => sql<string | null>`null::text`,
    tellReached: async () => undefined,
  })
  const report = (ids: string[]) =>
    transaction(app.platform, (tx) =>
      count(tx, { tenants: ids.map((tenantId) => ({ tenantId, bytesUp: 1, bytesDown: 2 })) }),
    )
  for (const tenantId of tenants) counts.add({ tenantId, product: 'vault-vpn' }, 'connections')
  await Promise.all([
    counts.flush(),
    ...Array.from({ length: 12 }, (_, i) => report(i % 2 ? tenants : tenants.toReversed())),
  ])
  for (const tenantId of tenants)
    assert.deepEqual(await usesOf(app, tenantId), [{ meter: 'vpnBytes', orgId: null, userId: null, amount: 36 }])
})
