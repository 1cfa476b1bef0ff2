// node bench/floors/meetings.ts: bare node:http over one named statement a request, without asking who calls. Entries are
// written to a table of its own; a meeting is read with the service's own rows; a list is made of finished texts.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import type { SpokenEntry } from '../ground/meetings.ts'
import { pageSize } from '../ground/seed.ts'

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 8 })

const inserting = `insert into bench_entries (speaker, text, at) select * from unnest($1::text[], $2::text[], $3::text[])`
const reading = `select m.body, (select json_agg(json_build_object('seq', seq, 'speaker', speaker, 'text', text,
      'timestamp', to_char(offset_seconds * interval '1 second', 'HH24:MI:SS'), 'offsetMs', (offset_seconds * 1000)::int,
      'segmentId', segment_id) order by seq)
    from transcript_entries e where e.meeting_id = m.id) as transcript
  from bench_meetings m where m.id = $1`
const listing = `select body, count(*) over ()::int as total from bench_meetings order by id desc limit ${pageSize}`

async function append(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { entries } = JSON.parse(Buffer.concat(chunks).toString()) as { entries: SpokenEntry[] }
  const column = (name: keyof SpokenEntry) => entries.map((entry) => entry[name])
  const values = [column('speaker'), column('text'), column('timestamp')]
  const { rowCount } = await pool.query({ name: 'insert', text: inserting, values })
  return JSON.stringify({ added: rowCount })
}

async function read(id: string): Promise<string> {
  const { rows } = await pool.query<{ body: string; transcript: SpokenEntry[] }>({
    name: 'read',
    text: reading,
    values: [id],
  })
  const [row] = rows
  return JSON.stringify({ ...JSON.parse(row?.body ?? '{}'), transcript: row?.transcript, transcriptTruncated: false })
}

async function list(): Promise<string> {
  const { rows } = await pool.query<{ body: string; total: number }>({ name: 'list', text: listing })
  const total = rows[0]?.total ?? 0
  const pagination = { page: 1, limit: pageSize, total, totalPages: Math.ceil(total / pageSize) }
  return `{"meetings":[${rows.map(({ body }) => body).join()}],"pagination":${JSON.stringify(pagination)}}`
}

const server = createServer(async (request, response) => {
  const id = request.url?.split('/')[2]
  const text = await (request.method === 'POST' ? append(request) : id === undefined ? list() : read(id))
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
})
server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
  console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.on('SIGTERM', () => process.exit(0))
