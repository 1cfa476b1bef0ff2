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
      content_sealed: 'Contains a token that only its recipient may see.',
      claimed_until: 'Tells whether the mail is being sent at the moment.',
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
      raw: 'The mail with its attachments is too large for a line of a file. Its text and headers are in other columns.',
      raw_bytes: 'The size of the bytes that are left out.',
      raw_type: 'The type of the bytes that are left out.',
    },
    onErasure: 'DELETED',
    largeColumns: ['raw', 'text'],
  },
  {
    name: 'mail_message_parts',
    inFile: null,
    leftOut: { '*': 'Parts of mails that are too large for a line of a file.' },
    onErasure: 'DELETED',
    largeColumns: ['bytes'],
  },
  {
    name: 'email_suppressions',
    inFile: { key: ['id'], columns: ['id', 'owner_id', 'org_id', 'address', 'reason', 'until', 'created_at'] },
    leftOut: {},
    onErasure: 'DELETED',
  },
  {
    name: 'email_delivery_failures',
    inFile: { key: ['address'], columns: ['address', 'failed_at', 'last_failed_at'] },
    leftOut: {},
    onErasure: 'DELETED',
  },
]
