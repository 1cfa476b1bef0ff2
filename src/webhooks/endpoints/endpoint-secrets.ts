import type { SealedColumn } from '../../storage/sealed-column.ts'
import type { Secrets } from '../../storage/secrets.ts'

type Owner = { tenantId: string; id: string }

/** One binding for both columns: with a rotation the sealed bytes move from the one to the other. */
function boundTo({ tenantId, id }: Owner): string {
  return `webhook_endpoints:${tenantId}:${id}`
}

export const sealedSigningSecrets: SealedColumn[] = ['secret_sealed', 'previous_secret_sealed'].map((column) => ({
  table: 'webhook_endpoints',
  column,
  owner: ['tenant_id', 'id'],
  context: ([tenantId = '', id = '']) => boundTo({ tenantId, id }),
}))

/** The signing secrets of endpoints on their way into and out of the database, where they are only ever sealed. */
export function signingSecrets(secrets: Pick<Secrets, 'seal' | 'open'>) {
  return {
    seal: (secret: string, owner: Owner): Buffer => secrets.seal(secret, boundTo(owner)),
    open: (sealed: Buffer, owner: Owner): string => secrets.open(sealed, boundTo(owner)),
  }
}

export type SigningSecrets = ReturnType<typeof signingSecrets>
