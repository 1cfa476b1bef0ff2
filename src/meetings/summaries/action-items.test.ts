import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../../test/harness/app.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import type { Writer } from '../../summarizer/writing/writer.ts'
import { actionItemService } from './action-items.service.ts'

test('the action items of an unchanged transcript are read once, however often and at once they are asked for', async () => {
  const app = await testApp()
  const ada = await app.user(await app.apiKey(await app.tenant()))
  const meetings = meetingCalls(app)
  const { id } = await meetings.create(ada, { transcript: [said('I will send the figures.')] })
  let readings = 0
  const local = async () => {
    readings += 1
    if (readings === 3) throw new Error('No worker is free.')
    return { actionItems: [] }
  }
  const { find } = actionItemService({ writer: { local } as unknown as Writer })
  const scope = app.scopeOf(ada.tenantId)
  await Promise.all([find(scope, id), find(scope, id)])
  await find(scope, id)
  assert.equal(readings, 1)
  await meetings.append(ada, id, [said('Grace will book the room.', { timestamp: '00:10:00' })])
  await find(scope, id)
  assert.equal(readings, 2)
  await meetings.append(ada, id, [said('Linus will call.', { timestamp: '00:20:00' })])
  await assert.rejects(find(scope, id))
  await find(scope, id)
  assert.equal(readings, 4, 'a failure is not remembered')
})
