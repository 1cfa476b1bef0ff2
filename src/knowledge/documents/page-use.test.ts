import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp, testBlobs } from '../../../test/harness/app.ts'
import { testClock } from '../../../test/harness/clock.ts'
import { freshDatabase } from '../../../test/harness/database.ts'
import { documentCalls } from '../../../test/harness/documents.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { many, sql } from '../../storage/query.ts'
import { windowAt } from '../../usage/meters/meter.rules.ts'

test('the pages of a document that is read over the end of a month are used in the month in which it began', async (t) => {
  const clock = testClock()
  const before = windowAt(clock.now(), 'month')
  const blobs = await testBlobs()
  // Of its own: nobody else reads the document.
  const database = await freshDatabase()
  t.after(() => database.close())
  const endMonth = () => clock.advance({ ms: Math.max(0, before.end.getTime() - clock.now().getTime()) })
  const app = await testApp({
    ...{ database, clock },
    blobs: {
      ...blobs,
      open: (sha256) => {
        endMonth()
        return blobs.open(sha256)
      },
    },
  })
  const tenant = await app.tenant()
  const orgs = organizationCalls(app)
  const user = await orgs.person(await app.apiKey(tenant))
  const calls = documentCalls(app, (await orgs.create(user)).id)
  const { id } = await calls.add(user, 'One page.')
  await app.settled()
  const rows = await many(
    app.platform,
    sql<{ status: string; month: string; pages: number; keys: number }>`select d.status, c.window_start::text as month,
        c.amount as pages, (select count(*)::int from usage_reports where tenant_id = ${tenant.id}) as keys
      from documents d left join usage_counters c on c.tenant_id = d.tenant_id and c.meter = 'documentPages'
        and c.scope = 'tenant' and c.span = 'month' where d.id = ${id}`,
  )
  assert.ok(clock.now() >= before.end)
  assert.deepEqual(rows, [{ status: 'ready', month: before.from, pages: 1, keys: 1 }])
})
