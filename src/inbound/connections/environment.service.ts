import type { Log } from '../../http/server-deps.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { type PlatformScope, scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Quotas } from '../../usage/index.ts'
import { type Channel, type SchemeName, type SchemeSettings, schemeNames } from '../scheme.ts'
import { overlapSecondsDefault, type Schemes, secretOrigins } from './connection.rules.ts'
import {
  type Candidate,
  insertConnection,
  listEnvironmentCandidates,
  markDeleted,
  replaceSecret,
  saveConnection,
} from './connection.store.ts'
import type { ConnectionSecrets } from './connection-secrets.ts'

/** What the environment says of providers (`INBOUND_SECRETS`, `INBOUND_TENANT`). */
export type EnvironmentSettings = {
  /** Slug or id of the tenant that they deliver to; null: the only one there is. */
  tenant: string | null
  /** By scheme its secret; of one that has none the application (`bot-framework`) or the topic (`sns`). */
  values: ReadonlyMap<string, string>
}

export type EnvironmentDeps = {
  clock: Clock
  log: Pick<Log, 'warn'>
  audit: Audit
  quotas: Quotas
  secrets: ConnectionSecrets
  schemes: Schemes
  environment: EnvironmentSettings
  /** The tenant of that slug or id, or the only one there is; null where there is none, or more than one. */
  soleTenant(platform: PlatformScope, named: string | null): Promise<string | null>
}

/** Not looked at again for so long: what others send must not become questions to the database. */
const settledSeconds = 60
/** Sooner while the tenant is missing: whoever has just made it tries the provider next, and few providers send a 401 again. */
const unservedSeconds = 2

export type EnvironmentConnections = ReturnType<typeof environmentService>

/**
 * The connections of an installation that serves one tenant: a provider delivers to the plain address, and its secret
 * stands in the environment. They are ordinary connections but for that, kept in step with the environment.
 */
export function environmentService(deps: EnvironmentDeps) {
  const { clock, secrets, schemes, environment, soleTenant } = deps
  const values = [...environment.values].map(([name, value]) => ({ scheme: schemeOf(name), value }))
  let settledUntilMs = 0
  let settling: Promise<void> | null = null
  let isServing = true

  /** Those that a delivery to the plain address of the channel may be of. */
  async function candidates(platform: PlatformScope, channel: Channel): Promise<Candidate[]> {
    if (!values.some(({ scheme }) => schemes[scheme]?.channel === channel)) return []
    if (clock.now().getTime() >= settledUntilMs) await settleOnce(platform)
    return (await listEnvironmentCandidates(platform)).filter((candidate) => candidate.channel === channel)
  }

  /** All who come meanwhile wait for the one that is under way. */
  function settleOnce(platform: PlatformScope): Promise<void> {
    settling ??= settle(platform).finally(() => {
      settling = null
    })
    return settling
  }

  /** Makes, changes and ends connections until they are what the environment says. Of no effect a second time. */
  async function settle(platform: PlatformScope): Promise<void> {
    const tenantId = values.length === 0 ? null : await soleTenant(platform, environment.tenant)
    tellWhetherServed(tenantId !== null || values.length === 0)
    const present = await listEnvironmentCandidates(platform)
    for (const candidate of present) {
      const isMeant = candidate.tenantId === tenantId && values.some(({ scheme }) => scheme === candidate.scheme)
      if (!isMeant) await transaction(scopeToTenant(platform, candidate.tenantId), (tx) => end(tx, candidate))
    }
    if (tenantId !== null)
      for (const { scheme, value } of values) {
        const there = present.find((candidate) => candidate.scheme === scheme && candidate.tenantId === tenantId)
        await transaction(scopeToTenant(platform, tenantId), (tx) =>
          there === undefined ? make(tx, { scheme, value }) : follow(tx, there, value),
        )
      }
    settledUntilMs = clock.now().getTime() + (isServing ? settledSeconds : unservedSeconds) * 1000
  }

  /** Providers are told nothing but 401, so without a word here nobody could find out. */
  function tellWhetherServed(isServed: boolean): void {
    if (isServing && !isServed)
      deps.log.warn(
        { inboundTenant: environment.tenant },
        environment.tenant === null
          ? 'INBOUND_SECRETS serve nobody: there are several tenants, and INBOUND_TENANT names none'
          : 'INBOUND_SECRETS serve nobody: there is no tenant that INBOUND_TENANT names',
      )
    isServing = isServed
  }

  async function make(tx: TenantScope, { scheme, value }: { scheme: SchemeName; value: string }): Promise<void> {
    await deps.quotas.hold(tx, null)
    const channel = schemes[scheme]?.channel
    if (channel === undefined) return
    const now = clock.now()
    const { settings, secret } = placedIn(scheme, value)
    const connection = {
      ...{ tenantId: tx.tenantId, id: newId(now), channel, scheme, settings, account: null, createdAt: now },
      ...{ name: `${scheme} of the environment`, status: 'active' as const, isEnvironment: true, updatedAt: now },
      ...{ hasSecret: secret !== null, previousUntil: null, lastSeenAt: null },
    }
    // Another node may have been first.
    const isNew = await insertConnection(tx, connection, secret === null ? null : secrets.seal(secret, connection))
    if (isNew) await note(tx, connection.id, 'create', { scheme })
  }

  /** The secret before this one holds for a day more, as after any rotation. */
  async function follow(tx: TenantScope, candidate: Candidate, value: string): Promise<void> {
    const now = clock.now()
    const { settings, secret } = placedIn(candidate.scheme, value)
    const present = candidate.secretSealed === null ? null : secrets.open(candidate.secretSealed, candidate)
    if (secret !== null && secret !== present) {
      const previousUntil = new Date(now.getTime() + overlapSecondsDefault * 1000)
      const secretSealed = secrets.seal(secret, candidate)
      await replaceSecret(tx, { id: candidate.id, secretSealed, previousUntil, now })
      await note(tx, candidate.id, 'rotate-secret', { overlapSeconds: overlapSecondsDefault })
    }
    if (secret === null && JSON.stringify(settings) !== JSON.stringify(candidate.settings)) {
      await saveConnection(tx, { ...candidate, settings, updatedAt: now })
      await note(tx, candidate.id, 'update', { fields: ['settings'] })
    }
  }

  async function end(tx: TenantScope, { id }: Candidate): Promise<void> {
    await markDeleted(tx, id, clock.now())
    await note(tx, id, 'delete')
  }

  function note(tx: TenantScope, id: string, action: string, changes: object = {}): Promise<void> {
    const target = { type: 'webhook_connection', id }
    return deps.audit(tx, {
      action: `webhook.connection.${action}`,
      target,
      changes: { ...changes, by: 'environment' },
    })
  }

  return { candidates, settle }
}

function schemeOf(name: string): SchemeName {
  const scheme = schemeNames.find((known) => known === name)
  if (scheme !== undefined) return scheme
  throw new Error(`INBOUND_SECRETS names ${name}, and the schemes are ${schemeNames.join(', ')}.`)
}

/** Where a scheme has what the environment says of it. */
function placedIn(scheme: SchemeName, value: string): { settings: SchemeSettings; secret: string | null } {
  if (secretOrigins[scheme] !== 'NONE') return { settings: {}, secret: value }
  return { settings: scheme === 'sns' ? { topicArns: value.split(' ') } : { appId: value }, secret: null }
}
