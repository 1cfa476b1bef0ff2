import { randomBytes } from 'node:crypto'
import type { SealedColumn } from '../../storage/sealed-column.ts'
import type { Secrets } from '../../storage/secrets.ts'

type Owner = { tenantId: string; id: string }

/** Seals the secrets of connections for the database, where they are never stored in plain text. */
export function connectionSecrets(secrets: Secrets) {
  return {
    generate: () => randomBytes(32).toString('base64url'),
    seal: (text: string, owner: Owner) => secrets.seal(text, sealContext(owner)),
    open: (sealed: Buffer, owner: Owner) => secrets.open(sealed, sealContext(owner)),
  }
}

export type ConnectionSecrets = ReturnType<typeof connectionSecrets>

export const sealedWebhookSecrets: SealedColumn[] = ['secret_sealed', 'previous_secret_sealed'].map((column) => ({
  table: 'webhook_connections',
  column,
  owner: ['tenant_id', 'id'],
  context: ([tenantId = '', id = '']) => sealContext({ tenantId, id }),
}))

/** The same for both columns: a rotation moves the bytes from one to the other. */
function sealContext({ tenantId, id }: Owner): string {
  return `webhook_connections:${tenantId}:${id}`
}
