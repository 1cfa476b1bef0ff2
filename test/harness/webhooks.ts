import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { Reply, TestApp, TestKey, TestTenant } from './app.ts'
import { catchUp } from './clock.ts'
import type { Heard } from './receiver.ts'

export type Subscriber = { tenant: TestTenant; key: TestKey; headers: Record<string, string> }
export type TestEndpoint = { id: string; secret: string }

/** The requests of outbound events, in short. */
export function webhookCalls(app: TestApp) {
  const call = ({ headers }: { headers: Record<string, string> }, method: string, path: string, body?: unknown) =>
    app.call({ method, url: `/v1/webhooks${path}`, headers, ...(body === undefined ? {} : { body }) })
  return {
    call,
    subscriber: async (): Promise<Subscriber> => {
      const tenant = await app.tenant()
      const key = await app.apiKey(tenant)
      return { tenant, key, headers: { 'x-api-key': key.key } }
    },
    endpoint: async (
      whose: Subscriber,
      url: string,
      overrides: Record<string, unknown> = {},
    ): Promise<TestEndpoint> => {
      const reply = await call(whose, 'POST', '/endpoints', { url, ...overrides })
      assert.equal(reply.status, 201, JSON.stringify(reply.body))
      return { id: reply.body.endpoint.id, secret: reply.body.secret }
    },
    get: async (whose: Subscriber, { id }: { id: string }) =>
      (await call(whose, 'GET', `/endpoints/${id}`)).body.endpoint,
    deliveries: async (whose: Subscriber, { id }: { id: string }, query = '') =>
      (await call(whose, 'GET', `/endpoints/${id}/deliveries${query}`)).body.deliveries,
    test: (whose: Subscriber, { id }: { id: string }): Promise<Reply> =>
      call(whose, 'POST', `/endpoints/${id}/test`, {}),
    /** Everything that is due by the clock has been tried. */
    settled: async (): Promise<void> => {
      catchUp(app.clock)
      await app.settled()
    },
  }
}

/** How many of the signatures of a message a receiver with this secret finds good. */
export function goodSignatures({ headers, body }: Heard, secret: string): number {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = `v1,${createHmac('sha256', key).update(text).digest('base64')}`
  return String(headers['webhook-signature'])
    .split(' ')
    .filter((signature) => signature === expected).length
}

export function typesOf(heard: Heard[]): string[] {
  return heard.map(({ body }) => JSON.parse(body).type)
}
