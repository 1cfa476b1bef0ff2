import type { Routes } from './call.ts'
import { emulatorClock } from './clock.ts'
import { controlRoutes } from './control.ts'
import { createDeliveries, type Deliveries, type PostDelivery } from './deliveries.ts'
import { type Emulator, type EmulatorClock, type ProviderName, providers, type World } from './emulator.ts'
import { emulatorMakers } from './emulator-makers.ts'
import { createFaults, type Faults } from './faults.ts'
import { createJournal, type Journal } from './journal.ts'
import { authorizePage } from './oauth/authorize-page.ts'
import type { Grant, Person } from './oauth/grant.ts'
import { signingKeys, type TokenCore, tokenCore } from './oauth/token-core.ts'
import { router } from './router.ts'
import { listen, type Target } from './server.ts'

export type OauthApp = { clientId: string; clientSecret: string }

export type Emulators = {
  origin: string
  /** The value of the setting `PROVIDER_ENDPOINTS`. */
  endpoints: string
  /** What the file that `OAUTH_APPS` names contains. */
  apps: Record<ProviderName, OauthApp>
  clock: EmulatorClock
  faults: Faults
  journal: Journal
  deliveries: Deliveries
  /** Does what `POST /control/:provider/:action` does. */
  control(provider: ProviderName, action: string, input?: Record<string, unknown>): unknown
  grants(provider: ProviderName): Grant[]
  /** Who has accounts there. */
  people(provider: ProviderName): Person[]
  /** Ends grants as their people do in the provider's settings. */
  revokeOutside(provider: ProviderName, accountId?: string): void
  /** An access token that the first person gave to the app, without a browser. */
  accessToken(provider: ProviderName, scopes: string[]): Promise<string>
  setExpiringTokens(provider: ProviderName, isOn: boolean): void
  close(): Promise<void>
}

export type Options = {
  port?: number
  /** Is told each code and token that is given out. */
  onIssued?: (secret: string) => void
  /** Takes the webhooks instead of the network. */
  post?: PostDelivery
}

/** All nine providers on one port of loopback; port 0 takes a free one. */
export async function startEmulators({ port = 0, onIssued = () => undefined, post }: Options = {}): Promise<Emulators> {
  const clock = emulatorClock()
  const faults = createFaults()
  const journal = createJournal()
  const deliveries = createDeliveries(clock, post)
  const jwks = await signingKeys()
  const parts = new Map<ProviderName, { emulator: Emulator; core: TokenCore }>()
  const owners = new Map<string, { provider: ProviderName | null; find: ReturnType<typeof router> }>()
  let last = 0
  const next = () => {
    last += 1
    return last
  }

  for (const name of providers) {
    const world: World = {
      clock,
      next,
      deliver: (delivery) => deliveries.add(delivery),
      appSecret: () => [...(parts.get(name)?.core.clients.values() ?? [])].at(-1)?.clientSecret ?? '',
      grantOf: (call) => {
        const token = /^Bearer (\S+)$/i.exec(call.headers.authorization ?? '')?.[1]
        return token === undefined ? null : (parts.get(name)?.core.grantOf(token) ?? null)
      },
    }
    const emulator = emulatorMakers[name](world)
    const core = tokenCore(emulator.oauth, { clock, jwks, onIssued })
    core.clients.set(appOf(name).clientId, appOf(name))
    parts.set(name, { emulator, core })
    const routes = { ...oauthRoutes(emulator, core), ...emulator.routes }
    const find = router(routes)
    for (const host of hostsOf(routes)) owners.set(host, { provider: name, find })
  }
  owners.set('control', {
    provider: null,
    find: router(controlRoutes({ emulators: parts, clock, faults, journal, deliveries })),
  })

  const find = (method: string, host: string, path: string): Target => {
    const owner = owners.get(host)
    return { provider: owner?.provider ?? null, match: owner?.find(method, host, path) ?? null }
  }
  const server = await listen({ port, clock, faults, journal, find })
  const coreOf = (name: ProviderName) => {
    const part = parts.get(name)
    if (part === undefined) throw new Error(`there is no emulator of ${name}`)
    return part
  }

  return {
    origin: server.origin,
    endpoints: providers.map((name) => `${name}=${server.origin}`).join(','),
    apps: Object.fromEntries(providers.map((name) => [name, appOf(name)])) as Record<ProviderName, OauthApp>,
    clock,
    faults,
    journal,
    deliveries,
    control: (provider, action, input = {}) => {
      const control = coreOf(provider).emulator.controls[action]
      if (control === undefined) throw new Error(`${provider} has no action ${action}`)
      return control(input)
    },
    grants: (provider) => coreOf(provider).core.grants(),
    people: (provider) => coreOf(provider).emulator.oauth.people,
    revokeOutside: (provider, accountId) => {
      const { core } = coreOf(provider)
      for (const grant of core.grants())
        if (accountId === undefined || grant.person.id === accountId) core.revokeGrant(grant.id)
    },
    accessToken: async (provider, scopes) => {
      const { emulator, core } = coreOf(provider)
      const [person] = emulator.oauth.people
      if (person === undefined) throw new Error(`nobody can sign in at ${provider}`)
      const request = { redirectUri: 'http://127.0.0.1/callback', person, scopes, asked: {} }
      return core.accessToken(request, appOf(provider))
    },
    setExpiringTokens: (provider, isOn) => {
      coreOf(provider).core.expiringTokens = isOn
    },
    close: () => server.close(),
  }
}

function appOf(name: ProviderName): OauthApp {
  return { clientId: `${name}-client`, clientSecret: `${name}-secret-of-the-emulators` }
}

function oauthRoutes({ name, oauth }: Emulator, core: TokenCore): Routes {
  const page = authorizePage(name, oauth, core)
  return {
    [`GET ${oauth.authorizeAt}`]: page.show,
    [`POST ${oauth.authorizeAt}`]: page.decide,
    [`POST ${oauth.tokenAt}`]: (call) => core.token(call),
    ...oauth.routes?.(core),
  }
}

function hostsOf(routes: Routes): Set<string> {
  return new Set(Object.keys(routes).map((key) => key.split(' ')[1]?.split('/')[0] ?? ''))
}
