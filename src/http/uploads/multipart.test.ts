import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { serverWith } from '../../../test/harness/floor.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { admin } from '../access/access.ts'
import { ok } from '../answer.ts'
import { route } from '../route.ts'
import { readParts } from './multipart.ts'

const Seen = Type.Object({}, { additionalProperties: true })
/** What `take` did, in order. */
const log: string[] = []

const uploadRoute = route({
  method: 'POST',
  path: '/files',
  name: 'upload',
  tag: 'Utility',
  summary: 's',
  access: admin('VIEWER'),
  upload: {
    fileFields: ['file', 'files[]'],
    fields: StrictObject({
      alt: Type.Optional(Type.String({ maxLength: 40 })),
      focalX: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
      tags: Type.Optional(Type.Array(Type.String({ maxLength: 20 }))),
    }),
    filesMax: 3,
    fieldsMax: 4,
    fieldBytesMax: 1000,
    bytesMax: 1_000_000,
  },
  answers: { 200: Seen },
  handle: async ({ upload }) => {
    const received = await upload.receive(async ({ filename, contentType, bytes }) => {
      log.push(`begin ${filename}`)
      let size = 0
      try {
        for await (const chunk of bytes) {
          size += chunk.length
          if (size > 500_000) throw new Refusal('BODY_TOO_LARGE')
        }
      } finally {
        log.push(`end ${filename}`)
      }
      return { filename, contentType, size }
    })
    return ok(received)
  },
})
const jsonRoute = route({
  method: 'POST',
  path: '/json',
  name: 'json',
  tag: 'Utility',
  summary: 's',
  access: admin('VIEWER'),
  body: StrictObject({ name: Type.Optional(Type.String()) }),
  answers: { 200: Seen },
  handle: async () => ok({}),
})

const boundary = 'xXx'
const type = `multipart/form-data; boundary=${boundary}`
const fileHead = (filename: string, field = 'file') =>
  `Content-Disposition: form-data; name="${field}"; filename="${filename}"\r\nContent-Type: Image/PNG; q=1`
const fieldHead = (name: string) => `Content-Disposition: form-data; name="${name}"`
const part = (head: string, body: string | Buffer) =>
  Buffer.concat([Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), Buffer.from(body as string), Buffer.from('\r\n')])
const form = (...all: Buffer[]) => Buffer.concat([...all, Buffer.from(`--${boundary}--\r\n`)])

function server() {
  return serverWith({ routes: [uploadRoute, jsonRoute] })
}

async function send(payload: Buffer | string, headers: Record<string, string> = {}, url = '/files') {
  const reply = await server().inject({
    method: 'POST',
    url,
    headers: { 'x-admin-key': 'right', 'content-type': type, ...headers },
    payload,
  })
  return { status: reply.statusCode, body: reply.json() }
}

