import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { documentCalls } from '../../../test/harness/documents.ts'
import { knowledgeCalls } from '../../../test/harness/knowledge.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { newId } from '../../kernel/ids.ts'
import { run, sql } from '../../storage/query.ts'

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
  const lostId = newId(app.clock.now())
  await run(
    app.scopeOf(key.tenantId),
    sql`update documents set title = 'Zeppelin', reindex_id = ${lostId} where tenant_id = ${key.tenantId} and id = ${id}`,
  )
  assert.equal(await count('zeppelin'), 0)
  app.clock.advance({ seconds: 61 })
  await app.app.housekeep('knowledge.titles')
  await app.settled()
  assert.deepEqual([await count('zeppelin'), await count('airship')], [1, 0])
})
