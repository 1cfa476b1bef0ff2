import assert from 'node:assert/strict'
import type { Adapters } from '../../src/adapters.ts'
import { readIntegrationSettings } from '../../src/integrations/index.ts'
import { type Consent, consent } from '../emulators/consent.ts'
import { type Emulators, startEmulators } from '../emulators/emulators.ts'
import { type TestApp, type TestUser, testApp, unique } from './app.ts'
import { freePort } from './free-port.ts'
import { noteSecret } from './suite-secrets.ts'

export const integrationsBase = '/assistant/v1/integrations'
/** Of the service under test, as providers would reach it. */
const publicUrl = 'https://atrium.example.com'

export type IntegrationLab = {
  app: TestApp
  emulators: Emulators
  /** Time passes here and at the providers. */
  advance(seconds: number): void
  close(): Promise<void>
}

/** The service over emulators of all providers, each with an OAuth app of the platform. `isListening`: they reach it, too. */
export async function integrationLab(
  overrides: Parameters<typeof testApp>[0] = {},
  { isListening = false, ...more }: { isListening?: boolean } & Pick<Adapters['integrations'], 'mailServers'> = {},
): Promise<IntegrationLab> {
  const onIssued = (text: string) =>
    noteSecret({ text, what: 'a code or token of a provider', issuedBy: 'an emulator' })
  // Where the service does not listen, webhooks come to its public address, which nobody else can reach.
  const post = async (url: string, { headers, body }: { headers: Record<string, string>; body: string }) =>
    (await app.call({ method: 'POST', url: pathOf(url), headers, body })).status
  const emulators = await startEmulators({ onIssued, ...(isListening ? {} : { post }) })
  await registerOwnApps(emulators)
  const port = isListening ? await freePort() : null
  const address = port === null ? {} : { publicUrl: `http://127.0.0.1:${port}` }
  const app: TestApp = await testApp({
    integrations: { ...emulatorSettings(emulators), ...address, ...more },
    ...overrides,
  })
  if (port !== null) await app.app.server.listen({ host: '127.0.0.1', port })
  return {
    app,
    emulators,
    advance: (seconds) => {
      app.clock.advance({ seconds })
      emulators.clock.advance(seconds)
    },
    close: async () => {
      if (isListening) await app.app.server.close()
      await emulators.close()
    },
  }
}

/** With client ids of their own: tests share a database, in which a grant is known by client and account. */
async function registerOwnApps({ origin, apps }: Emulators): Promise<void> {
  for (const [provider, app] of Object.entries(apps)) {
    app.clientId = unique(app.clientId)
    // Jira signs its deliveries with it.
    app.clientSecret = unique(app.clientSecret)
    const reply = await fetch(`${origin}/control/${provider}/app`, { method: 'PUT', body: JSON.stringify(app) })
    assert.ok(reply.ok, provider)
  }
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}

export function emulatorSettings(emulators: Emulators): Adapters['integrations'] {
  const endpoints = new Map(emulators.endpoints.split(',').map((pair) => pair.split('=') as [string, string]))
  return { ...readIntegrationSettings(JSON.stringify(emulators.apps), endpoints), publicUrl }
}

export type ConnectOptions = {
  provider: string
  features: string[]
  orgId?: string
  integrationId?: string
  returnTo?: string
  broker?: boolean
  consent?: Consent
}

type Call = TestApp['call']

/** Follows the way of a browser up to the provider's answer. */
export function connectSteps(call: Call, user: Pick<TestUser, 'headers'>) {
  const begin = async ({ provider, consent: _consent, ...body }: ConnectOptions) => {
    const reply = await call({
      method: 'POST',
      url: `${integrationsBase}/${provider}/connect`,
      headers: user.headers,
      body,
    })
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return reply.body.connect as { integrationId: string; startUrl: string; expiresAt: string }
  }
  /** The click on the page: where the browser goes, and its cookie. */
  const start = async (startUrl: string) => {
    const reply = await call({ method: 'POST', url: new URL(startUrl).pathname })
    assert.equal(reply.status, 303, JSON.stringify(reply.body))
    const cookie = String(reply.headers['set-cookie']).split(';')[0] ?? ''
    return { location: String(reply.headers['location']), cookie }
  }
  /** The provider's redirect, as the browser follows it. */
  const follow = async (answer: URL, cookie: string) =>
    call({ url: `${answer.pathname}${answer.search}`, headers: cookie === '' ? {} : { cookie } })
  const confirm = async (integrationId: string, confirmation: string) =>
    call({
      method: 'POST',
      url: `${integrationsBase}/${integrationId}/confirm`,
      headers: user.headers,
      body: { confirmation },
    })
  return { begin, start, follow, confirm }
}

/** Connects an account, as a user does who allows it. Returns the integration. */
export async function connectAccount(call: Call, user: Pick<TestUser, 'headers'>, options: ConnectOptions) {
  const steps = connectSteps(call, user)
  const { integrationId, startUrl } = await steps.begin(options)
  const { location, cookie } = await steps.start(startUrl)
  const returned = await steps.follow(await consent(location, options.consent), cookie)
  assert.equal(returned.status, 303, JSON.stringify(returned.body))
  const confirmation = new URL(String(returned.headers['location'])).searchParams.get('confirmation')
  assert.ok(confirmation, String(returned.headers['location']))
  const confirmed = await steps.confirm(integrationId, confirmation)
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body))
  return confirmed.body.integration
}

/** The user with a new access token, after time has passed. */
export async function loggedIn({ call }: Pick<TestApp, 'call'>, user: TestUser): Promise<TestUser> {
  const { email, password, headers } = user
  const { body } = await call({
    method: 'POST',
    url: '/vault/v1/auth/login',
    headers: { 'x-api-key': headers['x-api-key'] ?? '' },
    body: { email, password },
  })
  return {
    ...user,
    accessToken: body.accessToken,
    headers: { ...headers, authorization: `Bearer ${body.accessToken}` },
  }
}

/** Leaves a value in each sealed column of integrations. */
export async function sealGrants(): Promise<void> {
  const { app, emulators, close } = await integrationLab()
  const user = await app.user(await app.apiKey(await app.tenant()))
  await app.promote(user)
  const google = { provider: 'google', features: ['export'] }
  await connectAccount(app.call, user, google)
  const zoom = await connectAccount(app.call, user, { provider: 'zoom', features: ['transcripts'] })
  await app.call({ method: 'DELETE', url: `${integrationsBase}/${zoom.id}`, headers: user.headers })
  const steps = connectSteps(app.call, user)
  const { startUrl } = await steps.begin(google)
  const { location, cookie } = await steps.start(startUrl)
  await steps.follow(await consent(location), cookie)
  const body = emulators.apps.github
  await app.call({ method: 'PUT', url: `${integrationsBase}/apps/github`, headers: user.headers, body })
  await app.call({ method: 'PUT', url: '/admin/integrations/apps/github', headers: app.admin, body })
  await close()
}
