import { randomBytes } from 'node:crypto'
import { unique } from '../../harness/app.ts'
import { type Answer, ask } from '../../harness/client.ts'
import { makeCustomer } from '../../harness/customer.ts'
import { startPostgresServer } from '../../harness/postgres-server.ts'
import { type Service, startService, temporaryFolder } from '../../harness/service.ts'
import type { Row } from '../row.ts'

export type Ground = { database: string; environment: Record<string, string> }

export async function onBothDatabases(run: (ground: Ground) => Promise<Row[]>): Promise<Row[]> {
  const server = await startPostgresServer()
  try {
    const embedded = await run({ database: 'embedded', environment: {} })
    return [...embedded, ...(await run({ database: 'PostgreSQL', environment: { DATABASE_URL: server.url } }))]
  } finally {
    await server.stop()
  }
}

export async function startTrialService(environment: Record<string, string>) {
  const adminKey = `atradmin_${randomBytes(24).toString('base64url')}`
  const service = await startService({
    DATA_DIR: await temporaryFolder(),
    MASTER_KEY: randomBytes(32).toString('hex'),
    ADMIN_KEY: adminKey,
    LOG_LEVEL: 'error',
    RATE_LIMIT_MAX: '1000000',
    ...environment,
  })
  return { service, admin: { 'x-admin-key': adminKey } }
}

export type Person = {
  headers: Record<string, string>
  orgId: string
  /** Addresses: of the organization, and of its documents. */
  org: string
  post: string
  validate(): Promise<Answer>
}

/** The owner of an organization, in a tenant of their own. */
export async function person({ base }: Service, admin: Record<string, string>): Promise<Person> {
  const limits = { maxDocuments: 100_000, maxStorageBytes: 50_000_000_000 }
  const customer = await makeCustomer({ base, admin, requestsPerWindow: 1_000_000, plan: 'ENTERPRISE', limits })
  const account = { email: `${unique('u')}@example.com`, password: 'plum-Kayak-73-otter' }
  const post = (path: string, headers: Record<string, string>, body: object) =>
    ask({ url: base + path, method: 'POST', headers, body })
  const { body: session } = await post('/vault/v1/auth/register', customer.headers, account)
  const headers = { authorization: `Bearer ${session.accessToken}` }
  const { body: made } = await post('/assistant/v1/orgs', headers, { name: 'Library' })
  const org = `${base}/assistant/v1/orgs/${made.org.id}`
  return { post: `${org}/documents`, headers, org, orgId: made.org.id, validate: () => customer.validate(base) }
}
