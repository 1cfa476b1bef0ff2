import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { openConnection, readAnswer, requestBytes } from './connection.ts'

const answered = Buffer.from('HTTP/1.1 201 Created\r\nContent-Length: 4\r\nx: y\r\n\r\nbody')

test('an answer is read when all of it is there, wherever the network cut it', () => {
  for (let bytes = 0; bytes < answered.length; bytes++) assert.equal(readAnswer(answered.subarray(0, bytes)), null)
  assert.deepEqual(readAnswer(answered), { status: 201, headBytes: answered.length - 4, bodyBytes: 4 })
})

test('an answer whose length is not told stops the bench, except where there is never a body', () => {
  assert.throws(
    () => readAnswer(Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')),
    /Content-Length/,
  )
  assert.equal(readAnswer(Buffer.from('HTTP/1.1 204 No Content\r\n\r\n'))?.status, 204)
})

test('requests on a kept connection are what a server of Node reads, and a closed connection fails the next', async () => {
  const seen: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    seen.push(`${request.method} ${request.url} ${request.headers['x-api-key']} ${body}`)
    response.writeHead(200, { 'content-length': 2 }).end('ok')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const connection = await openConnection({ host: '127.0.0.1', port })
  const request = requestBytes(
    { method: 'POST', path: '/a?b=c', headers: { 'x-api-key': 'k' }, body: { ä: 1 } },
    'localhost',
  )
  for (let sent = 0; sent < 2; sent++) assert.equal((await connection.send(request)).status, 200)
  assert.deepEqual(seen, ['POST /a?b=c k {"ä":1}', 'POST /a?b=c k {"ä":1}'])
  server.closeAllConnections()
  server.close()
  await assert.rejects(connection.send(request), /closed|ECONNRESET|EPIPE/)
})
