import type { TenantTable } from '../kernel/tenant-table.ts'

/** Parents before children. */
export const taskTables: TenantTable[] = [
  {
    name: 'tasks',
    inFile: {
      key: ['id'],
      columns: [
        'id',
        'org_id',
        'meeting_id',
        'title',
        'status',
        'assignee',
        'due',
        'source',
        'connection_id',
        'provider',
        'external_id',
        'external_key',
        'external_url',
        'external_updated_at',
        'created_at',
        'updated_at',
      ],
    },
    leftOut: {
      external_received_at: 'Orders two changes with the same time.',
      effect_key: 'The delivery that changed the task last.',
    },
    onErasure: 'DELETED',
  },
]
