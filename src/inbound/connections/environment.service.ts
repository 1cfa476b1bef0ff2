import type { Log } from '../../http/server-deps.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { EventBus } from '../../storage/events.ts'
import { type PlatformScope, scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Quotas } from '../../usage/index.ts'
import { type Channel, type SchemeName, type SchemeSettings, schemeNames } from '../scheme.ts'
import { type Connection, overlapSecondsDefault, type Schemes, secretOrigins } from './connection.rules.ts'
import {
  type Candidate,
  insertConnection,
  listEnvironmentCandidates,
  markDeleted,
  replaceSecret,
  saveConnection,
} from './connection.store.ts'
import type { ConnectionSecrets } from './connection-secrets.ts'

/** The settings `INBOUND_SECRETS` and `INBOUND_TENANT`. */
export type EnvironmentSettings = {
  /** Slug or id of the tenant that receives the deliveries; null: the only tenant there is. */
  tenant: string | null
  /** The secret of each scheme; for one without a secret the application (`bot-framework`) or the topics (`sns`). */
  values: ReadonlyMap<string, string>
}

export type EnvironmentDeps = {
  platform: PlatformScope
  clock: Clock
  log: Pick<Log, 'warn'>
  events: EventBus
  audit: Audit
  quotas: Quotas
  secrets: ConnectionSecrets
  schemes: Schemes
  environment: EnvironmentSettings
  /** The tenant with that slug or id, or the only one there is; null where there is none, or more than one. */
  soleTenant(platform: PlatformScope, slugOrId: string | null): Promise<string | null>
}

export type EnvironmentConnections = ReturnType<typeof environmentService>

/**
 * The connections of an installation that serves one tenant: providers call the plain address, and the secrets are in the
 * environment. Otherwise they are ordinary connections. They follow the environment at every start, and whenever a tenant
 * was created or removed.
 */
