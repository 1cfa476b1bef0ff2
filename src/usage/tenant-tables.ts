import type { TenantTable } from '../kernel/tenant-table.ts'

export const usageTables: TenantTable[] = [
  {
    name: 'usage_metrics',
    inFile: {
      key: ['day', 'product'],
      columns: [
        ...['day', 'product', 'api_calls', 'validations', 'connections', 'connection_seconds'],
        ...['bytes_up', 'bytes_down', 'active_devices', 'active_users'],
      ],
    },
    leftOut: {},
    onErasure: 'DELETED',
  },
  {
    name: 'usage_actives',
    inFile: null,
    leftOut: { '*': 'Who was active on the last two days, so that nobody is counted twice.' },
    onErasure: 'DELETED',
  },
]
