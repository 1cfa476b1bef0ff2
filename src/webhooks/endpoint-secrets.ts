import type { SealedColumn } from '../storage/sealed-column.ts'
import type { Secrets } from '../storage/secrets.ts'

type Owner = { tenantId: string; id: string }

/** The same context for both columns: a rotation moves the sealed bytes from one to the other. */
function boundTo({ tenantId, id }: Owner): string {
  return `webhook_endpoints:${tenantId}:${id}`
}

export const sealedSigningSecrets: SealedColumn[] = ['secret_sealed', 'previous_secret_sealed'].map((column) => ({
  table: 'webhook_endpoints',
  column,
  owner: ['tenant_id', 'id'],
  context: ([tenantId = '', id = '']) => boundTo({ tenantId, id }),
}))

/** Seals and opens the signing secrets of endpoints. The database holds them only sealed. */
export function signingSecrets(secrets: Pick<Secrets, 'seal' | 'open'>) {
  return {
    seal: (secret: string, owner: Owner): Buffer => secrets.seal(secret, boundTo(owner)),
    open: (sealed: Buffer, owner: Owner): string => secrets.open(sealed, boundTo(owner)),
  }
}

export type SigningSecrets = ReturnType<typeof signingSecrets>
