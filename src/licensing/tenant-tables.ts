import type { TenantTable } from '../kernel/tenant-table.ts'
import type { Secrets } from '../storage/secrets.ts'
import { openSealedKey } from './licenses/license-issuing.ts'

/** Parents before children. */
export function licensingTables(secrets: Secrets): TenantTable[] {
  return [
    {
      name: 'licenses',
      inFile: {
        key: ['id'],
        columns: [
          'id',
          'key_hint',
          'product',
          'plan',
          'max_uses',
          'uses_count',
          'refunds_count',
          'expires_at',
          'label',
          'is_automatic',
          'created_at',
          'updated_at',
          'revoked_at',
          'last_used_at',
          'last_validated_at',
        ],
        opened: [{ column: 'key_sealed', as: 'key', open: (sealed, row) => openSealedKey(sealed, row, secrets) }],
      },
      leftOut: { key_hash: 'Can be computed from the key.', term_told: 'Internal: which events were sent.' },
      onErasure: 'DELETED',
    },
    {
      name: 'license_uses',
      inFile: {
        key: ['license_id', 'operation_id'],
        columns: ['license_id', 'operation_id', 'source', 'used_at', 'refunded_at'],
      },
      leftOut: {},
      onErasure: 'DELETED',
    },
    {
      name: 'license_use_batches',
      inFile: { key: ['license_id', 'id'], columns: ['license_id', 'id', 'used_at', 'uses_count'] },
      leftOut: {},
      onErasure: 'DELETED',
    },
    {
      name: 'license_exhaustions',
      inFile: null,
      leftOut: { '*': 'A queue of events that are sent within seconds.' },
      onErasure: 'DELETED',
    },
  ]
}
