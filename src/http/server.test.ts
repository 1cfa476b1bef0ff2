import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { floorRoutes, floorTenantId, serverWith } from '../../test/harness/floor.ts'
import { formOf } from '../../test/harness/media.ts'
import { notFound, type RefusalCode, refusals } from '../kernel/refusal.ts'
import { StrictObject } from '../kernel/schemas.ts'
import { Type } from '../kernel/type.ts'
import { type Access, admin, open, tenantKey } from './access/access.ts'
import { noContent, ok } from './answer.ts'
import { route } from './route.ts'

const declaration = { tag: 'Utility', summary: 's', answers: { 204: null } } as const
const textRoute = route({
  ...declaration,
  method: 'POST',
  path: '/texts',
  name: 'sendText',
  access: tenantKey(),
  rawBody: { examples: { 'text/calendar': 'x', 'text/plain': 'x' }, bytesMax: 100 },
  handle: async () => noContent(),
})
const formRoute = route({
  ...declaration,
  method: 'POST',
  path: '/forms',
  name: 'sendForm',
  access: tenantKey(),
  upload: { fileFields: ['file'], fields: StrictObject({}), filesMax: 1, fieldsMax: 1, fieldBytesMax: 9, bytesMax: 99 },
  handle: async () => noContent(),
})
const eitherRoute = route({
  ...declaration,
  method: 'POST',
  path: '/either',
  name: 'sendEither',
  access: tenantKey(),
  upload: {
    fileFields: ['file'],
    fields: StrictObject({}),
    filesMax: 1,
    fieldsMax: 1,
    fieldBytesMax: 9,
    bytesMax: 999,
  },
  body: StrictObject({ text: Type.String() }),
  answers: { 200: StrictObject({ sent: Type.String() }) },
  handle: async ({ upload, body }) => {
    if (body) return ok({ sent: body.text })
    const { files } = (await upload?.receive(async ({ bytes }) => text(bytes))) ?? { files: [] }
    return ok({ sent: files.join() })
  },
})
const missing = (path: string, name: string, access: Access) =>
  route({ ...declaration, method: 'GET', path, name, access, handle: () => Promise.reject(notFound()) })
const byNameRoute = missing('/things/:name', 'getThing', tenantKey())
const ofTenantRoute = missing('/tenants/:tenantId/things/:name', 'getThingOfTenant', admin('VIEWER'))
const publicRoute = missing('/public/:name', 'getPublic', open('test'))

