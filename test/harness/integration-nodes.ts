import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Emulators, startEmulators } from '../emulators/emulators.ts'
import { unique } from './app.ts'
import { botKeysEnvironment } from './bot-keys.ts'
import { type Answer, ask } from './client.ts'
import { startCluster } from './cluster.ts'
import { makeCustomer } from './customer.ts'
import { createMigratedDatabase } from './database.ts'
import { integrationsBase as base, type ConnectOptions, connectAccount } from './integrations.ts'
import { startPostgresServer } from './postgres-server.ts'
import { temporaryFolder } from './service.ts'

type Webhook = { headers: Record<string, string>; body: string }
type Request = { url: string; method?: string; headers?: Record<string, string>; body?: unknown; bytes?: Buffer }

/**
 * Real processes over one PostgreSQL and emulators of all providers, and one organization whose owner is signed in and an
 * administrator of the tenant.
 */
export type IntegrationNodes = {
  emulators: Emulators
  orgId: string
  headers(): Record<string, string>
  /** One request to a node that runs. Waits where none does. */
  call(request: Request): Promise<Answer>
  /** The same as the owner, repeated until it is answered. The request must be one that may be repeated. */
  own(method: string, url: string, body?: object): Promise<Answer>
  /** A webhook, sent again until a node answers, as providers do. Gives the status. */
  deliver(path: string, request: Webhook): Promise<number>
  login(): Promise<void>
  /** Connects an account for the organization. Gives the integration's id. */
  connect(options: Omit<ConnectOptions, 'orgId'>): Promise<string>
  kill(which: readonly number[]): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

const answerMsMax = 60_000

export async function integrationNodes(count: number): Promise<IntegrationNodes> {
  // It ends with this process, which drops the database before.
  const server = await startPostgresServer()
  process.env['TEST_DATABASE_URL'] = server.url
  // Webhooks come to the public address, which nobody else can reach. Slack sends them again, and trackers may lose them.
  const post = async (url: string, request: Webhook) => {
    const { pathname, search } = new URL(url)
    if (request.headers['x-slack-signature'] !== undefined) return deliver(pathname + search, request)
    const node = running[0]
    if (node === undefined) return 503
    return (await fetch(cluster.nodes[node]?.base + pathname + search, { method: 'POST', ...request })).status
  }
  const emulators = await startEmulators({ post: (url, request) => post(url, request).catch(() => 503) })
  const apps = join(await temporaryFolder(), 'apps.json')
  await writeFile(apps, JSON.stringify(emulators.apps))
  const environment = {
    OAUTH_APPS: apps,
    PROVIDER_ENDPOINTS: emulators.endpoints,
    PUBLIC_URL: 'https://atrium.example.com',
    LOG_LEVEL: 'error',
    ...botKeysEnvironment(),
  }
  const cluster = await startCluster({ nodes: count, databaseUrl: await createMigratedDatabase(), environment })
  let running = cluster.nodes.map((_, index) => index)
  let turn = 0

  async function call({ url, ...request }: Request): Promise<Answer> {
    while (running.length === 0) await delay(50)
    turn += 1
    const node = cluster.nodes[running[turn % running.length] as number]
    return ask({ ...request, url: node?.base + url })
  }

  const { headers: key } = await makeCustomer({
    base: cluster.nodes[0]?.base ?? '',
    admin: cluster.admin,
    // Trials make more meetings than the other plans allow.
    plan: 'ENTERPRISE',
    limits: { maxIntegrations: 100 },
  })
  const account = { email: `${unique('u')}@example.com`, password: 'plum-Kayak-73-otter' }
  let headers: Record<string, string> = {}
  const enter = async (path: string) => {
    const { status, body } = await call({ method: 'POST', url: path, headers: key, body: account })
    assert.ok(status < 300, JSON.stringify(body))
    headers = { ...key, authorization: `Bearer ${body.accessToken}` }
  }

  async function untilAnswered(send: () => Promise<Answer>): Promise<Answer> {
    const until = performance.now() + answerMsMax
    for (;;) {
      const answer = await send()
      if (answer.status > 0 && answer.status < 500) return answer
      if (performance.now() > until) throw new Error(JSON.stringify(answer))
      await delay(100)
    }
  }

  const own = (method: string, url: string, body?: object) =>
    untilAnswered(() => call({ method, url, headers, ...(body === undefined ? {} : { body }) }))

  async function deliver(url: string, webhook: Webhook): Promise<number> {
    const bytes = Buffer.from(webhook.body)
    const answer = await untilAnswered(() => call({ method: 'POST', url, headers: webhook.headers, bytes }))
    return answer.status
  }

  await enter('/vault/v1/auth/register')
  const { body: me } = await own('GET', '/vault/v1/auth/me')
  const role = { method: 'PATCH', headers: cluster.admin, body: { role: 'ADMIN' } }
  assert.equal((await call({ url: `/admin/users/${me.user.id}`, ...role })).status, 200)
  const orgId: string = (await own('POST', '/assistant/v1/orgs', { name: 'Example' })).body.org.id

  return {
    emulators,
    orgId,
    headers: () => headers,
    call,
    own,
    deliver,
    login: () => enter('/vault/v1/auth/login'),
    connect: async (options) => {
      const integration = await connectAccount(call as never, { headers }, { ...options, orgId })
      if (integration.status !== 'choosing') return integration.id
      await own('POST', `${base}/${integration.id}/account`, { accountId: integration.choices[0].id })
      return integration.id
    },
    kill: async (which) => {
      running = running.filter((index) => !which.includes(index))
      await Promise.all(which.map((index) => cluster.nodes[index]?.stop('SIGKILL')))
    },
    start: async () => {
      const down = cluster.nodes.map((_, index) => index).filter((index) => !running.includes(index))
      await Promise.all(down.map((index) => cluster.nodes[index]?.start()))
      running = cluster.nodes.map((_, index) => index)
    },
    close: async () => {
      await cluster.stop()
      await emulators.close()
    },
  }
}
