import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AtriumAdmin } from './admin.ts'
import { Atrium, AtriumError, isCode, LicenseError } from './index.ts'

type Sent = { method: string; url: string; headers: Record<string, string>; body: unknown }
type Reply = { status?: number; body?: unknown; headers?: Record<string, string> } | Error

/** A `fetch` that answers in turn, the last answer for ever, and keeps what was sent. */
function answering(...replies: Reply[]) {
  const sent: Sent[] = []
  const fetch = async (url: unknown, init: RequestInit = {}) => {
    init.signal?.throwIfAborted()
    const reply = replies[Math.min(sent.length, replies.length - 1)] as Reply
    const { body = null } = init
    const headers = init.headers as Record<string, string>
    sent.push({ method: String(init.method), url: String(url), headers, body: body && JSON.parse(String(body)) })
    if (reply instanceof Error) throw reply
    return Response.json(reply.body ?? {}, { status: reply.status ?? 200, headers: reply.headers ?? {} })
  }
  return { sent, fetch: fetch as typeof globalThis.fetch }
}

const problem = (status: number, code: string, headers = {}): Reply => ({
  status,
  headers,
  body: { status, code, title: 'Refused', requestId: 'r-1' },
})
const at = 'https://api.example.com'
const cut = new TypeError('fetch failed')
const verdict = (code = 'VALID') => ({ body: { valid: code === 'VALID', code } })

describe('what is sent', () => {
  test('members of an input go to the path, the query, If-Match and the body', async () => {
    const { sent, fetch } = answering({})
    const admin = new AtriumAdmin({ baseUrl: `${at}/`, adminKey: 'key', fetch })
    await admin.content.savePage({ pageId: 'a/b', draft: true, ifMatch: '"7"', title: 'Hi' } as never)
    assert.equal(sent[0]?.url, `${at}/admin/cms/pages/a%2Fb?draft=true`)
    assert.equal(sent[0]?.headers['if-match'], '"7"')
    assert.deepEqual(sent[0]?.body, { title: 'Hi' })
    await admin.tenants.list({ q: 'a&b', limit: 5 }).page(2)
    assert.equal(sent[1]?.url, `${at}/admin/tenants?q=a%26b&limit=5&page=2`)
    assert.equal(sent[1]?.headers['x-admin-key'], 'key')
  })

  test('a path member that would name another resource is never sent', async () => {
    const { sent, fetch } = answering({})
    const admin = new AtriumAdmin({ baseUrl: at, fetch })
    for (const tenantId of ['', '.', '..', undefined]) {
      await assert.rejects(admin.tenants.get({ tenantId: tenantId as string }), TypeError)
    }
    assert.equal(sent.length, 0)
  })
})

describe('retries', () => {
  test('send one idempotency key again until the call succeeds', async () => {
    const { sent, fetch } = answering(cut, problem(503, 'UNAVAILABLE'), verdict())
    await new Atrium({ baseUrl: at, apiKey: 'k', fetch }).licenses.consume({ licenseKey: 'L' })
    assert.equal(sent.length, 3)
    assert.equal(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size, 1)
    assert.match(sent[0]?.headers['idempotency-key'] ?? '', /^[0-9a-f]{32}$/)
  })

  test('are never made of a POST that the service would do twice', async () => {
    const { sent, fetch } = answering(cut)
    const call = new Atrium({ baseUrl: at, fetch }).auth.login({ email: 'a@b.c', password: 'p' })
    await assert.rejects(call, (error) => isCode(error, 'NETWORK_ERROR'))
    assert.equal(sent.length, 1)
  })

  test('end with the error of the service, its fields and its request id', async () => {
    const { sent, fetch } = answering(problem(503, 'UNAVAILABLE'))
    const call = new Atrium({ baseUrl: at, fetch, retries: 1 }).catalog.getProduct({ slug: 'x' })
    await assert.rejects(call, (error: AtriumError) => {
      assert.deepEqual([error.code, error.status, error.requestId], ['UNAVAILABLE', 503, 'r-1'])
      return error instanceof AtriumError
    })
    assert.equal(sent.length, 2)
  })

  test('are not made of a refusal that will not change', async () => {
    const { sent, fetch } = answering(problem(404, 'NOT_FOUND'))
    await assert.rejects(new Atrium({ baseUrl: at, fetch }).catalog.getProduct({ slug: 'x' }))
    assert.equal(sent.length, 1)
  })

  test('are not waited for beyond the time of the call', async () => {
    const { sent, fetch } = answering(problem(429, 'RATE_LIMITED', { 'retry-after': '60' }))
    const call = new Atrium({ baseUrl: at, fetch }).catalog.getProduct({ slug: 'x' })
    await assert.rejects(call, (error: AtriumError) => error.retryAfterMs === 60_000)
    assert.equal(sent.length, 1)
  })

  test('stop when the caller ends the call', async () => {
    const { fetch } = answering(cut)
    const reason = new Error('enough')
    const call = new Atrium({ baseUrl: at, fetch }).catalog.getProduct(
      { slug: 'x' },
      { signal: AbortSignal.abort(reason) },
    )
    await assert.rejects(call, reason)
  })
})

