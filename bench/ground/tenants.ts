import type { Program } from '../program.ts'
import { ask } from './ask.ts'
import { adminKey } from './service.ts'

const headers = { 'x-admin-key': adminKey }

/** Returns its id. */
export async function makeTenant(program: Program, slug: string): Promise<string> {
  const body = { name: 'Bench', slug, contactEmail: 'ops@bench.example' }
  const made = (await ask(program, { path: '/admin/tenants', headers, body })) as { tenant: { id: string } }
  return made.tenant.id
}

/** Returns the key. */
export async function makeApiKey(program: Program, tenantId: string, products: string[]): Promise<string> {
  const path = `/admin/tenants/${tenantId}/api-keys`
  const made = await ask(program, { path, headers, body: { name: 'app', products } })
  return (made as { apiKey: { key: string } }).apiKey.key
}
