import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { documentCalls } from '../../../test/harness/documents.ts'
import { knowledgeCalls } from '../../../test/harness/knowledge.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { newId } from '../../kernel/ids.ts'
import { run, sql } from '../../storage/query.ts'
import { lostReindexing } from './lost-reindexing.service.ts'

let app: TestApp
before(async () => {
  app = await testApp()
})

test('a document is found by its new title, even if the job that indexes it was lost', async () => {
  const key = await app.apiKey(await app.tenant())
  const owner = await organizationCalls(app).person(key)
  const { id: orgId } = await organizationCalls(app).create(owner)
  const { id } = await documentCalls(app, orgId).ready(owner, 'It departs on Monday.', { title: 'Airship' })
  const count = async (q: string) => (await knowledgeCalls(app).search(owner, orgId, q)).results.length
  const earlier = await documentCalls(app, orgId).ready(owner, 'It waits.', { title: 'Ship' })
  const earlierId = newId(app.clock.now())
  app.clock.advance({ seconds: 1 })
  const lostId = newId(app.clock.now())
  await run(
    app.scopeOf(key.tenantId),
    sql`update documents set title = 'Zeppelin', reindex_id = ${lostId} where tenant_id = ${key.tenantId} and id = ${id}`,
  )
  assert.equal(await count('zeppelin'), 0)
  app.clock.advance({ seconds: 61 })
  // Behind others that wait, too.
  const isOther = (id: string) => id !== lostId
  const enqueued: unknown[] = []
  const sweep = lostReindexing({
    clock: app.clock,
    jobs: {
      listPending: async (_scope, _kind, ids) => ids.filter(isOther),
      enqueue: async (_scope, _kind, { id }) => void enqueued.push(id),
    },
    batch: 1,
  })
  await run(
    app.scopeOf(key.tenantId),
    sql`update documents set reindex_id = ${earlierId} where tenant_id = ${key.tenantId} and id = ${earlier.id}`,
  )
  await sweep(app.platform, new AbortController().signal)
  assert.equal(enqueued.length, 1)
  await app.app.housekeep('knowledge.titles')
  await app.settled()
  assert.deepEqual([await count('zeppelin'), await count('airship')], [1, 0])
})
