import type { TenantTable } from '../kernel/tenant-table.ts'

export const mailTables: TenantTable[] = [
  {
    name: 'mail_outbox',
    inFile: {
      key: ['id'],
      columns: [
        'id',
        'user_id',
        'recipient',
        'kind',
        'status',
        'attempts',
        'last_error',
        'created_at',
        'expires_at',
        'sent_at',
      ],
    },
    leftOut: {
      content_sealed: 'Contains a token that only its recipient may see.',
      claimed_until: 'Tells whether the mail is being sent at the moment.',
    },
    onErasure: 'DELETED',
  },
]