describe('a form with files', () => {
  test('gives files and text fields, in the types of the declaration', async () => {
    const reply = await send(
      form(
        part(fieldHead('alt'), 'Ünïcode'),
        part(fileHead('a "b".png').replace('a "b"', 'a \\"b\\"'), Buffer.alloc(100_000)),
        part(fieldHead('focalX'), '30'),
        part(fieldHead('tags'), 'a, b'),
        part(fieldHead('tags'), 'c'),
        part(fileHead('%22ü%0D.png', 'files[]'), ''),
      ),
    )
    assert.deepEqual(reply.body, {
      fields: { alt: 'Ünïcode', focalX: 30, tags: ['a', 'b', 'c'] },
      files: [
        { filename: 'a "b".png', contentType: 'image/png', size: 100_000 },
        { filename: '"ü\r.png', contentType: 'image/png', size: 0 },
      ],
    })
  })

  test('of any size arrives whole, from a connection and all at once', async () => {
    const bytes = Buffer.alloc(450_000, 'x')
    const payload = form(part(fileHead('large.png'), bytes), part(fieldHead('alt'), 'after it'))
    const { base } = await listening()
    const headers = { 'x-admin-key': 'right', 'content-type': type }
    const overConnection = await (await fetch(`${base}/files`, { method: 'POST', headers, body: payload })).json()
    for (const body of [(await send(payload)).body, overConnection])
      assert.deepEqual(body, {
        fields: { alt: 'after it' },
        files: [{ filename: 'large.png', contentType: 'image/png', size: bytes.length }],
      })
  })

  test('is read alike however it is cut into pieces', async () => {
    const body = form(
      part(fileHead('a'), 'x\r\n--xX\r\n--xXyx-'),
      part(fieldHead('alt'), 'é'),
      part(fileHead('b'), '--'),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), async (lengths) => {
        const seen: string[] = []
        const pieces: Buffer[] = []
        for (let at = 0, i = 0; at < body.length; i++) {
          const length = lengths[i % lengths.length] ?? 1
          pieces.push(body.subarray(at, at + length))
          at += length
        }
        await readParts(Readable.from(pieces, { objectMode: false }), {
          ...reading,
          onPart: async ({ name, bytes }) => {
            const all = Buffer.concat(await bytes.toArray()).toString()
            seen.push(`${name}=${all}`)
          },
        })
        assert.deepEqual(seen.sort(), ['alt=é', 'file=--', 'file=x\r\n--xX\r\n--xXyx-'])
      }),
      { numRuns: 60 },
    )
  })

  test('is refused as a whole when anything in it is not as it has to be', async () => {
    const file = part(fileHead('a.png'), 'x')
    const broken: [why: string, payload: Buffer | string][] = [
      ['empty', ''],
      ['no form at all', 'hello'],
      ['no file', form(part(fieldHead('alt'), 'x'))],
      ['no part', form()],
      ['cut off in a file', form(file).subarray(0, -14)],
      ['cut off in a header', form(file).subarray(0, 30)],
      ['cut off before its end', file],
      ['a part without a header', form(file, part('X: y', 'z'))],
      ['a part whose header never ends', form(file, Buffer.from(`--${boundary}\r\nX: y\r\n`))],
      ['a part without a name', form(part('Content-Disposition: form-data; filename="a"', 'z'))],
      ['not form-data', form(part('Content-Disposition: attachment; name="file"; filename="a"', ''))],
      ['a name twice', form(part(`${fieldHead('alt')}; name="b"`, 'z'), file)],
      [
        'a name that is not UTF-8',
        Buffer.from(
          form(part(fileHead('?'), 'x'))
            .toString()
            .replace('?', '\xff'),
          'latin1',
        ),
      ],
      ['a text that is not UTF-8', form(file, part(fieldHead('alt'), Buffer.from([0xff, 0xfe])))],
      [
        'a text in another charset',
        form(file, part(`${fieldHead('alt')}\r\nContent-Type: text/plain; charset=utf-16le`, 'a')),
      ],
      ['a NUL', form(file, part(fieldHead('alt'), 'a\0b'))],
      ['an unknown text field', form(file, part(fieldHead('colour'), 'red'))],
      ['a text field of the language', form(file, part(fieldHead('__proto__'), 'red'))],
      ['an unknown file field', form(part(fileHead('a', 'avatar'), 'x'))],
      ['a file as text', form(part(fieldHead('file'), 'x'))],
      ['a value of another type', form(file, part(fieldHead('focalX'), 'left'))],
      ['a value out of range', form(file, part(fieldHead('focalX'), '101'))],
      ['a field twice', form(file, part(fieldHead('alt'), 'a'), part(fieldHead('alt'), 'b'))],
      ['too many files', form(file, file, file, file)],
      ['too many fields', form(file, ...'abcde'.split('').map((tag) => part(fieldHead('tags'), tag)))],
      ['too many parts', form(...Array.from({ length: 20 }, () => file))],
      ['a huge header', form(part(fileHead('a'.repeat(20_000)), 'x'))],
      ['a huge header beside others', form(part(`X-Note: ${'x'.repeat(9000)}\r\n${fileHead('a')}`, 'x'))],
      ['many long headers', form(part(`${fileHead('a')}${'\r\nX-Note: x'.repeat(19)}`, 'x'))],
    ]
    const large: [why: string, payload: Buffer | string][] = [
      ['a long text', form(file, part(fieldHead('alt'), 'x'.repeat(1001)))],
      ['a large file', form(part(fileHead('a'), Buffer.alloc(600_000)))],
      ['a large body', Buffer.alloc(1_000_001)],
    ]
    const cases = [
      ...broken.map((one) => [...one, 400, 'VALIDATION_ERROR'] as const),
      ...large.map((one) => [...one, 413, 'BODY_TOO_LARGE'] as const),
    ]
    for (const [why, payload, status, code] of cases) {
      log.length = 0
      const reply = await send(payload)
      assert.deepEqual([reply.status, reply.body.code ?? ''], [status, code], `${why}: ${JSON.stringify(reply.body)}`)
      const begun = log.filter((line) => line.startsWith('begin')).length
      assert.equal(log.length, begun * 2, `${why}: whoever took a file has ended before the answer`)
    }
  })

  test('in another media type, without a boundary or in another charset is refused by its headers', async () => {
    const payload = form(part(fileHead('a'), 'x'))
    const cases: [headers: Record<string, string>, status: number][] = [
      [{ 'content-type': 'application/json' }, 415],
      [{ 'content-type': 'multipart/mixed; boundary=xXx' }, 415],
      [{ 'content-type': 'multipart/form-datax; boundary=xXx' }, 415],
      [{ 'content-encoding': 'gzip' }, 415],
      [{ 'content-type': 'multipart/form-data' }, 400],
      [{ 'content-type': 'multipart/form-data; boundary=""' }, 400],
      [{ 'content-type': `multipart/form-data; boundary=${'x'.repeat(71)}` }, 400],
      [{ 'content-type': 'multipart/form-data; boundary=a; boundary=b' }, 400],
      [{ 'content-type': `${type}; charset=utf-16` }, 400],
    ]
    for (const [headers, status] of cases) {
      const reply = await send(payload, headers)
      assert.equal(reply.status, status, `${JSON.stringify(headers)}: ${JSON.stringify(reply.body)}`)
    }
  })

  test('is taken by no route that does not say so', async () => {
    assert.equal((await send(form(part(fileHead('a'), 'x')), {}, '/json')).status, 415)
  })

  test('damaged anywhere ends in an answer that is no fault of ours', async () => {
    const whole = form(part(fieldHead('alt'), 'x'), part(fileHead('a.png'), 'y'.repeat(300)))
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(40), fc.uint8Array({ maxLength: 20 }), async (at, cut, put) => {
        const payload = Buffer.concat([whole.subarray(0, at), put, whole.subarray(at + cut)])
        const reply = await send(payload)
        assert.ok([200, 400].includes(reply.status), JSON.stringify(reply))
      }),
      { numRuns: 150 },
    )
  })
})

