// node bench/floors/consume.ts: one plain guarded update a request, over a pool of 8; API keys are remembered for ever.
import pg from 'pg'
import { type Asked, type Standing, serve } from './answer.ts'
import { readKeys } from './known-keys.ts'
import { plainUse } from './plain-use.ts'

const connectionString = process.env['DATABASE_URL']
if (connectionString === undefined) throw new Error('Set DATABASE_URL.')
const holders = await readKeys(connectionString)
const pool = new pg.Pool({ connectionString, max: 8 })

serve(async ({ apiKeyHash, licenseKeyHash }: Asked): Promise<Standing | null> => {
  const holder = holders.get(apiKeyHash.toString('hex'))
  if (holder === undefined) throw new Error('Nobody holds this API key.')
  const row = await plainUse(pool, { tenantId: holder.tenantId, licenseKeyHash })
  return row === null ? null : { ...row, products: holder.products }
})
