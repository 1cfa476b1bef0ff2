import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { S3Settings } from '../../src/storage/blobs/s3.ts'
import { freePort } from './free-port.ts'
import { isSigned } from './s3-signature.ts'

type StoredObject = { bytes: Buffer; headers: Record<string, string>; modifiedAt: Date }
type Objects = Map<string, StoredObject>
type Exchange = { request: IncomingMessage; response: ServerResponse; url: URL; objects: Objects }

/** Small, so that the tests see a list of several pages. */
const pageLength = 5

/**
 * A store that speaks as much S3 as blobs need, on loopback, in this process, with one bucket. It checks the signature
 * (version 4) of every request. What it holds stays over `restart`.
 */
export async function startS3Server(): Promise<S3Settings & { stop(): Promise<void>; restart(): Promise<void> }> {
  const port = await freePort()
  const account = { region: 'us-east-1', accessKeyId: 'TESTS', secretAccessKey: 'secret-of-the-tests' }
  const bucket = 'atrium'
  const objects: Objects = new Map()

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', `http://127.0.0.1:${port}`)
    const body = await buffer(request)
    if (!isSigned({ request, url, body, account })) return refuse(response, 403, 'SignatureDoesNotMatch')
    const [, asked, ...key] = url.pathname.split('/')
    if (asked !== bucket) return refuse(response, 404, 'NoSuchBucket')
    const exchange = { request, response, url, objects }
    if (key.join('/') === '') list(exchange)
    else handle(exchange, decodeURIComponent(key.join('/')), body)
  }
  const start = async () => {
    const server = createServer((request, response) => {
      answer(request, response).catch(() => response.destroy())
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return server
  }
  let server: Awaited<ReturnType<typeof start>> | null = await start()
  const stop = async () => {
    server?.closeAllConnections()
    await server?.[Symbol.asyncDispose]()
    server = null
  }
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    ...account,
    stop,
    restart: async () => {
      await stop()
      server = await start()
    },
  }
}

function handle({ request, response, objects }: Exchange, key: string, body: Buffer): void {
  const { method, headers } = request
  const found = objects.get(key)
  if (method === 'PUT') {
    const kept = { 'content-type': headers['content-type'] ?? '', 'cache-control': headers['cache-control'] ?? '' }
    objects.set(key, { bytes: body, headers: kept, modifiedAt: new Date() })
    response.setHeader('etag', `"${createHash('md5').update(body).digest('hex')}"`).end()
  } else if (method === 'DELETE') {
    objects.delete(key)
    response.writeHead(204).end()
  } else if (found === undefined) refuse(response, 404, 'NoSuchKey')
  else send(response, found, headers.range)
}

/** The body of an answer to HEAD is left out by Node itself. */
function send(response: ServerResponse, { bytes, headers, modifiedAt }: StoredObject, range: string | undefined): void {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  const part = start === undefined ? bytes : bytes.subarray(Number(start), Number(end) + 1)
  if (start !== undefined) {
    response.statusCode = 206
    response.setHeader('content-range', `bytes ${start}-${Number(start) + part.length - 1}/${bytes.length}`)
  }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.setHeader('last-modified', modifiedAt.toUTCString()).setHeader('content-length', part.length).end(part)
}

function list({ response, url, objects }: Exchange): void {
  const [prefix, after] = ['prefix', 'continuation-token'].map((name) => url.searchParams.get(name) ?? '')
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix ?? '') && key > (after ?? '')).sort()
  const page = keys.slice(0, pageLength)
  const contents = page.map((key) => {
    const { bytes, modifiedAt } = objects.get(key) as StoredObject
    return `<Contents><Key>${key}</Key><LastModified>${modifiedAt.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`
  })
  const next = keys.length > page.length ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
  const isTruncated = `<IsTruncated>${next !== ''}</IsTruncated>`
  xml(response, 200, `<ListBucketResult>${isTruncated}${contents.join('')}${next}</ListBucketResult>`)
}

function refuse(response: ServerResponse, status: number, code: string): void {
  xml(response, status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}

function xml(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${text}`)
}
