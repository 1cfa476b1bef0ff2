import type { TenantTable } from '../kernel/tenant-table.ts'

const counted = 'Can be counted from the entries.'

/** Parents before children. */
export const meetingTables: TenantTable[] = [
  {
    name: 'meetings',
    inFile: {
      key: ['id'],
      columns: [
        'id',
        'user_id',
        'title',
        'status',
        'cause',
        'ttl_days',
        'personality',
        'summary_mode',
        'participants',
        'org_id',
        'visibility',
        'scheduled_at',
        'scheduled_end',
        'join_url',
        'calendar_event',
        'started_at',
        'ended_at',
        'last_activity_at',
        'expires_at',
        'created_at',
        'updated_at',
      ],
    },
    leftOut: {
      join_url_sealed: 'The same address with its passcode, which is a secret.',
      expires_on: 'The day of `expires_at`.',
      revision: 'Counts the changes of the meeting.',
      content_revision: 'Counts the changes of the transcript.',
      last_seq: counted,
      entry_count: counted,
      char_count: counted,
      word_count: counted,
      minute_count: counted,
    },
    onErasure: 'DELETED',
    // Only what is open to all members: no role opens other meetings.
    ofOrganization: { column: 'org_id', where: { visibility: 'org' } },
  },
  {
    name: 'meeting_counts',
    inFile: null,
    leftOut: { '*': 'How many meetings each user has.' },
    onErasure: 'DELETED',
  },
  {
    name: 'meeting_shares',
    inFile: { key: ['meeting_id', 'user_id'], columns: ['meeting_id', 'user_id', 'org_id', 'access'] },
    leftOut: { is_listed: 'Follows from the meeting.', meeting_created_at: 'Is said with the meeting.' },
    onErasure: 'DELETED',
  },
  {
    name: 'transcript_entries',
    inFile: {
      key: ['meeting_id', 'seq'],
      columns: ['meeting_id', 'seq', 'segment_id', 'speaker', 'text', 'offset_seconds'],
    },
    leftOut: { words: counted, changed_seq: 'The number of the last write within the meeting.' },
    onErasure: 'DELETED',
    ofOrganization: { column: 'meeting_id', parent: 'meetings' },
  },
  {
    name: 'summaries',
    inFile: null,
    leftOut: { '*': 'Made from the transcript, and made again on request.' },
    onErasure: 'DELETED',
  },
  {
    name: 'drafted_answers',
    inFile: {
      key: ['id'],
      columns: [
        'id',
        'connection_id',
        'channel',
        'workspace',
        'team',
        'conversation',
        'is_direct',
        'thread',
        'asked_by',
        'question',
        'user_id',
        'asker_id',
        'org_id',
        'status',
        'waiting_for',
        'created_at',
        'answered_at',
        'is_refused',
      ],
    },
    leftOut: {
      effect_key: 'Prevents a second draft for the same message.',
      service_url: 'The address to which the chat provider wants the answer sent.',
    },
    onErasure: 'DELETED',
  },
  {
    name: 'drafted_answer_quotes',
    inFile: {
      key: ['answer_id', 'place'],
      columns: ['answer_id', 'place', 'meeting_id', 'seq', 'speaker', 'spoken_at', 'quote'],
    },
    leftOut: {},
    onErasure: 'DELETED',
  },
  {
    name: 'drafted_answer_citations',
    inFile: {
      key: ['answer_id', 'number'],
      columns: ['answer_id', 'number', 'meeting_id', 'document_id', 'version', 'place', 'start_at', 'end_at'],
    },
    leftOut: {},
    onErasure: 'DELETED',
  },
]
