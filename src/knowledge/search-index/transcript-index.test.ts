import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { jobQueue } from '../../jobs/queue.ts'
import { searchableTranscripts } from '../../meetings/transcripts/searchable-transcript.ts'
import { many, run, sql } from '../../storage/query.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import { itemIndex } from './item-index.service.ts'
import { missingTranscripts } from './missing-transcripts.service.ts'
import { transcriptIndex, transcriptJob } from './transcript-index.service.ts'

let app: TestApp
before(async () => {
  app = await testApp()
})

const daySeconds = 24 * 60 * 60
const nil = '00000000-0000-0000-0000-000000000000'

/** An organization with a meeting that has ended, one that is live, and a private one. All that can be found is found. */
async function organization() {
  const tenant = await app.tenant()
  const owner = await organizationCalls(app).person(await app.apiKey(tenant))
  const { id: orgId } = await organizationCalls(app).create(owner)
  const meetings = meetingCalls(app)
  const transcript = [said('The zeppelin departs on Monday.')]
  const ended = await meetings.create(owner, { orgId, transcript })
  const live = await meetings.create(owner, { orgId, transcript })
  await meetings.create(owner, { transcript })
  const scope = app.scopeOf(tenant.id)
  const setStatus = (id: string, status: string) =>
    run(scope, sql`update meetings set status = ${status} where tenant_id = ${tenant.id} and id = ${id}`)
  await setStatus(ended.id, 'completed')
  await setStatus(live.id, 'active')
  app.clock.advance({ seconds: 60 })
  await app.settled()
  return { scope, endedId: ended.id as string, liveId: live.id as string }
}

const indexed = async (scope: TenantScope) =>
  (
    await many(
      scope,
      sql<{ itemId: string }>`select item_id as "itemId" from indexed_items where tenant_id = ${scope.tenantId}`,
    )
  ).map(({ itemId }) => itemId)

describe('the index of transcripts', () => {
  test('keeps nothing of a meeting that is deleted or moved while it is read', async () => {
    const { scope, endedId, liveId } = await organization()
    const items = itemIndex(app)
    await transaction(scope, (tx) => items.remove(tx, [endedId, liveId]))
    const gone = { ...searchableTranscripts, hold: async () => null }
    await transcriptIndex({ items, transcripts: gone })(scope, endedId)
    assert.deepEqual(await indexed(scope), [])
  })

  test('takes in what is missing of meetings that have ended, and tries each once a day', async () => {
    const { scope, endedId, liveId } = await organization()
    const items = itemIndex(app)
    const { tenantId } = scope
    // As if nobody else had meetings.
    const transcripts: Pick<typeof searchableTranscripts, 'listEnded'> = {
      listEnded: async (platform, { after, limit }) =>
        (await searchableTranscripts.listEnded(platform, { after: after ?? { tenantId, id: nil }, limit })).filter(
          (meeting) => meeting.tenantId === tenantId,
        ),
    }
    const jobs = jobQueue(app.clock)
    jobs.declare([transcriptJob])
    const search = missingTranscripts({ ...app, jobs, transcripts })
    const loseAll = () => transaction(scope, (tx) => items.remove(tx, [endedId, liveId]))
    const found = async () => {
      await search()
      await app.settled()
      return indexed(scope)
    }
    await loseAll()
    assert.deepEqual(await found(), [endedId])
    await run(scope, sql`update indexed_items set version = version - 1 where tenant_id = ${tenantId}`)
    app.clock.advance({ seconds: daySeconds })
    assert.deepEqual(await found(), [endedId])
    // As if the job after a new title had failed.
    await run(scope, sql`update meetings set title = 'Renamed' where tenant_id = ${tenantId} and id = ${endedId}`)
    app.clock.advance({ seconds: daySeconds })
    assert.deepEqual(await found(), [endedId])
    assert.equal(
      (await many(scope, sql`select 1 from indexed_terms where tenant_id = ${tenantId} and term = 'renam'`)).length,
      1,
    )
    const [item] = await many(
      scope,
      sql<{ isCurrent: boolean }>`select i.version = m.content_revision as "isCurrent" from indexed_items i
        join meetings m on m.tenant_id = i.tenant_id and m.id = i.item_id where i.tenant_id = ${tenantId}`,
    )
    assert.equal(item?.isCurrent, true)
    await loseAll()
    assert.deepEqual(await found(), [], 'again on the same day')
    app.clock.advance({ seconds: daySeconds })
    assert.deepEqual(await found(), [endedId])
  })
})
