import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../../test/harness/app.ts'
import { testDatabase } from '../../../test/harness/database.ts'

const url = '/v1/platform/admin/snapshots'
const folder = 'snapshot-0123456789ab'

test('a snapshot is asked of the database by the name of a folder, and stands in the audit log', async () => {
  const asked: string[] = []
  const snapshot = async (name: string) => {
    asked.push(name)
    return { bytes: 7, pausedMs: 1.5 }
  }
  const app = await testApp({ database: { ...(await testDatabase()), snapshot } })
  const reply = await app.call({ method: 'POST', url, headers: app.admin, body: { folder } })
  assert.equal(reply.status, 200)
  assert.deepEqual(reply.body, { snapshot: { folder, bytes: 7, pausedMs: 1.5 } })
  assert.deepEqual(asked, [folder])
  const { body } = await app.call({ url: '/admin/audit-logs?action=snapshot.create', headers: app.admin })
  assert.equal(JSON.stringify(body).includes(folder), true)
})

test('a path is no name of a folder', async () => {
  const app = await testApp()
  for (const path of ['../x', 'database', '/tmp/snapshot-0123456789ab', 'snapshot-0123456789ab/..', 'snapshot-', '']) {
    const reply = await app.call({ method: 'POST', url, headers: app.admin, body: { folder: path } })
    assert.equal(reply.status, 400, path)
  }
})

test('a database without files of its own has no snapshots', async () => {
  const app = await testApp()
  const reply = await app.call({ method: 'POST', url, headers: app.admin, body: { folder } })
  assert.equal(reply.status, 409)
  assert.equal(reply.body.code, 'STATE_CONFLICT')
})
