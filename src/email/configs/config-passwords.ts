import type { SealedColumn } from '../../storage/sealed-column.ts'

export type PasswordUse = 'transport' | 'inbound'

/** Binds a sealed password to its row and use. */
export function passwordContext(
  use: PasswordUse,
  { tenantId, ownerId }: { tenantId: string; ownerId: string },
): string {
  return `email-${use}:${tenantId}:${ownerId}`
}

export const sealedEmailPasswords: SealedColumn[] = (['transport', 'inbound'] as const).map((use) => ({
  table: 'email_configs',
  column: `${use}_password_sealed`,
  owner: ['tenant_id', 'owner_id'],
  context: ([tenantId = '', ownerId = '']) => passwordContext(use, { tenantId, ownerId }),
}))
