import assert from 'node:assert/strict'
import type { Reply, TestApp } from './app.ts'

/** The requests of an administrator about the keys of a tenant. */
export function keyCalls(app: TestApp) {
  const urlOf = (tenantId: string) => `/admin/tenants/${tenantId}/api-keys`
  const post = (url: string, body: unknown, headers: Record<string, string>): Promise<Reply> =>
    app.call({ method: 'POST', url, headers: { ...app.admin, ...headers }, body })
  return {
    urlOf,
    create: (tenantId: string, body: unknown = { name: 'app', products: ['vault-vpn'] }, headers = {}) =>
      post(urlOf(tenantId), body, headers),
    list: (tenantId: string, query = '') => app.call({ url: `${urlOf(tenantId)}?${query}`, headers: app.admin }),
    get: (tenantId: string, keyId: string) => app.call({ url: `${urlOf(tenantId)}/${keyId}`, headers: app.admin }),
    revoke: (tenantId: string, keyId: string) =>
      app.call({ method: 'DELETE', url: `${urlOf(tenantId)}/${keyId}`, headers: app.admin }),
    rotate: (tenantId: string, keyId: string, body: unknown = {}, headers = {}) =>
      post(`${urlOf(tenantId)}/${keyId}/rotate`, body, headers),
    /** Whether the key is let in: a refresh token of no form is refused only after the key was accepted. */
    isLetIn: async (key: string): Promise<boolean> => {
      const url = '/v1/auth/refresh'
      const { body } = await app.call({
        method: 'POST',
        url,
        headers: { 'x-api-key': key },
        body: { refreshToken: 'none' },
      })
      assert.ok(['API_KEY_INVALID', 'REFRESH_INVALID'].includes(body.code), body.code)
      return body.code === 'REFRESH_INVALID'
    },
  }
}

/** What an answer says, in short. */
export function codeOf({ status, body }: Reply): [number, string | undefined] {
  return [status, body.code]
}