test('a call that takes too long rejects with TIMEOUT', async () => {
  const never = (_: unknown, { signal }: RequestInit) =>
    new Promise<Response>((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  const atrium = new Atrium({ baseUrl: at, fetch: never as typeof fetch, retries: 0, timeoutMs: 5 })
  // The timer of a signal does not keep a process alive by itself.
  const alive = setInterval(() => undefined, 1000)
  await assert.rejects(atrium.system.health(), (error) => isCode(error, 'TIMEOUT'))
  clearInterval(alive)
})

test('the page of a proxy is an error of its own', async () => {
  const fetch = async () =>
    new Response('<h1>Bad gateway</h1>', { status: 500, headers: { 'content-type': 'text/html' } })
  await assert.rejects(new Atrium({ baseUrl: at, fetch }).system.health(), (error) =>
    isCode(error, 'UNEXPECTED_ANSWER'),
  )
})

test('a list is read page by page, and no page before it is needed', async () => {
  const page = (number: number, ...tenants: string[]) => ({
    body: { tenants, pagination: { page: number, limit: 2, total: 3, totalPages: 2 } },
  })
  const { sent, fetch } = answering(page(1, 'a', 'b'), page(2, 'c'))
  const read: unknown[] = []
  for await (const tenant of new AtriumAdmin({ baseUrl: at, fetch }).tenants.list({ limit: 2 })) {
    read.push(tenant)
    assert.equal(sent.length, read.length < 3 ? 1 : 2)
  }
  assert.deepEqual(read, ['a', 'b', 'c'])
})

describe('the license guard', () => {
  test('throws before connecting, with the code of the verdict', async () => {
    const { sent, fetch } = answering(verdict('EXPIRED'))
    const call = new Atrium({ baseUrl: at, apiKey: 'k', fetch }).vpn.connect({ deviceId: 'd', licenseKey: 'L' })
    await assert.rejects(call, (error) => error instanceof LicenseError && error.code === 'LICENSE_EXPIRED')
    assert.deepEqual(
      sent.map(({ url }) => url),
      [`${at}/vault/v1/licenses/validate`],
    )
  })

  test('connects with a valid license, and takes no use for the question', async () => {
    const { sent, fetch } = answering(verdict(), { body: { session: { id: 's' } } })
    const { session } = await new Atrium({ baseUrl: at, fetch }).vpn.connect({ deviceId: 'd', licenseKey: 'L' })
    assert.equal(session.id, 's')
    assert.deepEqual(
      sent.map(({ body }) => body),
      [{ licenseKey: 'L' }, { deviceId: 'd', licenseKey: 'L' }],
    )
  })
})

describe('tokens', () => {
  const tokens = (name: string) => ({ accessToken: `access-${name}`, refreshToken: `refresh-${name}` })

  test('are kept from a login, sent, and forgotten at the logout', async () => {
    const { sent, fetch } = answering({ body: tokens('1') }, {}, {}, {})
    const atrium = new Atrium({ baseUrl: at, fetch })
    await atrium.auth.login({ email: 'a@b.c', password: 'p' })
    await atrium.auth.getMe()
    await atrium.auth.logout()
    await atrium.auth.getMe()
    const sentTokens = sent.map(({ headers }) => headers['authorization'])
    assert.deepEqual(sentTokens, [undefined, 'Bearer access-1', 'Bearer access-1', undefined])
  })

  test('are refreshed once for 50 calls that find them expired', async () => {
    let kept: ReturnType<typeof tokens> | null = tokens('old')
    let refreshes = 0
    const fetch = (async (url: string, { headers }: RequestInit) => {
      await new Promise(setImmediate)
      if (url.endsWith('/refresh')) {
        refreshes += 1
        return Response.json(tokens('new'))
      }
      const isNew = (headers as Record<string, string>)['authorization'] === 'Bearer access-new'
      return Response.json(isNew ? { ok: true } : { code: 'TOKEN_EXPIRED' }, { status: isNew ? 200 : 401 })
    }) as typeof globalThis.fetch
    const set = (next: typeof kept) => {
      kept = next
    }
    const atrium = new Atrium({ baseUrl: at, fetch, tokens: { get: () => kept, set } })
    await Promise.all(Array.from({ length: 50 }, () => atrium.auth.getMe()))
    assert.equal(refreshes, 1)
    assert.equal(kept?.accessToken, 'access-new')
  })

  test('that can no longer be refreshed are forgotten, and the call fails as it did', async () => {
    let kept: ReturnType<typeof tokens> | null = tokens('old')
    const { fetch } = answering(problem(401, 'TOKEN_EXPIRED'), problem(401, 'REFRESH_INVALID'))
    const set = (next: typeof kept) => {
      kept = next
    }
    const call = new Atrium({ baseUrl: at, fetch, tokens: { get: () => kept, set } }).auth.getMe()
    await assert.rejects(call, (error) => isCode(error, 'TOKEN_EXPIRED'))
    assert.equal(kept, null)
  })
})
