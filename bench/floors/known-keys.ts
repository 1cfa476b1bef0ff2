import pg from 'pg'

export type KeyHolder = { tenantId: string; products: string[] }

/** The API keys as a server remembers them that never hears of a revocation. */
export async function readKeys(connectionString: string): Promise<Map<string, KeyHolder>> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query<KeyHolder & { keyHash: string }>(
    `select encode(key_hash, 'hex') as "keyHash", tenant_id as "tenantId", products from api_keys`,
  )
  await client.end()
  return new Map(rows.map(({ keyHash, ...holder }) => [keyHash, holder]))
}
