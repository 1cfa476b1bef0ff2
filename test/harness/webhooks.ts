import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { Reply, TestApp, TestKey, TestTenant, TestUser } from './app.ts'
import { catchUp } from './clock.ts'
import type { Heard } from './receiver.ts'

/** A tenant, and the headers of a user with the role ADMIN. */
export type Subscriber = { tenant: TestTenant; key: TestKey; headers: Record<string, string> }
export type TestEndpoint = { id: string; secret: string }

/** Of an access token, and a little less. */
const tokenMs = 50 * 60 * 1000

/** The requests of outbound events, in short. */
export function webhookCalls(app: TestApp) {
  const users = new WeakMap<object, { user: TestUser; freshUntil: number }>()
  const tokenEndAt = () => app.clock.now().getTime() + tokenMs
  /** The clock may have passed the end of the access token. */
  const renew = async (whose: { headers: Record<string, string> }): Promise<void> => {
    const known = users.get(whose)
    if (known === undefined || app.clock.now().getTime() < known.freshUntil) return
    const { email, password, headers } = known.user
    const reply = await app.call({ method: 'POST', url: '/vault/v1/auth/login', headers, body: { email, password } })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    whose.headers = { ...headers, authorization: `Bearer ${reply.body.accessToken}` }
    users.set(whose, { ...known, freshUntil: tokenEndAt() })
  }
  const call = async (whose: { headers: Record<string, string> }, method: string, path: string, body?: unknown) => {
    await renew(whose)
    const { headers } = whose
    return app.call({ method, url: `/v1/webhooks${path}`, headers, ...(body === undefined ? {} : { body }) })
  }
  return {
    call,
    subscriber: async (): Promise<Subscriber> => {
      const tenant = await app.tenant()
      const key = await app.apiKey(tenant)
      const user = await app.user(key)
      await app.promote(user)
      const whose = { tenant, key, headers: user.headers }
      users.set(whose, { user, freshUntil: tokenEndAt() })
      return whose
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

export function eventTypes(heard: Heard[]): string[] {
  return heard.map(({ body }) => JSON.parse(body).type)
}
