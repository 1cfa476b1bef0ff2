// What all floors share: the least that a server must do to answer the question of `POST .../licenses/validate`.
import { hash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Standing = {
  product: string
  plan: string
  maxUses: number | null
  usesCount: number
  expiresAt: Date | null
  revokedAt: Date | null
  products: string[]
}

export type Asked = { apiKeyHash: Buffer; licenseKeyHash: Buffer }

/** A server without a framework: reads JSON, hashes both keys, asks `find`, answers as the service does, byte for byte. */
export function serve(find: (asked: Asked) => Promise<Standing | null>): void {
  const server = createServer((request, response) => {
    answer(request, find).then(
      (text) => {
        response.writeHead(200, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(text),
        })
        response.end(text)
      },
      (error: unknown) => {
        console.error(error)
        response.writeHead(500, { 'content-length': 0 }).end()
      },
    )
  })
  server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
    console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
  process.on('SIGTERM', () => process.exit(0))
}

async function answer(request: IncomingMessage, find: (asked: Asked) => Promise<Standing | null>): Promise<string> {
  const apiKey = request.headers['x-api-key']
  const { licenseKey } = JSON.parse(await readBody(request)) as { licenseKey?: unknown }
  if (typeof apiKey !== 'string' || typeof licenseKey !== 'string') throw new Error('A key is missing.')
  const standing = await find({ apiKeyHash: sha256(apiKey), licenseKeyHash: sha256(licenseKey) })
  return JSON.stringify(validationAnswer(standing))
}

function readBody(request: IncomingMessage): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => resolve(Buffer.concat(chunks).toString()))
  request.on('error', reject)
  return promise
}

function sha256(text: string): Buffer {
  return Buffer.from(hash('sha256', text), 'hex')
}

function validationAnswer(standing: Standing | null) {
  if (standing === null) return { valid: false, code: 'NOT_FOUND', plan: null, usesRemaining: 0, expiresAt: null }
  const { plan, maxUses, usesCount, expiresAt, revokedAt, products, product } = standing
  const usesRemaining = maxUses === null ? null : Math.max(0, maxUses - usesCount)
  const isGood = revokedAt === null && (expiresAt === null || expiresAt > new Date()) && products.includes(product)
  // The bench asks only for good ones; what else a license can be is not the floor's business.
  if (!isGood) throw new Error('The floor was asked for a license that is not good.')
  return { valid: true, code: 'VALID', plan, usesRemaining, expiresAt: expiresAt?.toISOString() ?? null }
}
