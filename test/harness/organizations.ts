import assert from 'node:assert/strict'
import { run, sql } from '../../src/storage/query.ts'
import type { Reply, TestApp, TestKey, TestUser } from './app.ts'
import { waitingToken } from './mail.ts'

export type TestRole = 'owner' | 'admin' | 'member' | 'viewer'

/** Short forms of the requests of organizations. */
export function organizationCalls(app: TestApp) {
  const call = (user: TestUser, method: string, path: string, rest: { body?: unknown; headers?: object } = {}) =>
    app.call({
      method,
      url: `/assistant/v1${path}`,
      headers: { authorization: `Bearer ${user.accessToken}`, ...rest.headers },
      ...(rest.body === undefined ? {} : { body: rest.body }),
    })
  const expected = async (status: number, reply: Promise<Reply>) => {
    const { status: got, body } = await reply
    assert.equal(got, status, JSON.stringify(body))
    return body
  }
  /** A user of the tenant with a verified address. */
  const verified = async (user: TestUser): Promise<TestUser> => {
    await run(app.platform, sql`update users set email_verified = true where id = ${user.id}`)
    return user
  }
  const person = async (key: TestKey): Promise<TestUser> => verified(await app.user(key))
  const join = async (key: TestKey, orgId: string, { user, role }: { user: TestUser; role: TestRole }) => {
    const url = `/admin/tenants/${key.tenantId}/orgs/${orgId}/members`
    await expected(201, app.call({ method: 'POST', url, headers: app.admin, body: { userId: user.id, role } }))
  }
  const calls = {
    call,
    person,
    verified,
    join,
    create: async (owner: TestUser, overrides: Record<string, unknown> = {}) =>
      (await expected(201, call(owner, 'POST', '/orgs', { body: { name: 'Research', ...overrides } }))).org,
    get: (user: TestUser, id: string) => call(user, 'GET', `/orgs/${id}`),
    invite: (user: TestUser, orgId: string, email: string, role: TestRole = 'member') =>
      call(user, 'POST', `/orgs/${orgId}/invitations`, { body: { email, role } }),
    /** The token in the newest mail to an address. */
    token: async (email: string): Promise<string> => {
      const token = await waitingToken(app.platform, email, 'INVITATION')
      assert.ok(token, `no invitation waits for ${email}`)
      return token
    },
    accept: (user: TestUser, by: { token: string } | { invitationId: string }) =>
      call(user, 'POST', '/invitations/accept', { body: by }),
    /** A new person with this role, added by an administrator of the platform. */
    add: async (key: TestKey, orgId: string, role: TestRole): Promise<TestUser> => {
      const user = await person(key)
      await join(key, orgId, { user, role })
      return user
    },
    roles: async (user: TestUser, orgId: string): Promise<Record<string, TestRole>> => {
      const { members } = await expected(200, call(user, 'GET', `/orgs/${orgId}/members?limit=100`))
      return Object.fromEntries(members.map(({ userId, role }: { userId: string; role: TestRole }) => [userId, role]))
    },
  }
  return calls
}
