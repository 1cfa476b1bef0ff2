import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../../test/harness/app.ts'
import { overrideLimit } from '../../../test/harness/usage-limits.ts'
import { vpnCalls } from '../../../test/harness/vpn.ts'
import { run, sql } from '../../storage/query.ts'
import { windowAt } from '../../usage/meters/meter.rules.ts'

test('above a limit of bytes that refuses no session begins, takes no use, and open ones stay', async () => {
  const app = await testApp()
  const vpn = vpnCalls(app)
  const user = await vpn.someone()
  const { tenantId } = user
  const license = await app.license({ id: tenantId }, { plan: 'STARTER' })
  const [open, next] = [await app.device(user), await app.device(user)]
  const { id: sessionId } = (await vpn.connect(user, open.id)).body.session
  await run(
    app.platform,
    sql`insert into usage_counters (tenant_id, meter, span, window_start, scope, subject_id, amount)
      values (${tenantId}, 'vpnBytes', 'month', ${windowAt(app.clock.now(), 'month').from}, 'tenant', ${tenantId}, 1000)
      on conflict (tenant_id, meter, span, window_start, scope, subject_id) do update set amount = excluded.amount`,
  )
  await overrideLimit(app, tenantId, 'vpnBytes', { hard: 1000 })
  const told = await vpn.connect(user, next.id)
  assert.equal(told.status, 201)
  assert.match(String(told.headers['ratelimit-policy']), /, "vpnBytes";q=1000;w=\d+$/)
  assert.match(String(told.headers['ratelimit']), /, "vpnBytes";r=0;t=\d+$/)
  await overrideLimit(app, tenantId, 'vpnBytes', { hard: 1000, atLimit: 'REFUSE' })
  const third = await app.device(user)
  const refused = await vpn.connect(user, third.id)
  assert.deepEqual([refused.status, refused.body.code, refused.body.usage.used], [429, 'USAGE_EXCEEDED', 1000])
  assert.equal((await vpn.connect(user, open.id)).body.session.id, sessionId)
  assert.equal(await vpn.usesOf(license.key), 2)
  await overrideLimit(app, tenantId, 'vpnBytes', { hard: 0, atLimit: 'REFUSE' })
  await run(app.platform, sql`delete from usage_counters where tenant_id = ${tenantId}`)
  assert.equal((await vpn.connect(user, third.id)).status, 429, 'a limit of nothing refuses the first, too')
})
