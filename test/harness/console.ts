import assert from 'node:assert/strict'
import type { Call, Reply, TestApp } from './app.ts'

/** What a page of our own sends with each request, as browsers do on this machine. */
export const ownPage = { 'sec-fetch-site': 'same-origin', 'x-atrium-door': '1' }

export type SignedIn = { id: string; cookie: string; headers: Record<string, string>; call(call: Call): Promise<Reply> }

/** A browser signed in to the console; by default with the admin key of the environment. */
export async function signIn(
  app: TestApp,
  body: Record<string, string> = { adminKey: app.admin['x-admin-key'] ?? '' },
): Promise<SignedIn> {
  const reply = await app.call({ method: 'POST', url: '/console/session', headers: ownPage, body })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  const cookie = cookieOf(reply)
  const headers = { ...ownPage, cookie }
  const call: SignedIn['call'] = (asked) => app.call({ ...asked, headers: { ...headers, ...asked.headers } })
  return { id: reply.body.session.id, cookie, headers, call }
}

/** The cookie that an answer sets, as a browser sends it back. */
function cookieOf({ headers }: Reply): string {
  return String(headers['set-cookie'] ?? '').split(';')[0] ?? ''
}

/** A new sign-in link. `link`: what stands behind `#link=`. */
export async function newLink(
  app: TestApp,
  body: Record<string, unknown> = { role: 'OWNER' },
): Promise<{ id: string; link: string }> {
  const url = '/v1/platform/admin/sign-in-links'
  const reply = await app.call({ method: 'POST', url, headers: app.admin, body })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  const { id, url: address } = reply.body.signInLink
  return { id, link: address.split('#link=')[1] }
}
