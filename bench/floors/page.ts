// node bench/floors/page.ts: bare node:http over one named query by slug. Pages are answered as the service answers them;
// the table is its own, because what is stored there is the finished text: a floor parses and assembles nothing.
import { createServer } from 'node:http'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 8 })
const text = 'select body from bench_pages where slug = $1 and status = $2'
const prefix = '/pages/'

const server = createServer(async (request, response) => {
  const slug = (request.url ?? '').slice(prefix.length)
  const { rows } = await pool.query<{ body: string }>({ name: 'page', text, values: [slug, 'PUBLISHED'] })
  const body = rows[0]?.body
  response.statusCode = body === undefined ? 404 : 200
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(body)
})
server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
  console.log(`listens on http://127.0.0.1:${(server.address() as { port: number }).port}`)
})
process.on('SIGTERM', () => process.exit(0))
