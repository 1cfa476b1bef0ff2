import { randomBytes } from 'node:crypto'
import { Refusal } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Channel, SchemeName } from '../scheme.ts'
import { overlapSecondsDefault, secretOrigins } from './connection.rules.ts'
import type { Connections } from './connection.service.ts'
import { connectionExists, getCandidate, listOfIntegration } from './connection.store.ts'
import type { ConnectionSecrets } from './connection-secrets.ts'

type OwnedConnection = {
  id: string | null
  scheme: SchemeName
  name: string
  secret: string
  /** The provider's name for the account, where deliveries do not name the connection. */
  account?: string | null
  integrationId?: string
}

/** Connections that another capability makes with its own settings. */
export type OwnedConnections = {
  /** Makes a connection, or gives the one that exists a new secret; the previous one stays valid for a day. Refuses with QUOTA_EXCEEDED. */
  put(tx: TenantScope, owned: OwnedConnection): Promise<string>
  exists(scope: TenantScope, id: string): Promise<boolean>
  /** The connection of an integration with its secret. It is made where it is missing, or where somebody has deleted it. */
  ensure(
    tx: TenantScope,
    owned: { integrationId: string; scheme: SchemeName; name: string },
  ): Promise<{ id: string; channel: Channel; secret: string }>
  /** Those that were made for an integration. */
  removeOf(tx: TenantScope, integrationId: string): Promise<void>
  /** Nothing happens where somebody has deleted it before. */
  remove(tx: TenantScope, id: string): Promise<void>
}

type Deps = { connections: Connections; secrets: Pick<ConnectionSecrets, 'open'> }

export function ownedConnections({ connections, secrets }: Deps): OwnedConnections {
  return {
    ensure: async (tx, { integrationId, scheme, name }) => {
      const known = (await listOfIntegration(tx, integrationId)).find((it) => it.scheme === scheme)
      const secret = randomBytes(32).toString('base64url')
      const id = known?.id ?? (await connections.create(tx, { scheme, name, secret }, integrationId)).connection.id
      const candidate = await getCandidate(tx, id)
      if (candidate.secretSealed === null) throw new Refusal('STATE_CONFLICT')
      return { id, channel: candidate.channel, secret: secrets.open(candidate.secretSealed, candidate) }
    },
    removeOf: async (tx, integrationId) => {
      for (const { id } of await listOfIntegration(tx, integrationId)) await connections.remove(tx, id)
    },
    exists: connectionExists,
    put: async (tx, { id, scheme, name, secret, account = null, integrationId = null }) => {
      if (secretOrigins[scheme] === 'NONE') throw new Refusal('STATE_CONFLICT')
      if (id !== null && (await connectionExists(tx, id))) {
        await connections.rotate(tx, id, { secret, overlapSeconds: overlapSecondsDefault })
        return id
      }
      return (await connections.create(tx, { scheme, name, secret, account }, integrationId)).connection.id
    },
    remove: async (tx, id) => {
      if (await connectionExists(tx, id)) await connections.remove(tx, id)
    },
  }
}
