import assert from 'node:assert/strict'
import type { Reply, TestApp, TestUser } from './app.ts'

export type TestEntry = { speaker: string; text: string; timestamp: string; segmentId?: string }

/** An entry of a transcript. */
export function said(text: string, overrides: Partial<TestEntry> = {}): TestEntry {
  return { speaker: 'Ada', text, timestamp: '00:00:01', ...overrides }
}

/** Short forms of the requests of the meeting assistant. */
export function meetingCalls(app: TestApp) {
  const call = (user: TestUser, method: string, path: string, rest: { body?: unknown; headers?: object } = {}) =>
    app.call({
      method,
      url: `/assistant/v1/meetings${path}`,
      headers: { authorization: `Bearer ${user.accessToken}`, ...rest.headers },
      ...(rest.body === undefined ? {} : { body: rest.body }),
    })
  return {
    call,
    someone: async (limits: Record<string, number> = {}): Promise<TestUser> =>
      app.user(await app.apiKey(await app.tenant({ limits }))),
    /** Logs the user in again: the clock may have passed the end of the access token. */
    again: async (user: TestUser): Promise<TestUser> => {
      const { email, password, headers } = user
      const reply = await app.call({ method: 'POST', url: '/vault/v1/auth/login', headers, body: { email, password } })
      assert.equal(reply.status, 200, JSON.stringify(reply.body))
      const { accessToken } = reply.body
      return { ...user, accessToken, headers: { ...headers, authorization: `Bearer ${accessToken}` } }
    },
    // biome-ignore lint/suspicious/noExplicitAny: parsed JSON, whose members tests read
    create: async (user: TestUser, overrides: Record<string, unknown> = {}): Promise<any> => {
      const reply = await call(user, 'POST', '', { body: { title: 'Weekly planning', ...overrides } })
      assert.equal(reply.status, 201, JSON.stringify(reply.body))
      return reply.body
    },
    get: (user: TestUser, id: string): Promise<Reply> => call(user, 'GET', `/${id}`),
    append: (user: TestUser, id: string, entries: unknown, headers = {}): Promise<Reply> =>
      call(user, 'POST', `/${id}/transcript`, { body: { entries }, headers }),
    remove: (user: TestUser, id: string): Promise<Reply> => call(user, 'DELETE', `/${id}`),
  }
}
