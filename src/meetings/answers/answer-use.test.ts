import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../../test/harness/app.ts'
import { testClock } from '../../../test/harness/clock.ts'
import { effectsOver } from '../../../test/harness/inbound-effects.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { jsonPayload } from '../../../test/harness/payloads.ts'
import { jobQueue } from '../../jobs/queue.ts'
import { eventBus } from '../../storage/events.ts'
import { many, sql } from '../../storage/query.ts'
import { answerService } from './answer.service.ts'
import { draftedAnswers, draftingJob } from './drafted-answer.service.ts'
import { organizationAnswers } from './organization-answer.service.ts'

/** A user with a meeting, and answers that are searched for until the next month has begun. */
async function slowAnswers() {
  const app = await testApp()
  const tenant = await app.tenant()
  const user = await organizationCalls(app).person(await app.apiKey(tenant))
  const { id: orgId } = await organizationCalls(app).create(user)
  await meetingCalls(app).create(user, { transcript: [said('The budget of the venue is 4000 euros.')] })
  const clock = testClock(new Date('2031-11-30T23:59:59.999Z'))
  const jobs = jobQueue(clock)
  jobs.declare([draftingJob])
  const { metering } = app.app
  const deps = { clock, events: eventBus(), metering }
  const endMonth = () => clock.advance({ ms: 1 })
  const answerQuestion = answerService({ model: null })
  const ofOrganization = organizationAnswers({
    ...deps,
    openAnswers: () => ({
      find: async () => {
        endMonth()
        return []
      },
      hold: async () => [],
      quote: async () => [],
    }),
  })
  const drafts = draftedAnswers({
    ...{ ...deps, jobs, organizationAnswers: ofOrganization },
    answerQuestion: (...asked) => {
      endMonth()
      return answerQuestion(...asked)
    },
  })
  async function answer(asker: { orgId: string } | { settings: { userId: string } }) {
    const payload = jsonPayload('slack-message-im')
    payload.event = { ...payload.event, text: 'What is the budget of the venue?', ts: crypto.randomUUID() }
    const outcome = await effectsOver(app).process(tenant, { scheme: 'slack', channel: 'chat', payload, ...asker })
    assert.ok(outcome.kind === 'processed' && outcome.effects[0])
    await drafts.answer(app.scopeOf(tenant.id), outcome.effects[0].targetId)
    return clock.now().toISOString()
  }
  const uses = () =>
    many(
      app.platform,
      sql<{ day: string; amount: number }>`select day::text, amount from usage_by_day
        where tenant_id = ${tenant.id} and meter = 'asks'`,
    )
  return { user, orgId, answer, uses }
}

test('an answer that is drafted over the end of a month is used in the month in which its search began', async () => {
  for (const isOfOrganization of [false, true]) {
    const { user, orgId, answer, uses } = await slowAnswers()
    const endedAt = await answer(isOfOrganization ? { orgId } : { settings: { userId: user.id } })
    assert.equal(endedAt, '2031-12-01T00:00:00.000Z')
    assert.deepEqual(await uses(), [{ day: '2031-11-30', amount: 1 }])
  }
})
