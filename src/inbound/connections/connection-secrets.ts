import { randomBytes } from 'node:crypto'
import type { SealedColumn } from '../../storage/sealed-column.ts'
import type { Secrets } from '../../storage/secrets.ts'

type Owner = { tenantId: string; id: string }

/** The secrets of connections on their way into and out of the database, where they are only ever sealed. */
export function connectionSecrets(secrets: Secrets) {
  return {
    generate: () => randomBytes(32).toString('base64url'),
    seal: (text: string, owner: Owner) => secrets.seal(text, boundTo(owner)),
    open: (sealed: Buffer, owner: Owner) => secrets.open(sealed, boundTo(owner)),
  }
}

export type ConnectionSecrets = ReturnType<typeof connectionSecrets>

export const sealedWebhookSecrets: SealedColumn[] = ['secret_sealed', 'previous_secret_sealed'].map((column) => ({
  table: 'webhook_connections',
  column,
  owner: ['tenant_id', 'id'],
  boundTo: ([tenantId = '', id = '']) => boundTo({ tenantId, id }),
}))

/** Alike for both columns: a rotation moves the bytes from one to the other. */
function boundTo({ tenantId, id }: Owner): string {
  return `webhook_connections:${tenantId}:${id}`
}
