import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testApp } from '../../../test/harness/app.ts'
import { newId } from '../../kernel/ids.ts'
import { planEnd, planInForce } from '../../licensing/index.ts'
import { one, run, type Sql, sql } from '../../storage/query.ts'
import { scopeToTenant, transaction } from '../../storage/scope.ts'
import { meteringService } from './metering.service.ts'

const userId = crypto.randomUUID()
const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'
const nobody = '00000000-0000-0000-0000-000000000000'

/** A node that remembers limits. `reads` counts how often it has read them. */
async function rememberingNode() {
  const app = await testApp()
  const { id: tenantId } = await app.tenant()
  const scope = scopeToTenant(app.platform, tenantId)
  const seen = { reads: 0, told: [] as number[] }
  const metering = meteringService({
    clock: app.clock,
    planOf: (_, now) => {
      seen.reads++
      return planInForce({ tenantId, product: 'assistant-ai', now, otherwise: null })
    },
    planEndOf: (_, now) => planEnd({ tenantId, product: 'assistant-ai', now }),
    tellReached: async (_, reached) => void seen.told.push(...reached.flatMap(({ counter }) => counter.reached)),
  })
  /** Uses one meeting. Returns whose limit refused it or the limit that holds, null without one. */
  const use = async (): Promise<string | number | null> => {
    const limits = await transaction(scope, (tx) => metering.count(tx, { userId, amounts: { meetings: 1 } })).catch(
      (error) => error.options.usage.plan as string,
    )
    return typeof limits === 'string' ? limits : (limits[0]?.limit ?? null)
  }
  const change = (statement: Sql) => run(app.platform, statement)
  return { app, tenantId, seen, use, change }
}

type Node = Awaited<ReturnType<typeof rememberingNode>>

const hour = (node: Node, hours: number) => new Date(node.app.clock.now().getTime() + hours * 3_600_000)

const override = (node: Node, hard: number, until: Date | null = null) =>
  node.change(sql`insert into usage_overrides (tenant_id, meter, hard, until, reason, updated_at)
    values (${node.tenantId}, 'meetings', ${hard}, ${until}, 'test', ${node.app.clock.now()})
    on conflict (tenant_id, meter) do update set hard = excluded.hard, until = excluded.until`)

const license = (node: Node, expiresAt: Date | null) => {
  const id = crypto.randomUUID()
  return node.change(sql`insert into licenses (tenant_id, id, key_hash, key_sealed, key_hint, product, plan, expires_at, created_at, updated_at)
    values (${node.tenantId}, ${id}, ${Buffer.from(id)}, ${Buffer.from('x')}, 'x', 'assistant-ai', 'STARTER', ${expiresAt},
      ${node.app.clock.now()}, ${node.app.clock.now()})`)
}

describe('limits that a node remembers', () => {
  test('are not read again while nothing changes, with or without a limit', async () => {
    const node = await rememberingNode()
    for (const expected of [null, null, null]) assert.equal(await node.use(), expected)
    await override(node, 100)
    for (const expected of [100, 100, 100]) assert.equal(await node.use(), expected)
    assert.equal(node.seen.reads, 2)
  })

  const changes: Record<
    string,
    { before?: (node: Node) => Promise<unknown>; change: (node: Node) => unknown; next: unknown }
  > = {
    'a quota that is set': { change: (node) => override(node, 1), next: 'OVERRIDE' },
    'a quota that is taken back': {
      before: (node) => override(node, 9),
      change: ({ change, tenantId }) => change(sql`delete from usage_overrides where tenant_id = ${tenantId}`),
      next: null,
    },
    'a quota that ends': {
      before: (node) => override(node, 9, hour(node, 1)),
      change: ({ app }) => app.clock.advance({ seconds: 3600 }),
      next: null,
    },
    'a grant': {
      before: (node) => override(node, 9),
      change: ({ change, tenantId, app }) =>
        change(sql`insert into usage_grants (tenant_id, meter, window_start, id, amount, reason, created_at)
          values (${tenantId}, 'meetings', date_trunc('month', ${app.clock.now()}::timestamptz at time zone 'UTC'), gen_random_uuid(), 5,
            'test', ${app.clock.now()})`),
      next: 14,
    },
    'a limit of each user': {
      change: ({ change, tenantId, app }) =>
        change(sql`insert into usage_own_limits (tenant_id, scope, subject_id, meter, max_amount, updated_at)
          values (${tenantId}, 'eachUser', ${nobody}, 'meetings', 1, ${app.clock.now()})`),
      next: 'OWN',
    },
    'a license that is issued': { change: (node) => license(node, null), next: 200 },
    'a license that is revoked': {
      before: (node) => license(node, null),
      change: ({ change, tenantId, app }) =>
        change(sql`update licenses set revoked_at = ${app.clock.now()} where tenant_id = ${tenantId}`),
      next: 20,
    },
    'a license that expires': {
      before: (node) => license(node, hour(node, 1)),
      change: ({ app }) => app.clock.advance({ seconds: 3600 }),
      next: 20,
    },
    'the figure of a plan': {
      before: (node) => license(node, null),
      change: ({ change }) =>
        change(sql`update usage_plan_limits set max_amount = 201 where plan = 'STARTER' and meter = 'meetings'`),
      next: 201,
    },
  }
  for (const [what, { before, change, next }] of Object.entries(changes))
    test(`hold no longer for the next use after ${what}`, async (t) => {
      const node = await rememberingNode()
      t.after(() =>
        node.change(sql`update usage_plan_limits set max_amount = 200 where plan = 'STARTER' and meter = 'meetings'`),
      )
      await before?.(node)
      await node.use()
      await node.use()
      await change(node)
      assert.equal(await node.use(), next)
      const { used } = await one(
        node.app.platform,
        sql<{ used: number }>`select sum(amount)::int as used from usage_by_day where tenant_id = ${node.tenantId}`,
      )
      assert.equal(used, typeof next === 'string' ? 2 : 3)
    })

  test('tell new thresholds to whoever has used as much already, also where others were told before', async () => {
    const node = await rememberingNode()
    await override(node, 4)
    for (let used = 0; used < 2; used++) await node.use()
    assert.deepEqual(node.seen.told, [])
    await node.change(
      sql`insert into usage_thresholds (tenant_id, meter, percents) values (${node.tenantId}, '', '{50}')`,
    )
    await node.use()
    assert.deepEqual(node.seen.told, [50])
  })

  test('do not outlive a change of a plan that happens while a tenant is made', async () => {
    const { app, change } = await rememberingNode()
    const tenantId = newId(app.clock.now())
    const revision = sql<{ revision: string }>`select revision from usage_limit_revisions where tenant_id = ${tenantId}`
    const isBlocking = sql<{ yes: boolean }>`select exists (
      select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))) as yes`
    const begun = Promise.withResolvers<void>()
    let isChanged = false
    const making = transaction(app.platform, async (tx) => {
      await run(
        tx,
        sql`insert into tenants (id, name, slug, contact_email, status, created_at, updated_at)
          values (${tenantId}, 'a', ${tenantId}, 'a@example.com', 'ACTIVE', ${app.clock.now()}, ${app.clock.now()})`,
      )
      begun.resolve()
      // In the embedded database the change waits anyway.
      while (isServer && !isChanged && !(await one(tx, isBlocking)).yes);
      return one(tx, revision)
    })
    await Promise.race([begun.promise, making])
    await change(sql`update usage_plan_limits set max_amount = max_amount where plan = 'STARTER'`)
    isChanged = true
    const { revision: first } = await making
    assert.notEqual((await one(app.platform, revision)).revision, first)
  })
})