const reading = { boundary, bytesMax: 10_000_000, partsMax: 10, silenceMs: 60_000, durationMs: 60_000 }

describe('a client that does not do its part', () => {
  test('is let go when it falls silent, and when it takes for ever', async () => {
    for (const limits of [{ silenceMs: 20 }, { durationMs: 20 }]) {
      const source = new PassThrough()
      source.write(form(part(fileHead('a'), 'x'.repeat(100))).subarray(0, -40))
      let ended = 0
      const take = async ({ bytes }: { bytes: Readable }) => {
        try {
          await bytes.toArray()
        } finally {
          ended++
        }
      }
      await assert.rejects(readParts(source, { ...reading, ...limits, onPart: take }), { code: 'REQUEST_TIMEOUT' })
      assert.equal(ended, 1)
    }
  })

  test('is let go when it has gone', async () => {
    const source = new PassThrough()
    source.write(part(fileHead('a'), 'x').subarray(0, -2))
    const read = readParts(source, { ...reading, onPart: async ({ bytes }) => void (await bytes.toArray()) })
    await turn()
    source.destroy()
    await assert.rejects(read, { code: 'VALIDATION_ERROR' })
  })

  test('is made to wait while what it sent is not taken: memory is bounded', async () => {
    let made = 0
    const source = Readable.from(
      (function* () {
        yield Buffer.from(`--${boundary}\r\n${fileHead('a')}\r\n\r\n`)
        for (; made < 200; made++) yield Buffer.alloc(100_000)
        yield Buffer.from(`\r\n--${boundary}--\r\n`)
      })(),
      { objectMode: false },
    )
    const gate = Promise.withResolvers<void>()
    let size = 0
    const read = readParts(source, {
      ...reading,
      bytesMax: 100_000_000,
      onPart: async ({ bytes }) => {
        await gate.promise
        for await (const chunk of bytes) size += chunk.length
      },
    })
    for (let i = 0; i < 300; i++) await turn()
    assert.ok(made < 20, `${made} pieces of 100 kB were read ahead`)
    gate.resolve()
    await read
    assert.equal(size, 20_000_000)
  })
})

