import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { serverWith } from '../../test/harness/floor.ts'
import { Refusal } from '../kernel/refusal.ts'
import { open } from './access/access.ts'
import { route } from './route.ts'
import { parseRange } from './stored-file.ts'

const bytes = Buffer.from('0123456789')
let opened = 0
let isAway = false
const file = { file: true, description: 'The file.' } as const
const fileRoute = route({
  method: 'GET',
  path: '/file',
  name: 'file',
  tag: 'Utility',
  summary: 's',
  access: open('test'),
  answers: { 200: file, 206: file },
  handle: async () => ({
    status: 200 as const,
    headers: { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' },
    body: {
      size: bytes.length,
      etag: '"abc"',
      open: async ({ start, end }) => {
        opened++
        if (isAway) throw new Refusal('UNAVAILABLE')
        return Readable.from([bytes.subarray(start, end + 1)])
      },
    },
  }),
})

async function get(headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  opened = 0
  const reply = await serverWith({ routes: [fileRoute] }).inject({ method, url: '/file', headers })
  return { status: reply.statusCode, text: reply.payload, headers: reply.headers }
}

describe('a stored file', () => {
  test('is sent whole, or the one range that was asked for', async () => {
    const cases: [range: string, status: number, text: string, contentRange: string | undefined][] = [
      ['', 200, '0123456789', undefined],
      ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
      ['bytes=8-', 206, '89', 'bytes 8-9/10'],
      ['bytes=8-100', 206, '89', 'bytes 8-9/10'],
      ['bytes=-3', 206, '789', 'bytes 7-9/10'],
      ['bytes=-100', 206, '0123456789', 'bytes 0-9/10'],
      ['BYTES = 0 - 0', 206, '0', 'bytes 0-0/10'],
      ['bytes=0-1,4-5', 200, '0123456789', undefined],
      ['bytes=5-2', 200, '0123456789', undefined],
      ['bytes=-', 200, '0123456789', undefined],
      ['bytes=a-b', 200, '0123456789', undefined],
      ['items=0-1', 200, '0123456789', undefined],
      ['bytes=99999999999999999999-', 200, '0123456789', undefined],
    ]
    for (const [range, status, text, contentRange] of cases) {
      const reply = await get(range === '' ? {} : { range })
      assert.deepEqual([reply.status, reply.text, reply.headers['content-range']], [status, text, contentRange], range)
      assert.equal(reply.headers['content-length'], String(text.length), range)
      assert.equal(reply.headers['accept-ranges'], 'bytes')
      assert.equal(reply.headers['content-type'], 'image/png')
      assert.equal(reply.headers['cache-control'], 'public, max-age=31536000, immutable')
    }
  })

  test('has no range past its end: 416 with its length', async () => {
    for (const range of ['bytes=10-', 'bytes=10-20', 'bytes=-0']) {
      const reply = await get({ range })
      assert.equal(reply.status, 416, range)
      assert.equal(reply.headers['content-range'], 'bytes */10')
      assert.equal(JSON.parse(reply.text).code, 'RANGE_NOT_SATISFIABLE')
      assert.notEqual(reply.headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.equal(opened, 0)
    }
  })

  test('is sent whole where If-Range names other bytes', async () => {
    assert.equal((await get({ range: 'bytes=0-3', 'if-range': '"abc"' })).status, 206)
    for (const other of ['"abd"', 'W/"abc"', 'Sat, 21 Nov 2026 00:00:00 GMT'])
      assert.equal((await get({ range: 'bytes=0-3', 'if-range': other })).status, 200, other)
  })

  test('that the client has is 304, without opening it', async () => {
    for (const known of ['"abc"', 'W/"abc"', '"x", "abc"', '*']) {
      const reply = await get({ 'if-none-match': known, range: 'bytes=0-3' })
      assert.deepEqual([reply.status, reply.text, opened], [304, '', 0], known)
      assert.equal(reply.headers['etag'], '"abc"')
      assert.equal(reply.headers['cache-control'], 'public, max-age=31536000, immutable')
    }
    assert.equal((await get({ 'if-none-match': '"x"' })).status, 200)
  })

  test('is refused to whoever wants to go on with other bytes', async () => {
    for (const other of ['"abd"', 'W/"abc"', '"x", "y"']) {
      const reply = await get({ 'if-match': other, 'if-none-match': '"abc"', range: 'bytes=4-' })
      assert.deepEqual([reply.status, JSON.parse(reply.text).code, opened], [412, 'PRECONDITION_FAILED', 0], other)
    }
    for (const same of ['"abc"', '"x", "abc"', '*'])
      assert.equal((await get({ 'if-match': same, range: 'bytes=4-' })).text, '456789', same)
  })

  test('is not opened for HEAD, which has the headers of all of it', async () => {
    const reply = await get({ range: 'bytes=0-3' }, 'HEAD')
    assert.deepEqual([reply.status, reply.text, opened], [200, '', 0])
    assert.equal(reply.headers['content-length'], '10')
    assert.equal(reply.headers['content-type'], 'image/png')
  })

  test('that cannot be opened is refused without a word of what it would have been', async (t) => {
    isAway = true
    t.after(() => {
      isAway = false
    })
    const { status, headers } = await get({ range: 'bytes=0-3' })
    assert.equal(status, 503)
    assert.equal(headers['cache-control'], 'no-store')
    for (const name of ['etag', 'accept-ranges', 'content-range']) assert.equal(headers[name], undefined, name)
  })

  test('takes any Accept', async () => {
    assert.equal((await get({ accept: 'image/avif,image/webp' })).status, 200)
  })

  test('whatever is asked, a range lies within the file', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'bytes=-,0123456789 '), maxLength: 30 }),
        fc.nat(1000),
        (header, size) => {
          const wanted = parseRange(header, size)
          if (wanted === null || wanted === 'unsatisfiable') return
          assert.ok(wanted.start >= 0 && wanted.start <= wanted.end && wanted.end < size, `${header} of ${size}`)
        },
      ),
    )
  })
})
