import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../../test/harness/app.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { many, one, sql } from '../../storage/query.ts'

test('an append changes no column that an index holds: it would be written into all of them anew', async () => {
  const app = await testApp()
  const calls = meetingCalls(app)
  const user = await calls.someone()
  const { id } = await calls.create(user, {})
  await calls.append(user, id, [said('The first words start the meeting.')])
  const read = async () =>
    (
      await one(
        app.platform,
        sql<{ row: Record<string, unknown> }>`select to_jsonb(m) as row from meetings m where id = ${id}`,
      )
    ).row
  const before = await read()
  app.clock.advance({ seconds: 1 })
  await calls.append(user, id, [said('Others move when it expires.')])
  const after = await read()
  const changed = Object.keys(after).filter(
    (column) => JSON.stringify(after[column]) !== JSON.stringify(before[column]),
  )
  assert.ok(changed.includes('expires_at'))
  const indexed = await many(
    app.platform,
    sql<{
      text: string
    }>`select pg_get_indexdef(indexrelid) as text from pg_index where indrelid = 'meetings'::regclass`,
  )
  assert.ok(indexed.length > 0)
  for (const { text } of indexed) for (const column of changed) assert.doesNotMatch(text, new RegExp(`\\b${column}\\b`))
})
