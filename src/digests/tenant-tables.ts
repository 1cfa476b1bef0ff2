import type { TenantTable } from '../kernel/tenant-table.ts'

export const digestTables: TenantTable[] = [
  {
    name: 'email_digests',
    inFile: {
      key: ['user_id'],
      columns: ['user_id', 'frequency', 'time_zone', 'hour', 'weekday', 'sent_for', 'covered_until', 'updated_at'],
    },
    leftOut: {},
    onErasure: 'DELETED',
  },
  {
    name: 'email_digest_mails',
    inFile: { key: ['user_id', 'day'], columns: ['user_id', 'day'] },
    leftOut: { token_hash: 'A secret of the user.' },
    onErasure: 'DELETED',
  },
]
