import type { TenantTable } from '../kernel/tenant-table.ts'

/** Parents before children. */
export const inboundTables: TenantTable[] = [
  {
    name: 'webhook_connections',
    inFile: {
      key: ['id'],
      columns: [
        'id',
        'channel',
        'scheme',
        'name',
        'account',
        'settings',
        'status',
        'is_environment',
        'previous_until',
        'last_seen_at',
        'created_at',
        'updated_at',
        'deleted_at',
      ],
    },
    leftOut: {
      secret_sealed: 'Shown to nobody.',
      previous_secret_sealed: 'Shown to nobody.',
    },
    onErasure: 'DELETED',
  },
  {
    name: 'webhook_deliveries',
    inFile: null,
    leftOut: { '*': 'What others sent, kept for days; what it led to stands in tables of its own.' },
    onErasure: 'DELETED',
  },
]
