import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../../test/harness/app.ts'
import { changedColumns, indexedAmong, readRow } from '../../../test/harness/indexed-columns.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'

test('an append changes no column that an index holds: it would be written into all of them anew', async () => {
  const app = await testApp()
  const calls = meetingCalls(app)
  const user = await calls.someone()
  const { id } = await calls.create(user, {})
  await calls.append(user, id, [said('The first words start the meeting.')])
  const before = await readRow(app.platform, 'meetings', id)
  app.clock.advance({ seconds: 1 })
  await calls.append(user, id, [said('Others move when it expires.')])
  const changed = changedColumns(before, await readRow(app.platform, 'meetings', id))
  assert.ok(changed.includes('expires_at'))
  assert.deepEqual(await indexedAmong(app.platform, 'meetings', changed), [])
  assert.deepEqual(await indexedAmong(app.platform, 'meetings', ['expires_on']), ['expires_on'])
})
