import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { invalidField, notFound } from '../../kernel/refusal.ts'
import { type AppSettings, settingsProblem } from '../../providers/app-settings.ts'
import { type ClientCredentials, type ProviderName, providerNames } from '../../providers/provider.ts'
import { type PlatformScope, type Scope, type TenantScope, transaction } from '../../storage/scope.ts'
import type { GrantSecrets } from '../sealed-grants.ts'
import {
  deleteOwnApp,
  deletePlatformApp,
  findOwnApp,
  findPlatformApp,
  listOwnApps,
  listPlatformApps,
  type StoredApp,
  saveOwnApp,
  savePlatformApp,
} from './app.store.ts'
import type { InstalledApp } from './oauth-apps-file.ts'

/** The OAuth app that a request to a provider is made with. */
export type OAuthApp = ClientCredentials & { settings: AppSettings; kind: 'own' | 'platform' }

export type NewApp = { clientId: string; clientSecret: string; settings?: AppSettings }

export type AppDeps = {
  clock: Clock
  audit: Audit
  secrets: GrantSecrets
  /** Of the file OAUTH_APPS. */
  installed: ReadonlyMap<ProviderName, InstalledApp>
  /** The grants of another client are dead: their users have to allow the access again. */
  endGrantsOfOtherClients(tx: Scope, app: { provider: ProviderName; clientId: string | null }): Promise<void>
}

export type OAuthApps = ReturnType<typeof oauthApps>

/** The OAuth apps: a tenant's own goes before the platform's, and what administrators set before the file. */
export function oauthApps({ clock, audit, secrets, installed, endGrantsOfOtherClients }: AppDeps) {
  const opened = (app: StoredApp, tenantId: string | null): OAuthApp => ({
    clientId: app.clientId,
    clientSecret: secrets.openApp(app.clientSecretSealed, { tenantId, provider: app.provider }),
    settings: app.settings,
    kind: tenantId === null ? 'platform' : 'own',
  })

  /** Null: the provider is not configured. */
  async function find(scope: TenantScope, provider: ProviderName): Promise<OAuthApp | null> {
    const own = await findOwnApp(scope, provider)
    if (own !== null) return opened(own, scope.tenantId)
    return findShared(scope, provider)
  }

  async function findShared(scope: Scope, provider: ProviderName): Promise<OAuthApp | null> {
    const stored = await findPlatformApp(scope, provider)
    if (stored !== null) return opened(stored, null)
    const fromFile = installed.get(provider)
    return fromFile === undefined ? null : { ...fromFile, kind: 'platform' }
  }

  async function configured(scope: TenantScope): Promise<ReadonlySet<ProviderName>> {
    const stored = [...(await listOwnApps(scope)), ...(await listPlatformApps(scope))]
    return new Set([...stored.map(({ provider }) => provider), ...installed.keys()])
  }

  function toStored(provider: ProviderName, body: NewApp, tenantId: string | null): StoredApp {
    const settings = body.settings ?? {}
    const problem = settingsProblem(provider, settings)
    if (problem !== null) throw invalidField('/body/settings', { code: 'invalid', message: problem })
    const now = clock.now()
    const clientSecretSealed = secrets.sealApp(body.clientSecret, { tenantId, provider })
    return { provider, clientId: body.clientId, clientSecretSealed, settings, createdAt: now, updatedAt: now }
  }

  const target = (provider: ProviderName) => ({ type: 'integration_app', id: provider })

  /** Refuses VALIDATION_ERROR. */
  const putOwn = (scope: TenantScope, provider: ProviderName, body: NewApp): Promise<StoredApp> =>
    transaction(scope, async (tx) => {
      await saveOwnApp(tx, toStored(provider, body, tx.tenantId))
      await audit(tx, { action: 'integration.app.set', target: target(provider), changes: { clientId: body.clientId } })
      await endGrantsOfOtherClients(tx, { provider, clientId: body.clientId })
      return requireApp(await findOwnApp(tx, provider))
    })

  /** Refuses NOT_FOUND. */
  const removeOwn = (scope: TenantScope, provider: ProviderName): Promise<void> =>
    transaction(scope, async (tx) => {
      if ((await deleteOwnApp(tx, provider)) === 0) throw notFound()
      await audit(tx, { action: 'integration.app.remove', target: target(provider) })
      const shared = await findShared(tx, provider)
      await endGrantsOfOtherClients(tx, { provider, clientId: shared?.clientId ?? null })
    })

  const putPlatform = (platform: PlatformScope, provider: ProviderName, body: NewApp): Promise<StoredApp> =>
    transaction(platform, async (tx) => {
      await savePlatformApp(tx, toStored(provider, body, null))
      await audit(tx, { action: 'integration.app.set', target: target(provider), changes: { clientId: body.clientId } })
      await endGrantsOfOtherClients(tx, { provider, clientId: body.clientId })
      return requireApp(await findPlatformApp(tx, provider))
    })

  const removePlatform = (platform: PlatformScope, provider: ProviderName): Promise<void> =>
    transaction(platform, async (tx) => {
      if ((await deletePlatformApp(tx, provider)) === 0) throw notFound()
      await audit(tx, { action: 'integration.app.remove', target: target(provider) })
      await endGrantsOfOtherClients(tx, { provider, clientId: installed.get(provider)?.clientId ?? null })
    })

  return {
    find,
    configured,
    listOwn: listOwnApps,
    listPlatform: listPlatformApps,
    putOwn,
    removeOwn,
    putPlatform,
    removePlatform,
  }
}

function requireApp(app: StoredApp | null): StoredApp {
  if (app === null) throw notFound()
  return app
}

/** The provider that a path names. Refuses NOT_FOUND. */
export function requireProvider(word: string): ProviderName {
  const name = providerNames.find((known) => known === word)
  if (name === undefined) throw notFound()
  return name
}
