import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { invalidField, Refusal } from '../../kernel/refusal.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Quotas } from '../../usage/index.ts'
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
}

/** `secret` where we made it: shown once. */
export type Shown = { connection: Connection; secret: string | null }

export type Connections = ReturnType<typeof connectionService>

export function connectionService({ clock, audit, quotas, secrets, schemes }: ConnectionDeps) {
  /** Refuses with VALIDATION_ERROR and QUOTA_EXCEEDED. */
  async function create(scope: TenantScope, asked: NewConnection): Promise<Shown> {
    const now = clock.now()
    const connection = newConnection(asked, { tenantId: scope.tenantId, schemes, now })
    const { text, isGenerated } = secretFor(connection, asked.secret)
    return transaction(scope, async (tx) => {
      await quotas.hold(tx, null)
      if ((await countConnections(tx)) >= connectionsMax)
        throw new Refusal('QUOTA_EXCEEDED', { detail: `A tenant has at most ${connectionsMax} connections.` })
      await insertConnection(tx, connection, text === null ? null : secrets.seal(text, connection))
      const { scheme, name, account } = connection
      await audit(tx, {
        action: 'webhook.connection.create',
        target: targetOf(connection),
        changes: { scheme, name, account },
      })
      return { connection: { ...connection, hasSecret: text !== null }, secret: isGenerated ? text : null }
    })
  }

  /** What a connection's next secret is. Refuses with VALIDATION_ERROR. */
  function secretFor({ scheme }: Connection, given: string | undefined) {
    const origin = secretOrigins[scheme]
    if (origin === 'NONE') {
      if (given !== undefined)
        throw invalidField('/body/secret', { code: 'unknown', message: `is not known to ${scheme}, which has none` })
      return { text: null, isGenerated: false }
    }
    if (given !== undefined) return { text: given, isGenerated: false }
    if (origin === 'PROVIDER')
      throw invalidField('/body/secret', { code: 'required', message: 'is required: the provider shows it' })
    return { text: secrets.generate(), isGenerated: true }
  }

  /** Runs `work` with the connection locked and writes down what it makes of it; null: nothing changes. */
  const withConnection = (
    scope: TenantScope,
    id: string,
    work: (connection: Connection, now: Date) => { next: Connection; action: string; changes?: object } | null,
  ): Promise<Connection> =>
    transaction(scope, async (tx) => {
      const connection = await lockConnection(tx, id)
      const outcome = work(connection, clock.now())
      if (outcome === null) return connection
      const { next, action, changes } = outcome
      await saveConnection(tx, next)
      await audit(tx, { action, target: targetOf(connection), ...(changes ? { changes: { ...changes } } : {}) })
      return next
    })

  /** Refuses with NOT_FOUND and STATE_CONFLICT. */
  function update(scope: TenantScope, id: string, asked: ConnectionChange): Promise<Connection> {
    const fields = Object.keys(asked)
    return withConnection(scope, id, (connection, now) => {
      refuseEnvironment(connection)
      if (fields.length === 0) return null
      const next = { ...connection, ...asked, updatedAt: now }
      return { next, action: 'webhook.connection.update', changes: { fields } }
    })
  }

  /** A second time changes nothing. Refuses with NOT_FOUND. */
  function setStatus(scope: TenantScope, id: string, status: ConnectionStatus): Promise<Connection> {
    return withConnection(scope, id, (connection, now) => {
      if (connection.status === status) return null
      const action = status === 'paused' ? 'webhook.connection.pause' : 'webhook.connection.resume'
      return { next: { ...connection, status, updatedAt: now }, action }
    })
  }

  /** Two secrets hold at a time: the present one takes the second place. Refuses with NOT_FOUND, STATE_CONFLICT and VALIDATION_ERROR. */
  function rotate(
    scope: TenantScope,
    id: string,
    { secret: given, overlapSeconds = overlapSecondsDefault }: SecretRotation,
  ): Promise<Shown> {
    return transaction(scope, async (tx) => {
      const now = clock.now()
      const connection = await lockConnection(tx, id)
      refuseEnvironment(connection)
      const { text, isGenerated } = secretFor(connection, given)
      if (text === null)
        throw invalidField('/body', {
          code: 'secret',
          message: `has nothing to replace: ${connection.scheme} has no secret`,
        })
      const previousUntil = overlapSeconds === 0 ? null : new Date(now.getTime() + overlapSeconds * 1000)
      await replaceSecret(tx, { id, secretSealed: secrets.seal(text, connection), previousUntil, now })
      await audit(tx, {
        action: 'webhook.connection.rotate-secret',
        target: targetOf(connection),
        changes: { overlapSeconds },
      })
      return { connection: await getConnection(tx, id), secret: isGenerated ? text : null }
    })
  }

  /** Its secrets go at once; its log stays for a month. Refuses with NOT_FOUND, also a second time, and STATE_CONFLICT. */
  async function remove(scope: TenantScope, id: string): Promise<void> {
    await transaction(scope, async (tx) => {
      const connection = await lockConnection(tx, id)
      refuseEnvironment(connection)
      await markDeleted(tx, id, clock.now())
      await audit(tx, { action: 'webhook.connection.delete', target: targetOf(connection) })
    })
  }

  return { create, get: getConnection, update, setStatus, rotate, remove }
}

/** It would be made again of what stands there. */
function refuseEnvironment({ isEnvironment }: Connection): void {
  if (isEnvironment)
    throw new Refusal('STATE_CONFLICT', { detail: 'The connection is made of INBOUND_SECRETS: change it there.' })
}

type Making = { tenantId: string; schemes: Schemes; now: Date }

function newConnection(asked: NewConnection, { tenantId, schemes, now }: Making): Connection {
  const scheme = schemes[asked.scheme]
  if (scheme === undefined)
    throw invalidField('/body/scheme', { code: 'unknown', message: 'is not a scheme of this installation' })
  return {
    tenantId,
    id: newId(now),
    channel: scheme.channel,
    scheme: asked.scheme,
    name: asked.name.trim(),
    account: asked.account ?? null,
    settings: asked.settings ?? {},
    status: 'active',
    hasSecret: false,
    isEnvironment: false,
    previousUntil: null,
    lastSeenAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

function targetOf({ id }: Connection) {
  return { type: 'webhook_connection', id }
}
