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
        'org_id',
        'account',
        'integration_id',
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
      secret_sealed: 'Secrets are never shown.',
      previous_secret_sealed: 'Secrets are never shown.',
    },
    onErasure: 'DELETED',
  },
  {
    name: 'webhook_deliveries',
    inFile: null,
    leftOut: { '*': 'Requests of other parties, kept for days. Their effects are in other tables.' },
    onErasure: 'DELETED',
    largeColumns: ['body'],
  },
  {
    name: 'webhook_delivery_parts',
    inFile: null,
    leftOut: { '*': 'Parts of the bodies of deliveries.' },
    onErasure: 'DELETED',
    largeColumns: ['bytes'],
  },
]