async function listening(app = server(), { requestTimeoutMs = 0 } = {}): Promise<{ port: number; base: string }> {
  if (requestTimeoutMs > 0) {
    app.server.requestTimeout = requestTimeoutMs
    app.server.headersTimeout = requestTimeoutMs
    Object.assign(app.server, { connectionsCheckingInterval: 20 })
  }
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  return { port, base: `http://127.0.0.1:${port}` }
}

async function rawRequest(port: number, lines: string[]): Promise<{ socket: Socket; said: () => string }> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  await once(socket, 'connect')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => undefined)
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  return { socket, said: () => text }
}

const head = (path: string, length: number, contentType: string) => [
  ...[`POST ${path} HTTP/1.1`, 'Host: a', 'X-Admin-Key: right', `Content-Type: ${contentType}`],
  `Content-Length: ${length}`,
]

describe('an upload over a connection', () => {
  test('is refused by the gate and by its length before a byte of it is read', async () => {
    const { port } = await listening()
    for (const [headers, status] of [
      [['X-Admin-Key: wrong', 'Content-Length: 1000'], 401],
      [['X-Admin-Key: right', 'Content-Length: 1000001'], 413],
      [['X-Admin-Key: right', 'Content-Length: 1000', 'Content-Encoding: br'], 415],
    ] as const) {
      // No byte of the body is ever sent: the answer cannot wait for one.
      const request = ['POST /files HTTP/1.1', 'Host: a', `Content-Type: ${type}`, ...headers]
      const { socket, said } = await rawRequest(port, request)
      await once(socket, 'data')
      assert.match(said(), new RegExp(`^HTTP/1.1 ${status} `))
      socket.destroy()
    }
  })

  test('may take longer than the time of an ordinary request, which keeps it', async () => {
    const { port } = await listening(server(), { requestTimeoutMs: 100 })
    const body = form(part(fileHead('slow.png'), 'x'.repeat(5000)))
    const slow = await rawRequest(port, head('/files', body.length, type))
    slow.socket.write(body.subarray(0, 3000))
    const ordinary = await rawRequest(port, head('/json', 100, 'application/json'))
    ordinary.socket.write('{')
    await once(ordinary.socket, 'close') // the server's own time is over, for both
    assert.match(ordinary.said(), /^HTTP\/1.1 408 /)
    assert.equal(slow.said(), '')
    slow.socket.write(body.subarray(3000))
    await once(slow.socket, 'data')
    assert.match(slow.said(), /^HTTP\/1.1 200 [\s\S]*slow\.png/)
    // The next request on the same connection is an ordinary one again.
    slow.socket.write(`${head('/json', 100, 'application/json').join('\r\n')}\r\n\r\n{`)
    await once(slow.socket, 'close')
    assert.match(slow.said(), /HTTP\/1.1 408 /)
  })

  test('that is refused in its midst is answered, and its connection ends or goes on', async () => {
    const { base } = await listening()
    const payload = form(part(fileHead('a'), Buffer.alloc(700_000)))
    for (let i = 0; i < 3; i++) {
      const headers = { 'x-admin-key': 'right', 'content-type': type }
      const reply = await fetch(`${base}/files`, { method: 'POST', headers, body: payload })
      assert.equal(reply.status, 413)
      await reply.text()
    }
  })

  test('whose client goes away ends for whoever takes its file', async () => {
    const { port } = await listening()
    log.length = 0
    const { socket } = await rawRequest(port, head('/files', 9000, type))
    socket.write(part(fileHead('gone.png'), 'x'.repeat(2000)))
    while (!log.includes('begin gone.png')) await turn()
    socket.destroy()
    while (!log.includes('end gone.png')) await turn()
  })
})