describe('the floor under every route', () => {
  test('a route that was not declared stops the start with its name', async () => {
    const server = serverWith()
    assert.throws(() => server.get('/hidden', async () => 'x'), /GET \/hidden was not declared/)
    assert.throws(
      () => serverWith({ routes: [{ ...floorRoutes[0] } as (typeof floorRoutes)[0]] as typeof floorRoutes }),
      /GET \/open was not declared/,
    )
  })

  test('every answer has the security headers, a request id and the limits, errors too', async () => {
    const server = serverWith()
    for (const url of ['/open', '/admin', '/nowhere', '/broken', '/%E0%A4%A']) {
      const reply = await server.inject({ url, headers: { 'x-request-id': 'abcdefgh-1' } })
      assert.equal(reply.headers['x-request-id'], 'abcdefgh-1', url)
      assert.equal(reply.headers['x-content-type-options'], 'nosniff', url)
      assert.equal(reply.headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'", url)
      assert.equal(reply.headers['server'], undefined)
      assert.equal(reply.headers['x-powered-by'], undefined)
      if (!url.includes('%')) assert.match(String(reply.headers['ratelimit']), /^"default";r=\d+;t=\d+$/, url)
    }
    const odd = await server.inject({ url: '/open', headers: { 'x-request-id': 'bad id\u00e9' } })
    assert.match(String(odd.headers['x-request-id']), /^[0-9a-f-]{36}$/)
  })

  test('an unexpected error tells nothing but its request id', async () => {
    const reply = await serverWith().inject({ url: '/broken' })
    assert.equal(reply.statusCode, 500)
    const { requestId, ...body } = reply.json()
    assert.deepEqual(body, { type: '/docs/errors#INTERNAL', title: 'Internal error', status: 500, code: 'INTERNAL' })
    assert.equal(requestId, reply.headers['x-request-id'])
  })

  test('every refusal but an unexpected error says in its detail what is the matter', async () => {
    const server = serverWith()
    const asked = [{ url: '/admin' }, { url: '/admin', headers: { 'x-admin-key': 'wrong' } }, { url: '/keyed' }]
    for (const ask of asked) {
      const body = (await server.inject(ask)).json()
      assert.ok(body.status >= 400, JSON.stringify(body))
      assert.equal(body.detail, refusals[body.code as RefusalCode][2], body.code)
    }
  })

  test('a refusal before any route says what there is instead', async () => {
    const told = async (call: object) => (await serverWith().inject(call)).json().detail
    assert.match(await told({ url: '/nowhere' }), /\/docs/)
    assert.equal(await told({ method: 'DELETE', url: '/things' }), 'This path accepts POST.')
    const headers = { 'x-admin-key': 'right' }
    assert.match(await told({ method: 'DELETE', url: '/admin', headers }), /role VIEWER; this requires OWNER/)
  })

  test('a route that takes a form or JSON reads whichever is sent, and refuses what is neither', async () => {
    const server = serverWith({ routes: [...floorRoutes, eitherRoute] })
    const send = async (type: string, payload: string | Buffer) => {
      const headers = { 'x-api-key': 'key-1', 'content-type': type }
      return (await server.inject({ method: 'POST', url: '/either', payload, headers })).json()
    }
    const form = await formOf([{ bytes: 'of a file', name: 'a.txt' }])
    assert.equal((await send(form.headers['content-type'], form.body)).sent, 'of a file')
    assert.equal((await send('application/json', '{"text": "of JSON"}')).sent, 'of JSON')
    assert.equal((await send('application/json', '{"text": 1}')).code, 'VALIDATION_ERROR')
    assert.equal((await send('multipart/form-data', '{"text": "x"}')).code, 'VALIDATION_ERROR')
    const large = `{"text": "${'x'.repeat(300_000)}"}`
    assert.equal((await send('application/json', large)).code, 'BODY_TOO_LARGE')
  })

  test('a body in another media type is told the types that the route reads', async () => {
    const server = serverWith({ routes: [...floorRoutes, formRoute, textRoute, eitherRoute] })
    const send = async (url: string, headers: Record<string, string>) => {
      const call = { method: 'POST' as const, url, payload: 'x', headers: { 'x-api-key': 'key-1', ...headers } }
      const reply = await server.inject(call)
      assert.deepEqual([reply.statusCode, reply.json().code], [415, 'UNSUPPORTED_MEDIA_TYPE'], url)
      return { ...reply.headers, detail: reply.json().detail }
    }
    const cases: [url: string, type: string, accept: string, told: RegExp][] = [
      [
        '/things',
        'application/xml; charset=utf-8',
        'application/json',
        /sent as application\/xml\. .* accepts application\/json\./,
      ],
      ['/things', 'text/calendar', 'application/json', /sent as text\/calendar/],
      ['/things', 'nonsense', 'application/json', /not a media type/],
      ['/things', 'multipart/form-data; boundary=x', 'application/json', /application\/json/],
      ['/texts', 'application/json', 'text/calendar, text/plain', /accepts text\/calendar, text\/plain\./],
      ['/forms', 'application/json', 'multipart/form-data', /accepts multipart\/form-data\./],
      ['/either', 'text/plain', 'multipart/form-data, application/json', /accepts multipart\/form-data, app/],
    ]
    for (const [url, type, accept, told] of cases) {
      const answer = await send(url, { 'content-type': type })
      assert.equal(answer.accept, accept, `${url} ${type}`)
      assert.match(answer.detail, told)
    }
    const packed = await send('/things', { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    assert.equal(packed['accept-encoding'], 'identity')
    assert.match(packed.detail, /without Content-Encoding: gzip/)
  })

  test('a body without a media type is told that it has none', async () => {
    const server = serverWith()
    await server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = server.server.address() as { port: number }
    const body = new Blob(['{"name":"a"}']) // fetch would name the type of a text
    const call = { method: 'POST', headers: { 'x-api-key': 'key-1' }, body }
    const reply = await fetch(`http://127.0.0.1:${port}/things`, call)
    assert.equal(
      ((await reply.json()) as { detail: string }).detail,
      'The body has no Content-Type. This route accepts application/json.',
    )
  })

  test('HEAD has the headers of GET and no body, so that the connection goes on with the next answer', async () => {
    const server = serverWith()
    await server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = server.server.address() as { port: number }
    const socket = connect({ host: '127.0.0.1', port })
    for (const line of ['HEAD /open', 'HEAD /nowhere', 'HEAD /%', 'GET /open'])
      socket.write(`${line} HTTP/1.1\r\nhost: a\r\n${line.startsWith('GET') ? 'connection: close\r\n' : ''}\r\n`)
    const answers = (await text(socket)).split(/(?=^HTTP\/1\.1 )/m)
    const [head = '', unknown = '', malformed = '', get = ''] = answers
    assert.deepEqual(
      answers.map((answer) => answer.slice(9, 12)),
      ['200', '404', '400', '200'],
    )
    const lengthOf = (answer: string) => /^content-length: (\d+)\r$/im.exec(answer)?.[1]
    assert.equal(lengthOf(head), lengthOf(get))
    assert.ok(Number(lengthOf(head)) > 0)
    for (const answer of [head, unknown, malformed]) assert.match(answer, /\r\n\r\n$/)
  })

  test('a slash too many at the end is redirected to the address without it, with the method and the query', async () => {
    const server = serverWith({ routes: [...floorRoutes, byNameRoute] })
    const cases: [method: 'GET' | 'HEAD' | 'POST' | 'DELETE', url: string, location: string][] = [
      ['GET', '/open/', '/open'],
      ['HEAD', '/open/', '/open'],
      ['GET', '/open/?a=1/&b=%2F/', '/open?a=1/&b=%2F/'],
      ['GET', '/open//', '/open'],
      ['POST', '/things/', '/things'],
      ['DELETE', '/admin/', '/admin'],
      // The router would take this for the route below it, with an empty name.
      ['GET', '/things/', '/things'],
      ['GET', '/things/a/', '/things/a'],
    ]
    for (const [method, url, location] of cases) {
      const reply = await server.inject({ method, url, headers: { 'x-api-key': 'key-1' } })
      assert.deepEqual(
        [reply.statusCode, reply.headers.location, reply.payload],
        [308, location, ''],
        `${method} ${url}`,
      )
      assert.equal(reply.headers['x-content-type-options'], 'nosniff')
      assert.ok(reply.headers['ratelimit'], 'a redirect counts towards the limit')
    }
    for (const url of ['/nowhere/', '//open/', '//evil.example/', '/%2Fevil.example/'])
      assert.deepEqual(
        [(await server.inject({ url })).statusCode, (await server.inject({ url })).headers.location],
        [404, undefined],
        url,
      )
    assert.equal((await server.inject({ url: '/' })).statusCode, 404, 'the root is no slash too many')
  })

  test('a page of another origin may ask before it sends to an address with a slash too many', async () => {
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
    const reply = await serverWith().inject({ method: 'OPTIONS', url: '/things/', headers })
    assert.deepEqual([reply.statusCode, reply.headers['access-control-allow-methods']], [204, 'POST'])
  })

  test('a missing object may be one of another tenant only where tenants have objects', async () => {
    const server = serverWith({ routes: [...floorRoutes, byNameRoute, ofTenantRoute, publicRoute] })
    const detailAt = async (url: string, headers = {}) => (await server.inject({ url, headers })).json().detail
    assert.match(await detailAt('/things/a', { 'x-api-key': 'key-1' }), /or it belongs to another tenant/)
    const admin = { 'x-admin-key': 'right' }
    assert.match(await detailAt(`/tenants/${floorTenantId}/things/a`, admin), /or it belongs to another tenant/)
    assert.equal(await detailAt('/public/a'), 'There is no such resource.')
  })

  test('what the schema of an answer does not list never leaves', async () => {
    assert.deepEqual((await serverWith().inject({ url: '/open' })).json(), { name: 'open' })
  })

  test('a role below the one a route asks for is INSUFFICIENT_ROLE', async () => {
    const headers = { 'x-admin-key': 'right' }
    assert.equal((await serverWith().inject({ url: '/admin', headers })).statusCode, 204)
    assert.equal(
      (await serverWith().inject({ method: 'DELETE', url: '/admin', headers })).json().code,
      'INSUFFICIENT_ROLE',
    )
  })

  test('an Accept header that excludes the answer is 406', async () => {
    const server = serverWith()
    assert.equal(
      (await server.inject({ url: '/open', headers: { accept: 'text/html' } })).json().code,
      'NOT_ACCEPTABLE',
    )
    for (const accept of ['*/*', 'application/json', 'text/html, application/*;q=0.1', '']) {
      assert.equal((await server.inject({ url: '/open', headers: { accept } })).statusCode, 200, accept)
    }
    assert.equal(
      (await server.inject({ url: '/open', headers: { accept: 'application/json;q=0, */*;q=0' } })).statusCode,
      406,
    )
  })

  test('bytes that are not HTTP get an answer with the headers of any other', async () => {
    const said = await answerTo('NOT HTTP\r\n\r\n')
    assert.match(said, /^HTTP\/1\.1 400 Bad Request\r\n/)
    assert.match(said, /x-content-type-options: nosniff/)
    assert.match(said, /"title":"Request is not valid","status":400,"detail":"The request is not valid HTTP."/)
    assert.match(said, /"code":"VALIDATION_ERROR"/)
  })

  test('a request with two Host headers is refused, also an upgrade and one for an unknown path', async () => {
    const hosts = 'Host: one\r\nhOST: two\r\nConnection: close\r\n'
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
    for (const head of [
      `GET /open HTTP/1.1\r\n${hosts}`,
      `GET /nope HTTP/1.1\r\n${hosts}`,
      `GET /open HTTP/1.1\r\n${hosts}${upgrade}`,
    ]) {
      const said = await answerTo(`${head}\r\n`)
      assert.match(said, /^HTTP\/1\.1 400 Bad Request\r\n/)
      assert.match(said, /"path":"\/headers\/host"/)
    }
    assert.match(await answerTo('GET /open HTTP/1.1\r\nHost: one\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 200 OK/)
  })
})

/** What a server sends for these bytes until it ends the connection. */
async function answerTo(bytes: string): Promise<string> {
  const server = serverWith()
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
  let said = ''
  socket.on('data', (chunk) => (said += chunk))
  await once(socket, 'close')
  return said
}

test('a server closes at once over connections that were opened ahead and ask nothing', {
  timeout: 10_000,
}, async () => {
  const server = serverWith()
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as { port: number }
  const silent = connect(port, '127.0.0.1')
  const ended = once(silent, 'close')
  await once(silent, 'connect')
  await (await fetch(`http://127.0.0.1:${port}/open`)).text() // by now the server knows the silent one, too
  silent.resume()
  await server.close()
  await ended
})
