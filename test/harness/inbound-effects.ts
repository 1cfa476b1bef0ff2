import assert from 'node:assert/strict'
import { deleteOldMessages, unaddressedMailHandler } from '../../src/email/inbox/received-mail.service.ts'
import { deliveryProcessor } from '../../src/inbound/deliveries/process-delivery.ts'
import type { Outcome, ReceivedDelivery } from '../../src/inbound/processing.ts'
import { jobQueue } from '../../src/jobs/queue.ts'
import { newId } from '../../src/kernel/ids.ts'
import { planInForce } from '../../src/licensing/index.ts'
import { answerService } from '../../src/meetings/answers/answer.service.ts'
import { deleteOldDrafts, draftedAnswers, draftingJob } from '../../src/meetings/answers/drafted-answer.service.ts'
import { mentionHandler } from '../../src/meetings/answers/mention.service.ts'
import { organizationMembers } from '../../src/organizations/membership.ts'
import { eventBus } from '../../src/storage/events.ts'
import { many, sql } from '../../src/storage/query.ts'
import { transaction } from '../../src/storage/scope.ts'
import { taskRecords } from '../../src/tasks/tasks/task-record.ts'
import { trackerIssueHandler } from '../../src/tasks/trackers/tracker-issue.service.ts'
import { thresholdService } from '../../src/usage/meters/threshold.service.ts'
import { tenantQuotas } from '../../src/usage/quotas/quota.store.ts'
import { stockLimitReader } from '../../src/usage/quotas/stock-limit.service.ts'
import { stockThresholds } from '../../src/usage/quotas/stock-threshold.service.ts'
import { type TestApp, testLimits } from './app.ts'

type Sent = Partial<ReceivedDelivery> & { payload?: unknown }
type Row = Record<string, unknown>
type EffectTable = 'tasks' | 'drafted_answers' | 'mail_messages'

/** Processes deliveries like the pipeline does after their signature was verified, and reads their effects. */
export function effectsOver(app: TestApp, quotas = tenantQuotas(testLimits)) {
  const jobs = jobQueue(app.clock)
  jobs.declare([draftingJob])
  const events = eventBus()
  const drafts = draftedAnswers({
    events,
    metering: { countAnyway: async () => [], requireLeft: async () => [] },
    clock: app.clock,
    jobs,
    answerQuestion: answerService({ model: null }),
    // The job of the app answers.
    organizationAnswers: { answer: () => Promise.reject(new Error('Only the app answers.')) },
  })

  const members = organizationMembers
  const records = taskRecords({ clock: app.clock, events, audit: async () => undefined })
  const trackers = { events, members, quotas, records }

  const process = async (tenant: { id: string }, { payload, ...sent }: Sent): Promise<Outcome> => {
    const { clock } = app
    const storeMail = unaddressedMailHandler({
      clock,
      readStockLimit: stockLimitReader({
        clock,
        defaultLimits: testLimits,
        quotas,
        planOf: ({ tenantId }, now) => planInForce({ tenantId, product: 'assistant-ai', now, otherwise: null }),
      }),
      tellStored: stockThresholds({ clock, tellReached: thresholdService({ events }) }),
    })
    const processDelivery = deliveryProcessor({
      issue: trackerIssueHandler({ ...trackers, clock }),
      mention: mentionHandler(drafts),
      mailReport: async () => assert.fail('no report is sent here'),
      botHint: async () => false,
      integrationHint: async () => false,
      mail: async (received, content) => (tx) => storeMail(tx, received, content),
    })
    const now = clock.now()
    const received: ReceivedDelivery = {
      id: newId(now),
      connectionId: newId(now),
      orgId: null,
      integrationId: null,
      settings: {},
      scheme: 'linear',
      channel: 'issue-tracker',
      eventType: 'issues',
      entityKey: 'entity',
      occurredAt: null,
      receivedAt: now,
      body: Buffer.from(JSON.stringify(payload) ?? ''),
      contentType: 'application/json',
      attempt: 1,
      ...sent,
    }
    return transaction(app.scopeOf(tenant.id), await processDelivery(received))
  }

  // The day as text, because the drivers turn it into a time.
  const columnsOf = (table: EffectTable) => sql.raw(table === 'tasks' ? 't.*, t.due::text as due' : 't.*')
  const rows = (table: EffectTable, tenant: { id: string }): Promise<Row[]> =>
    many(
      app.platform,
      sql<Row>`select ${columnsOf(table)} from ${sql.raw(table)} t where tenant_id = ${tenant.id} order by id`,
    )

  return {
    process,
    rows,
    textOf: async (tenant: { id: string }, answerId: string): Promise<string> => {
      const { body } = await app.call({ url: `/admin/tenants/${tenant.id}/answers/${answerId}`, headers: app.admin })
      return body.answer.text
    },
    clear: async () => {
      await deleteOldMessages(app.platform, app.clock)
      await deleteOldDrafts(app.platform, app.clock)
    },
    statuses: async (tenant: { id: string }, connectionId: string) =>
      (await rows('tasks', tenant)).filter((row) => row['connection_id'] === connectionId).map((row) => row['status']),
    /** All effects of deliveries. */
    all: async (tenant: { id: string }) => {
      const tables: EffectTable[] = ['tasks', 'drafted_answers', 'mail_messages']
      const found = await Promise.all(
        tables.map(async (table) => (await rows(table, tenant)).map((row) => ({ table, row }))),
      )
      return found.flat()
    },
  }
}
