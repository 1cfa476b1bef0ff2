// node bench/floors/validate.ts pool|pipelined joined|remembered: validation without a framework and without limits,
// over named statements. `joined` asks for API key, tenant and license in one statement; `remembered` holds the API
// keys in memory for ever and asks for the license alone, which is less than any server may do that hears of revocations.
import pg from 'pg'
import { type Asked, type Standing, serve } from './answer.ts'
import { readKeys } from './known-keys.ts'

type Row = Omit<Standing, 'products'> & { products?: string[] }
type Query = (statement: { name: string; text: string; values: unknown[] }) => Promise<{ rows: Row[] }>

const connectionsMax = 8
const pipelines = 2
const columns = `l.product, l.plan, l.max_uses as "maxUses", l.uses_count as "usesCount", l.expires_at as "expiresAt",
  l.revoked_at as "revokedAt"`

const connectionString = process.env['DATABASE_URL']
if (connectionString === undefined) throw new Error('Set DATABASE_URL.')
const [driver, keys] = process.argv.slice(2)
const query = driver === 'pipelined' ? await pipelined(connectionString) : pooled(connectionString)
serve(keys === 'remembered' ? await remembering(query, connectionString) : joining(query))

function pooled(url: string): Query {
  const pool = new pg.Pool({ connectionString: url, max: connectionsMax })
  return (statement) => pool.query<Row>(statement)
}

/** Statements go out without waiting for the answers to those before them, by turns over a few connections. */
async function pipelined(url: string): Promise<Query> {
  const clients = await Promise.all(
    Array.from({ length: pipelines }, async () => {
      const client = new pg.Client({ connectionString: url, pipeline: true } as pg.ClientConfig)
      await client.connect()
      return client
    }),
  )
  let next = 0
  return (statement) => (clients[next++ % pipelines] as pg.Client).query<Row>(statement)
}

function joining(ask: Query) {
  const text = `select k.products, ${columns} from api_keys k join tenants t on t.id = k.tenant_id
    left join licenses l on l.tenant_id = k.tenant_id and l.key_hash = $2
    where k.key_hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $3)
      and t.status = 'ACTIVE' and t.deleted_at is null`
  return async ({ apiKeyHash, licenseKeyHash }: Asked): Promise<Standing | null> => {
    const { rows } = await ask({ name: 'joined', text, values: [apiKeyHash, licenseKeyHash, new Date()] })
    const row = rows[0]
    if (row === undefined) throw new Error('Nobody holds this API key.')
    return row.product === null ? null : (row as Standing)
  }
}

async function remembering(ask: Query, url: string) {
  const holders = await readKeys(url)
  const text = `select ${columns} from licenses l where l.key_hash = $1 and l.tenant_id = $2`
  return async ({ apiKeyHash, licenseKeyHash }: Asked): Promise<Standing | null> => {
    const holder = holders.get(apiKeyHash.toString('hex'))
    if (holder === undefined) throw new Error('Nobody holds this API key.')
    const { rows } = await ask({ name: 'license', text, values: [licenseKeyHash, holder.tenantId] })
    return rows[0] === undefined ? null : { ...rows[0], products: holder.products }
  }
}
