import { Refusal } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { SchemeName } from '../scheme.ts'
import { overlapSecondsDefault, secretOrigins } from './connection.rules.ts'
import type { Connections } from './connection.service.ts'
import { connectionExists } from './connection.store.ts'

/** Connections that another capability makes with its own settings. */
export type OwnedConnections = {
  /** Makes a connection, or gives the one that exists a new secret; the previous one stays valid for a day. Refuses with QUOTA_EXCEEDED. */
  put(tx: TenantScope, owned: { id: string | null; scheme: SchemeName; name: string; secret: string }): Promise<string>
  /** Nothing happens where somebody has deleted it before. */
  remove(tx: TenantScope, id: string): Promise<void>
}

export function ownedConnections({ connections }: { connections: Connections }): OwnedConnections {
  return {
    put: async (tx, { id, scheme, name, secret }) => {
      if (secretOrigins[scheme] === 'NONE') throw new Refusal('STATE_CONFLICT')
      if (id !== null && (await connectionExists(tx, id))) {
        await connections.rotate(tx, id, { secret, overlapSeconds: overlapSecondsDefault })
        return id
      }
      return (await connections.create(tx, { scheme, name, secret })).connection.id
    },
    remove: async (tx, id) => {
      if (await connectionExists(tx, id)) await connections.remove(tx, id)
    },
  }
}
