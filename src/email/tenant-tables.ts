import type { TenantTable } from '../kernel/tenant-table.ts'

/** Parents before children. */
export const emailTables: TenantTable[] = [
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
      content_sealed: 'A token that is for its recipient alone.',
      claimed_until: 'Whether it is being sent at this moment.',
    },
    onErasure: 'DELETED',
  },
  {
    name: 'mail_messages',
    inFile: {
      key: ['id'],
      columns: [
        'id',
        'connection_id',
        'message_id',
        'in_reply_to',
        'refs',
        'from_address',
        'envelope_from',
        'to_addresses',
        'subject',
        'text',
        'verdicts',
        'status',
        'received_at',
      ],
    },
    leftOut: {
      effect_key: 'Keeps a mail from being stored twice.',
      raw: 'The mail with its attachments, which a line of a file cannot hold; what was read of it is there.',
      raw_type: 'Says what the bytes are that are left out.',
    },
    onErasure: 'DELETED',
  },
]
