import type { TenantTable } from '../kernel/tenant-table.ts'

const secretReason = 'The signing secret, shown once when it was created.'
const working = 'Working state between the attempts of a delivery.'

/** Parents before children. */
export const webhookTables: TenantTable[] = [
  {
    name: 'webhook_endpoints',
    inFile: {
      key: ['id'],
      columns: [
        'id',
        'url',
        'description',
        'event_types',
        'rate_per_minute',
        'status',
        'disabled_reason',
        'disabled_at',
        'previous_until',
        'failing_since',
        'created_at',
        'updated_at',
      ],
    },
    leftOut: {
      secret_sealed: secretReason,
      previous_secret_sealed: secretReason,
      rate_minute: working,
      rate_count: working,
      paused_until: working,
    },
    onErasure: 'DELETED',
  },
  {
    name: 'webhook_messages',
    inFile: { key: ['id'], columns: ['id', 'type', 'body', 'created_at'] },
    leftOut: { coalesced_by: working },
    onErasure: 'DELETED',
  },
  {
    name: 'webhook_sends',
    inFile: {
      key: ['endpoint_id', 'message_id'],
      columns: ['endpoint_id', 'message_id', 'status', 'attempts', 'next_attempt_at', 'created_at'],
    },
    leftOut: { failures: working, claimed_until: working },
    onErasure: 'DELETED',
  },
  {
    name: 'webhook_attempts',
    inFile: {
      key: ['endpoint_id', 'message_id', 'number'],
      columns: ['endpoint_id', 'message_id', 'number', 'started_at', 'duration_ms', 'result', 'status_code', 'answer'],
    },
    leftOut: {},
    onErasure: 'DELETED',
  },
]
