import assert from 'node:assert/strict'
import type { Reply, TestApp, TestUser } from './app.ts'
import { formOf, type SentFile } from './media.ts'

/** Short forms of the requests of an organization's collections and documents. */
export function documentCalls(app: TestApp, orgId: string) {
  const call = (
    user: TestUser,
    method: string,
    path = '',
    rest: { body?: unknown; headers?: object } = {},
  ): Promise<Reply> =>
    app.call({
      method,
      url: `/assistant/v1/orgs/${orgId}${path}`,
      headers: { authorization: `Bearer ${user.accessToken}`, ...rest.headers },
      ...(rest.body === undefined ? {} : { body: rest.body }),
    })
  const expected = async (status: number, reply: Promise<Reply>) => {
    const { status: got, body } = await reply
    assert.equal(got, status, JSON.stringify(body))
    return body
  }
  const upload = async (
    user: TestUser,
    path: string,
    file: SentFile,
    fields: Record<string, string> = {},
  ): Promise<Reply> => call(user, 'POST', path, await formOf([file], fields))
  const calls = {
    call,
    /** A new collection of an admin. */
    collection: async (admin: TestUser, overrides: Record<string, unknown> = {}) =>
      (await expected(201, call(admin, 'POST', '/collections', { body: { name: 'Contracts', ...overrides } })))
        .collection,
    setMember: (user: TestUser, collectionId: string, userId: string, access: 'read' | 'write') =>
      call(user, 'PUT', `/collections/${collectionId}/members/${userId}`, { body: { access } }),
    /** A document from a text, which waits to be read. */
    add: async (user: TestUser, text: string, overrides: Record<string, unknown> = {}) =>
      (await expected(202, call(user, 'POST', '/documents', { body: { title: 'Terms', text, ...overrides } })))
        .document,
    upload: (user: TestUser, file: SentFile, fields: Record<string, string> = {}) =>
      upload(user, '/documents', file, fields),
    uploadVersion: (user: TestUser, documentId: string, file: SentFile) =>
      upload(user, `/documents/${documentId}/versions`, file),
    get: async (user: TestUser, documentId: string) =>
      (await expected(200, call(user, 'GET', `/documents/${documentId}`))).document,
    /** A document from a text, once it was read. */
    ready: async (user: TestUser, text: string, overrides: Record<string, unknown> = {}) => {
      const { id } = await calls.add(user, text, overrides)
      await app.settled()
      const document = await calls.get(user, id)
      assert.equal(document.status, 'ready', JSON.stringify(document.failure))
      return document
    },
    text: async (user: TestUser, documentId: string, query = ''): Promise<string> =>
      expected(200, call(user, 'GET', `/documents/${documentId}/content?format=text${query}`)),
    titles: async (user: TestUser, query = ''): Promise<string[]> =>
      (await expected(200, call(user, 'GET', `/documents?limit=100${query}`))).documents.map(
        ({ title }: { title: string }) => title,
      ),
  }
  return calls
}

export type DocumentCalls = ReturnType<typeof documentCalls>
