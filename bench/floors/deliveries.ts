// node bench/floors/deliveries.ts: bare node:http that reads a body, checks one HMAC with the secret of $SECRET and
// inserts one row by a named statement, which finds a copy by its key. What a delivery leads to is nobody's business here.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 8 })
await pool.query(`create table bench_deliveries (id bigserial primary key, key text not null unique, received_at timestamptz not null,
  headers jsonb not null, body bytea not null, sha256 bytea not null)`)
const inserting = `insert into bench_deliveries (key, received_at, headers, body, sha256) values ($1, $2, $3, $4, $5)
  on conflict (key) do nothing returning id`

const secret = process.env['SECRET'] ?? ''

async function receive(request: IncomingMessage): Promise<{ status: number; text: string }> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const given = Buffer.from(String(request.headers['x-hub-signature-256']))
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return { status: 401, text: '{}' }
  const key = String(request.headers['x-github-delivery'])
  const kept = JSON.stringify({ 'x-github-event': request.headers['x-github-event'], 'x-github-delivery': key })
  const values = [key, new Date(), kept, body, createHash('sha256').update(body).digest()]
  const { rowCount } = await pool.query({ name: 'insert', text: inserting, values })
  return { status: 200, text: JSON.stringify({ status: rowCount === 0 ? 'duplicate' : 'accepted' }) }
}

const server = createServer(async (request, response) => {
  const { status, text } = await receive(request)
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': text.length })
  response.end(text)
})
server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
  console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.on('SIGTERM', () => process.exit(0))
