import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { knowledgeCalls } from '../../../test/harness/knowledge.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { rowsWith } from '../../../test/harness/tables.ts'
import type { SummaryBody } from '../../meetings/summaries/summary.schema.ts'
import { many, run, sql } from '../../storage/query.ts'

let app: TestApp
let knowledge: ReturnType<typeof knowledgeCalls>
let meetings: ReturnType<typeof meetingCalls>

before(async () => {
  app = await testApp()
  knowledge = knowledgeCalls(app)
  meetings = meetingCalls(app)
})

const cited = (sentence: string, entries: number[], rest: Partial<SummaryBody['citations'][number]> = {}) => ({
  sentence,
  section: null,
  basis: 'model' as const,
  isPadding: false,
  entries,
  ...rest,
})

/** A meeting with three entries, and a summary whose words nobody said. */
async function summarized() {
  const tenant = await app.tenant()
  const key = await app.apiKey(tenant)
  const owner = await organizationCalls(app).person(key)
  const { id: orgId } = await organizationCalls(app).create(owner)
  const member = await organizationCalls(app).add(key, orgId, 'member')
  const transcript = [
    said('Let us begin.', { segmentId: 'a' }),
    said('We push it to May.', { segmentId: 'b' }),
    said('Lunch was good.', { segmentId: 'c' }),
  ]
  const { id } = await meetings.create(owner, { title: 'Planning', orgId, transcript })
  const scope = app.scopeOf(tenant.id)
  const citations = [
    cited('The zeppelin was postponed.', [2]),
    cited('Three entries hold the balloon.', [1], { basis: 'record' }),
    cited('The airship is padding.', [3], { isPadding: true }),
  ]
  await run(
    scope,
    sql`insert into summaries (tenant_id, meeting_id, mode, personality, content_revision, title, engine, engine_version, body, generated_at)
      select tenant_id, id, 'short', 'neutral', content_revision, title, 'llm', '1', ${JSON.stringify({ citations })}::jsonb, ${app.clock.now()}
      from meetings where tenant_id = ${tenant.id} and id = ${id}`,
  )
  const indexed = async () => {
    app.clock.advance({ seconds: 60 })
    await app.settled()
  }
  await indexed()
  const find = async (user = owner, q = 'zeppelin') => (await knowledge.search(user, orgId, q)).results
  return { tenant, owner, member, orgId, id, indexed, find }
}

describe('a summary', () => {
  test('leads to the entries that it cites, and those are quoted', async () => {
    const { owner, orgId, id, find } = await summarized()
    const [found, ...others] = await find()
    assert.deepEqual([found.meetingId, found.speaker, others.length], [id, 'Ada', 0])
    assert.doesNotMatch(JSON.stringify(found), /zeppelin/)
    const { closest, citations } = await knowledge.ask(owner, orgId, 'Was the zeppelin postponed, or do we push it?')
    const quotes = [...citations, ...closest.map(({ citation }: { citation: unknown }) => citation)]
    assert.ok(quotes.some(({ quote, seq }) => quote === 'We push it to May.' && seq === 2))
    assert.doesNotMatch(JSON.stringify(quotes), /zeppelin/)
  })

  test('leads nowhere by sentences that count or fill, and not to who may not read the meeting', async () => {
    const { owner, member, id, find } = await summarized()
    for (const word of ['balloon', 'airship']) assert.deepEqual(await find(owner, word), [], word)
    assert.equal((await find(member)).length, 1)
    await meetings.call(owner, 'PATCH', `/${id}`, { body: { visibility: 'private' } })
    assert.deepEqual([(await find(member)).length, (await find()).length], [0, 1])
  })

  test('leads nowhere once the transcript has changed, and nothing is left of it with its meeting', async () => {
    const { tenant, owner, id, indexed, find } = await summarized()
    await meetings.append(owner, id, [said('We keep it in April.', { segmentId: 'b' })])
    await indexed()
    assert.deepEqual(await find(), [])
    await meetings.remove(owner, id)
    const left = (await rowsWith(app.platform, 'zeppelin')).filter((row) => row.includes(tenant.id))
    assert.deepEqual(left, [])
  })

  test('is looked through soon after it was made', async () => {
    const { tenant, owner, id, indexed } = await summarized()
    const indexedIds = async () =>
      many(app.platform, sql<{ id: string }>`select id from indexed_items where tenant_id = ${tenant.id}`)
    const first = await indexedIds()
    assert.equal((await meetings.call(owner, 'GET', `/${id}/summary?mode=detailed`)).status, 200)
    await indexed()
    assert.notDeepEqual(await indexedIds(), first)
  })
})
