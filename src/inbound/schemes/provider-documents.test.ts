import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { certificateBytesMax, metadataBytesMax, providerDocuments } from './provider-documents.ts'

describe('what is fetched from a provider', () => {
  const asked: string[] = []
  const pages: Record<string, RequestListener> = {
    '/ok': (_, reply) => reply.end('a certificate'),
    '/elsewhere': (_, reply) => reply.writeHead(302, { location: '/ok' }).end(),
    '/absent': (_, reply) => reply.writeHead(404).end('none'),
    '/broken': (_, reply) => reply.writeHead(503).end(),
    '/busy': (_, reply) => reply.writeHead(429).end(),
    '/full': (_, reply) => reply.end('x'.repeat(certificateBytesMax)),
    '/large': (_, reply) => reply.end('x'.repeat(certificateBytesMax + 1)),
    '/packed': (_, reply) => reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(10_000_000))),
    '/endless': (_, reply) => {
      const more = () => {
        while (reply.write('x'.repeat(65_536)));
        reply.once('drain', more)
      }
      more()
    },
    '/silent': () => undefined,
    '/stuck': (_, reply) => void reply.writeHead(200).write('half of it'),
  }
  const server = createServer((request, reply) => {
    asked.push(request.url ?? '')
    pages[request.url ?? '']?.(request, reply)
  })
  before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  const documents = providerDocuments()
  const get = (path: string, signal = new AbortController().signal) =>
    documents.fetchCertificate(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, signal)

  test('is the text of the answer, up to the limit', async () => {
    assert.equal(await get('/ok'), 'a certificate')
    assert.equal((await get('/full'))?.length, certificateBytesMax)
    assert.ok(metadataBytesMax > certificateBytesMax)
  })

  for (const path of ['/elsewhere', '/absent', '/large', '/packed', '/endless'])
    test(`is nothing where the answer is ${path.slice(1)}`, async () => assert.equal(await get(path), null))

  for (const path of ['/broken', '/busy'])
    test(`is left open where the provider is ${path.slice(1)}`, async () => void (await assert.rejects(get(path))))

  test('comes from the address alone: a redirect is not followed', async () => {
    asked.length = 0
    await get('/elsewhere')
    assert.deepEqual(asked, ['/elsewhere'])
  })

  for (const path of ['/silent', '/stuck'])
    test(`is given up after a while where the provider is ${path.slice(1)}`, async () => {
      const { port } = server.address() as AddressInfo
      const hasty = providerDocuments({ timeoutMs: 50 })
      await assert.rejects(hasty.fetchMetadata(`http://127.0.0.1:${port}${path}`, new AbortController().signal))
    })

  for (const path of ['/silent', '/stuck'])
    test(`is given up with the caller's signal where the provider is ${path.slice(1)}`, async () => {
      const caller = new AbortController()
      const answer = get(path, caller.signal)
      caller.abort()
      await assert.rejects(answer)
    })
})
