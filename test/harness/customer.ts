import assert from 'node:assert/strict'
import { unique } from './app.ts'
import { type Answer, ask } from './client.ts'

/** A tenant with a key, a license and a person, made through a running service. */
export type Customer = {
  tenantId: string
  apiKeyId: string
  headers: Record<string, string>
  licenseKey: string
  /** Takes one use, from whichever node. */
  consume(base: string, idempotencyKey?: string): Promise<Answer>
  /** A hot read: authenticates, and looks at the license. */
  validate(base: string): Promise<Answer>
}

export type CustomerOptions = {
  base: string
  admin: Record<string, string>
  maxUses?: number
  /** Null: the service's own. */
  requestsPerWindow?: number | null
  /** Of the license for `assistant-ai`. */
  plan?: string
  /** Further limits of the tenant. */
  limits?: Record<string, number>
}

export async function makeCustomer(options: CustomerOptions): Promise<Customer> {
  const {
    base,
    admin,
    maxUses = 1_000_000,
    requestsPerWindow = 1_000_000,
    plan = 'STARTER',
    limits: others = {},
  } = options
  const make = async (path: string, body: unknown) => {
    const answer = await ask({ url: base + path, method: 'POST', headers: admin, body })
    assert.equal(answer.status, 201, `${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const slug = unique('c')
  const limits = { ...others, ...(requestsPerWindow === null ? {} : { requestsPerWindow }) }
  const contactEmail = `ops@${slug}.example.com`
  const { tenant } = await make('/admin/tenants', { name: slug, slug, contactEmail, limits })
  const products = ['assistant-ai', 'vault-vpn']
  const { apiKey } = await make(`/admin/tenants/${tenant.id}/api-keys`, { name: 'app', products })
  const of = { tenantId: tenant.id, product: 'assistant-ai', plan, maxUses }
  const { license } = await make('/vault/v1/licenses', of)
  const headers = { 'x-api-key': apiKey.key }
  const judge = (at: string, body: object, more: Record<string, string> = {}) =>
    ask({
      url: `${at}/vault/v1/licenses/validate`,
      method: 'POST',
      headers: { ...headers, ...more },
      body: { licenseKey: license.key, ...body },
    })
  return {
    tenantId: tenant.id,
    apiKeyId: apiKey.id,
    headers,
    licenseKey: license.key,
    consume: (at, key) => judge(at, { consume: true }, key === undefined ? {} : { 'idempotency-key': key }),
    validate: (at) => judge(at, {}),
  }
}
