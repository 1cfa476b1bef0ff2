import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type FieldRule, type Fitting, ruleFor } from '../../kernel/field-rules.ts'
import { newId } from '../../kernel/ids.ts'
import { invalidField, Refusal } from '../../kernel/refusal.ts'
import type { EventBus } from '../../storage/events.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Quotas } from '../../usage/index.ts'
import type { Scheme, SchemeName } from '../scheme.ts'
import {
  type Connection,
  type ConnectionStatus,
  connectionsMax,
  overlapSecondsDefault,
  type Schemes,
  secretOrigins,
} from './connection.rules.ts'
import type { ConnectionChange, NewConnection, SecretRotation } from './connection.schema.ts'
import {
  countConnections,
  getConnection,
  insertConnection,
  lockConnection,
  markDeleted,
  replaceSecret,
  saveConnection,
} from './connection.store.ts'
import type { ConnectionSecrets } from './connection-secrets.ts'

export type ConnectionDeps = {
  clock: Clock
  audit: Audit
  quotas: Quotas
  secrets: ConnectionSecrets
  schemes: Schemes
  events: EventBus
  orgExists(scope: TenantScope, orgId: string): Promise<boolean>
}

/** `secret`: set where we generated it, and shown only once. */
export type ConnectionWithNewSecret = { connection: Connection; secret: string | null }

export type Connections = ReturnType<typeof connectionService>

