import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testApp } from '../../test/harness/app.ts'
import { effectsOver } from '../../test/harness/inbound-effects.ts'
import { meetingCalls } from '../../test/harness/meetings.ts'
import { jsonPayload } from '../../test/harness/payloads.ts'
import { run, sql } from '../storage/query.ts'

describe('a task', () => {
  test('that was agreed in a meeting stays when the meeting is deleted', async () => {
    const app = await testApp()
    const calls = meetingCalls(app)
    const effects = effectsOver(app)
    const user = await calls.someone()
    const tenant = { id: user.tenantId }
    const { id } = await calls.create(user)
    await effects.process(tenant, { payload: jsonPayload('linear-issue') })
    await run(app.platform, sql`update tasks set meeting_id = ${id} where tenant_id = ${tenant.id}`)
    assert.equal((await calls.remove(user, id)).status, 204)
    const tasks = await effects.rows('tasks', tenant)
    assert.deepEqual(
      tasks.map((task) => [task['meeting_id'], task['title']]),
      [[null, 'Write the release notes']],
    )
  })
})
