import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { serverWith } from '../../../test/harness/floor.ts'

const page = 'https://app.example.com'
const preflight = (url: string, origin = page) => ({
  method: 'OPTIONS' as const,
  url,
  headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' },
})

describe('pages of other origins', () => {
  test('may read every answer where the operator lists none, refusals and the limits too', async () => {
    const server = serverWith()
    for (const url of ['/open', '/admin', '/nowhere', '/broken', '/%E0%A4%A']) {
      const { headers } = await server.inject({ url, headers: { origin: page } })
      assert.equal(headers['access-control-allow-origin'], '*', url)
      assert.equal(headers['access-control-expose-headers'], '*', url)
      assert.equal(headers['access-control-allow-credentials'], undefined, url)
    }
  })

  test('are told before a request which methods and headers they may use', async () => {
    const { statusCode, headers, body } = await serverWith().inject(preflight('/things'))
    assert.equal(statusCode, 204)
    assert.equal(body, '')
    assert.equal(headers['access-control-allow-origin'], page)
    assert.equal(headers['access-control-allow-methods'], 'POST')
    const allowed = String(headers['access-control-allow-headers']).split(', ')
    for (const name of ['authorization', 'content-type', 'x-api-key', 'x-admin-key', 'idempotency-key', 'if-match'])
      assert.ok(allowed.includes(name), name)
  })

  test('spend nothing of the limit by asking before, and OPTIONS of anybody else is a method like others', async () => {
    const server = serverWith({ rateLimits: { requestsMax: 2, authFailuresMax: 2, windowSeconds: 900 } })
    for (let count = 0; count < 5; count++) assert.equal((await server.inject(preflight('/things'))).statusCode, 204)
    const options = { method: 'OPTIONS' as const, url: '/things' }
    assert.equal((await server.inject(options)).json().code, 'METHOD_NOT_ALLOWED')
    assert.equal((await server.inject(preflight('/nowhere'))).json().code, 'NOT_FOUND')
    assert.equal((await server.inject(options)).json().code, 'RATE_LIMITED')
  })

  test('may read public answers alone where the operator lists others', async () => {
    const server = serverWith({ pageOrigins: [page] })
    const allowedOf = async (url: string, origin: string) =>
      (await server.inject({ url, headers: { origin } })).headers['access-control-allow-origin']
    const stranger = 'https://app.example.com.evil.example'
    assert.equal(await allowedOf('/open', stranger), '*')
    assert.equal(await allowedOf('/admin', page), page)
    for (const url of ['/admin', '/nowhere', '/keyed']) assert.equal(await allowedOf(url, stranger), undefined, url)
    assert.equal((await server.inject(preflight('/things'))).statusCode, 204)
    const refused = await server.inject(preflight('/things', stranger))
    assert.equal(refused.json().code, 'ORIGIN_NOT_ALLOWED')
    assert.equal(refused.headers['access-control-allow-origin'], undefined)
  })
})