export function connectionService({ clock, audit, quotas, secrets, schemes, events, orgExists }: ConnectionDeps) {
  /** Refuses with VALIDATION_ERROR and QUOTA_EXCEEDED. */
  async function create(
    scope: TenantScope,
    body: NewConnection,
    integrationId: string | null = null,
  ): Promise<ConnectionWithNewSecret> {
    const now = clock.now()
    const connection = { ...newConnection(body, { tenantId: scope.tenantId, schemes, now }), integrationId }
    const { text, isGenerated } = nextSecret(connection, body.secret)
    return transaction(scope, async (tx) => {
      await quotas.lockLimits(tx, null)
      await requireOrganization(tx, body.orgId)
      if (integrationId === null && (await countConnections(tx)) >= connectionsMax)
        throw new Refusal('QUOTA_EXCEEDED', { detail: `A tenant can have at most ${connectionsMax} connections.` })
      await insertConnection(tx, connection, text === null ? null : secrets.seal(text, connection))
      const { scheme, name, account } = connection
      await audit(tx, {
        action: 'webhook.connection.create',
        target: auditTarget(connection),
        changes: { scheme, name, account },
      })
      return { connection: { ...connection, hasSecret: text !== null }, secret: isGenerated ? text : null }
    })
  }

  /** Refuses VALIDATION_ERROR for an organization that does not exist. */
  async function requireOrganization(scope: TenantScope, orgId: string | null | undefined): Promise<void> {
    if (orgId === null || orgId === undefined || (await orgExists(scope, orgId))) return
    throw invalidField('/body/orgId', { code: 'unknown', message: 'must be an organization of the tenant' })
  }

  /** Rules of `update`, and of `create`, which has more. */
  const changeRules = (scope: TenantScope, body: Fitting<ConnectionChange>): FieldRule[] => [
    ruleFor(body.orgId, (orgId) => requireOrganization(scope, orgId)),
  ]
  const rules = (scope: TenantScope, body: Fitting<NewConnection>): FieldRule[] => [
    ...changeRules(scope, body),
    ruleFor(body.scheme, (name) => requireScheme(schemes, name)),
    ruleFor(body.scheme, (scheme) =>
      'secret' in body && body.secret === undefined ? null : nextSecret({ scheme }, body.secret),
    ),
  ]

  /** The secret that a connection gets: the one that was sent, or a generated one. Refuses with VALIDATION_ERROR. */
  function nextSecret({ scheme }: Pick<Connection, 'scheme'>, sent: string | undefined) {
    const origin = secretOrigins[scheme]
    if (origin === 'NONE') {
      if (sent !== undefined)
        throw invalidField('/body/secret', { code: 'unknown', message: `is not allowed: ${scheme} has no secret` })
      return { text: null, isGenerated: false }
    }
    if (sent !== undefined) return { text: sent, isGenerated: false }
    if (origin === 'PROVIDER')
      throw invalidField('/body/secret', {
        code: 'required',
        message: 'is required: the provider generates it and shows it to you',
      })
    return { text: secrets.generate(), isGenerated: true }
  }

  /** Runs `work` with the connection locked and stores the connection that it returns; null: nothing changes. */
  const withConnection = (
    scope: TenantScope,
    id: string,
    work: (connection: Connection, now: Date) => { next: Connection; action: string; changes?: object } | null,
    before: (tx: TenantScope) => Promise<void> = async () => undefined,
  ): Promise<Connection> =>
    transaction(scope, async (tx) => {
      await before(tx)
      const connection = await lockConnection(tx, id)
      const outcome = work(connection, clock.now())
      if (outcome === null) return connection
      const { next, action, changes } = outcome
      await saveConnection(tx, next)
      await audit(tx, { action, target: auditTarget(connection), ...(changes ? { changes: { ...changes } } : {}) })
      const { tenantId, orgId } = next
      if (orgId !== connection.orgId)
        await events.emit(tx, 'webhook.connection.moved', { tenantId, connectionId: id, orgId })
      return next
    })

  /** Refuses with NOT_FOUND and STATE_CONFLICT. */
  function update(scope: TenantScope, id: string, changes: ConnectionChange): Promise<Connection> {
    const fields = Object.keys(changes)
    const work = (connection: Connection, now: Date) => {
      refuseFromEnvironment(connection)
      if (fields.length === 0) return null
      const next = { ...connection, ...changes, updatedAt: now }
      return { next, action: 'webhook.connection.update', changes: { fields } }
    }
    return withConnection(scope, id, work, async (tx) => {
      // Issues that move take numbers on another board: the tenant is locked before all else.
      if (changes.orgId !== undefined) await quotas.lockLimits(tx, null)
      await requireOrganization(tx, changes.orgId)
    })
  }

  /** A repeated call changes nothing. Refuses with NOT_FOUND. */
  function setStatus(scope: TenantScope, id: string, status: ConnectionStatus): Promise<Connection> {
    return withConnection(scope, id, (connection, now) => {
      if (connection.status === status) return null
      const action = status === 'paused' ? 'webhook.connection.pause' : 'webhook.connection.resume'
      return { next: { ...connection, status, updatedAt: now }, action }
    })
  }

  /** The current secret stays valid as the previous one until the overlap ends. Refuses with NOT_FOUND, STATE_CONFLICT and VALIDATION_ERROR. */
  function rotate(
    scope: TenantScope,
    id: string,
    { secret: sent, overlapSeconds = overlapSecondsDefault }: SecretRotation,
  ): Promise<ConnectionWithNewSecret> {
    return transaction(scope, async (tx) => {
      const now = clock.now()
      const connection = await lockConnection(tx, id)
      refuseFromEnvironment(connection)
      const { text, isGenerated } = nextSecret(connection, sent)
      if (text === null)
        throw invalidField('/body', {
          code: 'secret',
          message: `cannot be used: ${connection.scheme} has no secret`,
        })
      const previousUntil = overlapSeconds === 0 ? null : new Date(now.getTime() + overlapSeconds * 1000)
      await replaceSecret(tx, { id, secretSealed: secrets.seal(text, connection), previousUntil, now })
      await audit(tx, {
        action: 'webhook.connection.rotate-secret',
        target: auditTarget(connection),
        changes: { overlapSeconds },
      })
      return { connection: await getConnection(tx, id), secret: isGenerated ? text : null }
    })
  }

  /** Erases its secrets at once; its log stays for a month. Refuses with NOT_FOUND, also when it was deleted before, and STATE_CONFLICT. */
  async function remove(scope: TenantScope, id: string): Promise<void> {
    await transaction(scope, async (tx) => {
      const connection = await lockConnection(tx, id)
      refuseFromEnvironment(connection)
      await markDeleted(tx, id, clock.now())
      await audit(tx, { action: 'webhook.connection.delete', target: auditTarget(connection) })
    })
  }

  return { rules, changeRules, create, get: getConnection, update, setStatus, rotate, remove }
}

/** A change here would be undone by the next start. */
function refuseFromEnvironment({ isEnvironment }: Connection): void {
  if (isEnvironment)
    throw new Refusal('STATE_CONFLICT', {
      detail: 'The connection comes from the setting INBOUND_SECRETS: change it there.',
    })
}

type ConnectionContext = { tenantId: string; schemes: Schemes; now: Date }

function newConnection(body: NewConnection, { tenantId, schemes, now }: ConnectionContext): Connection {
  const scheme = requireScheme(schemes, body.scheme)
  return {
    tenantId,
    id: newId(now),
    channel: scheme.channel,
    scheme: body.scheme,
    name: body.name.trim(),
    orgId: body.orgId ?? null,
    account: body.account ?? null,
    integrationId: null,
    settings: body.settings ?? {},
    status: 'active',
    hasSecret: false,
    isEnvironment: false,
    previousUntil: null,
    lastSeenAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

function requireScheme(schemes: Schemes, name: SchemeName): Scheme {
  const scheme = schemes[name]
  if (scheme !== undefined) return scheme
  throw invalidField('/body/scheme', { code: 'unknown', message: 'is not available on this installation' })
}

function auditTarget({ id }: Connection) {
  return { type: 'webhook_connection', id }
}
