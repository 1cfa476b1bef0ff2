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
    name: 'usage_overrides',
    inFile: {
      key: ['meter'],
      columns: ['meter', 'soft', 'has_hard', 'hard', 'at_limit', 'until', 'reason', 'updated_at'],
    },
    leftOut: {},
    onErasure: 'DELETED',
  },
  {
    name: 'usage_grants',
    inFile: {
      key: ['meter', 'window_start', 'id'],
      columns: ['meter', 'window_start', 'id', 'amount', 'reason', 'created_at'],
    },
    leftOut: {},
    onErasure: 'DELETED',
  },
  {
    name: 'usage_own_limits',
    inFile: {
      key: ['scope', 'subject_id', 'meter'],
      columns: ['scope', 'subject_id', 'meter', 'max_amount', 'updated_at'],
    },
    leftOut: {},
    onErasure: 'DELETED',
  },
  {
    name: 'usage_thresholds',
    inFile: { key: ['meter'], columns: ['meter', 'percents'] },
    leftOut: {},
    onErasure: 'DELETED',
  },
  {
    name: 'usage_counters',
    inFile: {
      key: ['meter', 'span', 'window_start', 'scope', 'subject_id'],
      columns: ['meter', 'span', 'window_start', 'scope', 'subject_id', 'amount', 'reserved'],
    },
    leftOut: {},
    onErasure: 'DELETED',
  },
  {
    name: 'tenant_storage',
    inFile: null,
    leftOut: { '*': 'The size of all mails and documents together.' },
    onErasure: 'DELETED',
  },
  {
    name: 'usage_by_day',
    inFile: {
      key: ['day', 'meter', 'org_id', 'user_id', 'engine'],
      columns: ['day', 'meter', 'org_id', 'user_id', 'engine', 'amount'],
    },
    leftOut: {},
    onErasure: 'DELETED',
  },
  {
    name: 'usage_reservations',
    inFile: null,
    leftOut: { '*': 'Requests to a model that have not been answered.' },
    onErasure: 'DELETED',
  },
  {
    name: 'usage_unsettled',
    inFile: null,
    leftOut: { '*': 'Requests to a model that were never answered. They are counted.' },
    onErasure: 'DELETED',
  },
  {
    name: 'usage_recounts',
    inFile: null,
    leftOut: { '*': 'Checks of the counters.' },
    onErasure: 'DELETED',
  },
  {
    name: 'usage_reports',
    inFile: null,
    leftOut: { '*': 'Keys of what was reported, so that nothing counts twice.' },
    onErasure: 'DELETED',
  },
  {
    name: 'usage_limit_revisions',
    inFile: null,
    leftOut: { '*': 'Changes with every change of a limit.' },
    onErasure: 'DELETED',
  },
  {
    name: 'usage_told',
    inFile: null,
    leftOut: { '*': 'Which thresholds were told, so that none is told twice.' },
    onErasure: 'DELETED',
  },
  {
    name: 'usage_actives',
    inFile: null,
    leftOut: { '*': 'Who was active on the last two days, so that nobody is counted twice.' },
    onErasure: 'DELETED',
  },
]
