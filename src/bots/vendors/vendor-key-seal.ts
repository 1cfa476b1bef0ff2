import type { SealedColumn } from '../../storage/sealed-column.ts'

/** The key of a tenant's account at a vendor. */
export const sealedVendorKeys: SealedColumn = {
  table: 'bot_vendors',
  column: 'api_key_sealed',
  owner: ['tenant_id', 'vendor'],
  context: ([tenantId = '', vendor = '']) => keyContext(tenantId, vendor),
}

export function keyContext(tenantId: string, vendor: string): string {
  return `bot_vendors:${tenantId}:${vendor}`
}
