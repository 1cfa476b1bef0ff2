import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../../test/harness/app.ts'
import { freshDatabase } from '../../../test/harness/database.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { notedDatabase, rowsReadMax } from '../../../test/harness/rows-read.ts'
import { run, sql } from '../../storage/query.ts'
import { compile } from '../../storage/sql.ts'
import { limitedNames } from '../meters/meter.rules.ts'
import { historyDays } from './forecast.rules.ts'

const usedMeters = ['meetings', 'transcriptWords', 'asks', 'apiCalls', 'mails']
const keptDays = 400

test('quotas read the days of the forecast, however long they are kept and whoever else has used how much', async (t) => {
  const fresh = await freshDatabase()
  t.after(() => fresh.close())
  const { database, asked } = notedDatabase(fresh)
  const app = await testApp({ database })
  const key = await app.apiKey(await app.tenant())
  const orgs = organizationCalls(app)
  const user = await orgs.person(key)
  await app.promote(user)
  const { id: orgId } = await orgs.create(user)
  const subjects = { tenant: key.tenantId, org: orgId, user: user.id }
  for (const [scope, id] of Object.entries(subjects))
    await run(
      app.platform,
      sql`with days as (
          select meter, (${app.clock.now()}::timestamptz at time zone 'UTC')::date - n as day
          from unnest(${usedMeters}::text[]) meter, generate_series(1, ${keptDays}::int) n
        ), by_day as (
          insert into usage_by_day (tenant_id, day, meter, user_id, amount)
          select ${key.tenantId}, day, meter, case who when 0 then ${user.id}::uuid else gen_random_uuid() end, 1
          from days, generate_series(0, 3) who where ${scope} = 'user'
        ) insert into usage_counters (tenant_id, meter, span, window_start, scope, subject_id, amount)
        select ${key.tenantId}::uuid, meter, span, date_trunc(span, day::timestamp)::date, ${scope}, ${id}::uuid, count(*)
        from days, unnest('{month,day}'::text[]) span group by 1, 2, 3, 4, 5, 6
        on conflict (tenant_id, meter, span, window_start, scope, subject_id) do nothing`,
    )
  await run(app.platform, sql`analyze`)
  for (const query of ['', `?scope=org&orgId=${orgId}`, '?scope=tenant']) {
    asked.length = 0
    const reply = await app.call({ url: `/assistant/v1/usage/quotas${query}`, headers: user.headers })
    assert.equal(reply.status, 200)
    const ofLimits = asked.filter((statement) => compile(statement).sql.includes('usage_limit'))
    assert.equal(ofLimits.length, 1)
    // Each limit is a row of what is asked, of the function that finds it, and of its counter; and there is the plan.
    for (const [statements, rowsMax] of [
      [ofLimits, 6 * limitedNames.length],
      // A bitmap of rows is a scan of its own.
      [asked, 3 * historyDays * usedMeters.length],
    ] as const) {
      const { rows, text } = await rowsReadMax(fresh, [...statements])
      assert.ok(rows <= rowsMax, `${rows} rows for ${query}: ${text}`)
    }
  }
})
