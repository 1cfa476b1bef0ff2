import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createConnection, type InboundApp, inboundApp, tenantAdministrator } from '../../../test/harness/inbound.ts'
import { jobQueue } from '../../jobs/queue.ts'
import { newId } from '../../kernel/ids.ts'
import { many, sql } from '../../storage/query.ts'
import type { NewDelivery } from './delivery.store.ts'
import { deliveryWriter } from './delivery-writer.ts'
import { processingJob } from './processing.job.ts'

let app: InboundApp

before(async () => {
  app = await inboundApp()
})

/** A connection of a new tenant, and how deliveries to it are stored. */
async function opened() {
  const user = await tenantAdministrator(app)
  const { id: connectionId } = await createConnection(app, user)
  const jobs = jobQueue(app.clock)
  jobs.declare([processingJob])
  const failing = {
    enqueueWithRow: async (...[scope, insert, kind, job]: Parameters<typeof jobs.enqueueWithRow>) => {
      if (job.key?.endsWith(':unfit')) throw new Error('It has no job.')
      return jobs.enqueueWithRow(scope, insert, kind, job)
    },
  }
  const store = deliveryWriter({ platform: app.platform, jobs: failing, isEmbedded: true })
  const delivery = (deliveryKey: string, entityKey: string): NewDelivery => ({
    id: newId(app.clock.now()),
    connectionId,
    kind: 'event',
    deliveryKey,
    eventType: 'changed',
    entityKey,
    occurredAt: null,
    receivedAt: app.clock.now(),
    headers: {},
    contentType: 'application/json',
    body: Buffer.from('{}'),
    bodySha256: Buffer.alloc(32),
    bodyKey: null,
    timeline: [],
  })
  const scope = app.scopeOf(user.tenantId)
  return {
    store: (key: string, entity: string) => store(scope, { delivery: delivery(key, entity), isLastSeenDue: false }),
    stored: () =>
      many(
        scope,
        sql<{ key: string }>`select d.delivery_key as key from webhook_deliveries d
          join jobs.job_common j on j.name = ${processingJob.name} and j.data ->> 'deliveryId' = d.id::text
          where d.tenant_id = ${scope.tenantId} order by j.created_on`,
      ),
  }
}

describe('deliveries that come in one moment', () => {
  test('are stored with their jobs in the order in which they arrived', async () => {
    const { store, stored } = await opened()
    const keys = Array.from({ length: 80 }, (_, n) => `delivery ${n}`)
    const answers = await Promise.all(keys.map((key) => store(key, 'entity')))
    assert.ok(answers.every(({ isDuplicate }) => !isDuplicate))
    assert.deepEqual(
      (await stored()).map(({ key }) => key),
      keys,
    )
  })

  test('are stored once with one job where they are copies', async () => {
    const { store, stored } = await opened()
    const answers = await Promise.all(Array.from({ length: 10 }, () => store('the same', 'entity')))
    assert.equal(answers.filter(({ isDuplicate }) => !isDuplicate).length, 1)
    assert.equal(new Set(answers.map(({ deliveryId }) => deliveryId)).size, 1)
    assert.deepEqual(await stored(), [{ key: 'the same' }])
  })

  test('are stored even if one of them cannot be, and only that one fails', async () => {
    const { store, stored } = await opened()
    const outcomes = await Promise.allSettled(
      ['before', 'unfit', 'after'].map((key) => store(key, key === 'unfit' ? 'unfit' : 'entity')),
    )
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual((await stored()).map(({ key }) => key).toSorted(), ['after', 'before'])
  })
})
