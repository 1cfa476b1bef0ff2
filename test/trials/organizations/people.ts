import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, ask } from '../../harness/client.ts'
import { makeCustomer } from '../../harness/customer.ts'
import type { MailServer } from '../../harness/mail-server.ts'

export type Person = { id: string; email: string; headers: Record<string, string> }

export type Installation = {
  /** The processes of the service. */
  bases: string[]
  admin: Record<string, string>
  mail: MailServer
}

export type People = Awaited<ReturnType<typeof people>>

/** Requests of people of one tenant. `at` is the index of the process that is asked. */
export async function people({ bases, admin, mail }: Installation, limits: Record<string, number>) {
  const baseAt = (at: number) => bases[at % bases.length] as string
  const customer = await makeCustomer({ base: baseAt(0), admin, limits })
  const request = (at: number, method: string, path: string, headers: Record<string, string>, body?: unknown) =>
    ask({ url: `${baseAt(at)}${path}`, method, headers, ...(body === undefined ? {} : { body }) })
  const call = (person: Person, method: string, path: string, { at = 0, body }: { at?: number; body?: unknown } = {}) =>
    request(at, method, `/assistant/v1${path}`, person.headers, body)
  /** The body of an answer with this status. */
  const expect = async (status: number, answer: Promise<Answer>) => {
    const { status: got, body } = await answer
    assert.equal(got, status, JSON.stringify(body))
    return body
  }
  const tokenTo = async (email: string): Promise<string> => {
    const { text } = await mail.mailTo(email)
    return /^atr[a-z]+_\w+$/m.exec(text)?.[0] ?? assert.fail(`no token in ${text}`)
  }

  return {
    baseAt,
    call,
    expect,
    tokenTo,
    /** Somebody with a verified address. */
    person: async (): Promise<Person> => {
      const email = `${randomBytes(8).toString('hex')}@example.com`
      const account = { email, password: randomBytes(12).toString('hex') }
      const auth = (path: string, body: unknown) => request(0, 'POST', `/v1/auth/${path}`, customer.headers, body)
      const { accessToken, user } = await expect(201, auth('register', account))
      await expect(204, auth('verify-email', { token: await tokenTo(email) }))
      return { id: user.id, email, headers: { authorization: `Bearer ${accessToken}` } }
    },
    createOrg: async (owner: Person): Promise<string> =>
      (await expect(201, call(owner, 'POST', '/orgs', { body: { name: 'Research' } }))).org.id,
    add: async (orgId: string, { id: userId }: Person, role: string): Promise<void> => {
      const path = `/admin/tenants/${customer.tenantId}/orgs/${orgId}/members`
      await expect(201, request(0, 'POST', path, admin, { userId, role }))
    },
    /** Waits as long as it is told to: an address gets three mails in a window. */
    invite: async (owner: Person, orgId: string, { email }: Person): Promise<string> => {
      for (;;) {
        const body = { email, role: 'member' }
        const answer = await call(owner, 'POST', `/orgs/${orgId}/invitations`, { body })
        if (answer.status !== 429) return (await expect(201, Promise.resolve(answer))).invitation.id
        await delay(Number(answer.headers['retry-after']) * 1000)
      }
    },
    /** Also asserts that they are counted right. */
    membersSeenBy: async (member: Person, orgId: string): Promise<{ userId: string; role: string }[]> => {
      const { members, pagination } = await expect(200, call(member, 'GET', `/orgs/${orgId}/members?limit=100`))
      const { org } = await expect(200, call(member, 'GET', `/orgs/${orgId}`))
      assert.deepEqual([org.memberCount, pagination.total], [members.length, members.length])
      return members
    },
  }
}