export function environmentService(deps: EnvironmentDeps) {
  const { platform, clock, log, events, secrets, schemes, environment, soleTenant } = deps
  const values = [...environment.values].map(([name, value]) => ({ scheme: parseScheme(name), value }))
  let isOutdated = false
  let running: Promise<void> | null = null
  let hasTenant = true

  for (const name of ['tenant.created', 'tenant.removed'] as const)
    events.on(name, async (tx) => {
      if (values.length > 0) tx.handle.afterCommit(tenantsChanged)
    })

  function tenantsChanged(): void {
    isOutdated = true
    settle().catch((error) => {
      log.warn({ err: error }, 'The connections of INBOUND_SECRETS are not up to date. The next delivery tries again.')
    })
  }

  /** The connections that a delivery to the plain address of the channel may be for. */
  async function candidates(channel: Channel): Promise<Candidate[]> {
    if (!values.some(({ scheme }) => schemes[scheme]?.channel === channel)) return []
    if (running !== null) await running
    else if (isOutdated) await settle()
    return (await listEnvironmentCandidates(platform)).filter((candidate) => candidate.channel === channel)
  }

  /** Creates, changes and deletes connections until they match the environment. Concurrent calls share one run. */
  function settle(): Promise<void> {
    isOutdated = true
    running ??= settleUntilCurrent().finally(() => {
      running = null
    })
    return running
  }

  async function settleUntilCurrent(): Promise<void> {
    // A change during a run is only seen by the next one.
    while (isOutdated) {
      isOutdated = false
      try {
        await settleOnce()
      } catch (error) {
        isOutdated = true
        throw error
      }
    }
  }

  async function settleOnce(): Promise<void> {
    const tenantId = values.length === 0 ? null : await soleTenant(platform, environment.tenant)
    warnWithoutTenant(tenantId !== null || values.length === 0)
    const present = await listEnvironmentCandidates(platform)
    for (const candidate of present) {
      const isWanted = candidate.tenantId === tenantId && values.some(({ scheme }) => scheme === candidate.scheme)
      if (!isWanted) await transaction(scopeToTenant(platform, candidate.tenantId), (tx) => remove(tx, candidate))
    }
    if (tenantId !== null)
      for (const { scheme, value } of values) {
        const existing = present.find((candidate) => candidate.scheme === scheme && candidate.tenantId === tenantId)
        await transaction(scopeToTenant(platform, tenantId), (tx) =>
          existing === undefined ? create(tx, { scheme, value }) : update(tx, existing, value),
        )
      }
  }

  /** Providers only get 401, so without this line nobody could find the reason. */
  function warnWithoutTenant(isFound: boolean): void {
    if (hasTenant && !isFound)
      log.warn(
        { inboundTenant: environment.tenant },
        environment.tenant === null
          ? 'INBOUND_SECRETS is set, but there are several tenants and INBOUND_TENANT names none'
          : 'INBOUND_SECRETS is set, but no tenant matches INBOUND_TENANT',
      )
    hasTenant = isFound
  }

  async function create(tx: TenantScope, { scheme, value }: { scheme: SchemeName; value: string }): Promise<void> {
    await deps.quotas.lockLimits(tx, null)
    const channel = schemes[scheme]?.channel
    if (channel === undefined) return
    const now = clock.now()
    const { settings, secret } = parseValue(scheme, value)
    const connection: Connection = {
      tenantId: tx.tenantId,
      id: newId(now),
      channel,
      scheme,
      name: `${scheme} of the environment`,
      orgId: null,
      account: null,
      integrationId: null,
      settings,
      status: 'active',
      hasSecret: secret !== null,
      isEnvironment: true,
      previousUntil: null,
      lastSeenAt: null,
      createdAt: now,
      updatedAt: now,
    }
    // False where another node was first.
    const isNew = await insertConnection(tx, connection, secret === null ? null : secrets.seal(secret, connection))
    if (isNew) await auditChange(tx, connection.id, 'create', { scheme })
  }

  /** After a change the previous secret stays valid for a day, as after any rotation. */
  async function update(tx: TenantScope, candidate: Candidate, value: string): Promise<void> {
    const now = clock.now()
    const { settings, secret } = parseValue(candidate.scheme, value)
    const current = candidate.secretSealed === null ? null : secrets.open(candidate.secretSealed, candidate)
    if (secret !== null && secret !== current) {
      const previousUntil = new Date(now.getTime() + overlapSecondsDefault * 1000)
      const secretSealed = secrets.seal(secret, candidate)
      await replaceSecret(tx, { id: candidate.id, secretSealed, previousUntil, now })
      await auditChange(tx, candidate.id, 'rotate-secret', { overlapSeconds: overlapSecondsDefault })
    }
    if (secret === null && JSON.stringify(settings) !== JSON.stringify(candidate.settings)) {
      await saveConnection(tx, { ...candidate, settings, updatedAt: now })
      await auditChange(tx, candidate.id, 'update', { fields: ['settings'] })
    }
  }

  async function remove(tx: TenantScope, { id }: Candidate): Promise<void> {
    await markDeleted(tx, id, clock.now())
    await auditChange(tx, id, 'delete')
  }

  function auditChange(tx: TenantScope, id: string, action: string, changes: object = {}): Promise<void> {
    return deps.audit(tx, {
      action: `webhook.connection.${action}`,
      target: { type: 'webhook_connection', id },
      changes: { ...changes, by: 'environment' },
    })
  }

  return { candidates, settle }
}

function parseScheme(name: string): SchemeName {
  const scheme = schemeNames.find((known) => known === name)
  if (scheme !== undefined) return scheme
  throw new Error(`INBOUND_SECRETS names the unknown scheme ${name}. Known schemes: ${schemeNames.join(', ')}.`)
}

/** The part of a connection that the value in the environment becomes. */
function parseValue(scheme: SchemeName, value: string): { settings: SchemeSettings; secret: string | null } {
  if (secretOrigins[scheme] !== 'NONE') return { settings: {}, secret: value }
  return { settings: scheme === 'sns' ? { topicArns: value.split(' ') } : { appId: value }, secret: null }
}
