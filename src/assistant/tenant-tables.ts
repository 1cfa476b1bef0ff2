import type { TenantTable } from '../kernel/tenant-table.ts'

const counted = 'A count that follows from the entries.'

/** Parents before children. */
export const assistantTables: TenantTable[] = [
  {
    name: 'meetings',
    inFile: {
      key: ['id'],
      columns: [
        'id',
        'user_id',
        'title',
        'status',
        'ttl_days',
        'personality',
        'summary_mode',
        'participants',
        'org_id',
        'scheduled_at',
        'started_at',
        'ended_at',
        'last_activity_at',
        'expires_at',
        'created_at',
        'updated_at',
      ],
    },
    leftOut: {
      revision: 'How often the meeting was changed.',
      content_revision: 'How often its transcript was changed.',
      last_seq: counted,
      entry_count: counted,
      char_count: counted,
      word_count: counted,
    },
    onErasure: 'DELETED',
  },
  {
    name: 'transcript_entries',
    inFile: {
      key: ['meeting_id', 'seq'],
      columns: ['meeting_id', 'seq', 'segment_id', 'speaker', 'text', 'offset_seconds'],
    },
    leftOut: { words: counted, changed_seq: 'When it was written, counted within the meeting.' },
    onErasure: 'DELETED',
  },
  {
    name: 'summaries',
    inFile: null,
    leftOut: { '*': 'Made of the transcript, and made again when somebody asks.' },
    onErasure: 'DELETED',
  },
  {
    name: 'model_tokens',
    inFile: { key: ['day'], columns: ['day', 'tokens'] },
    leftOut: {},
    onErasure: 'DELETED',
  },
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
