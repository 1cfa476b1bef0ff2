import type { TenantTable } from '../kernel/tenant-table.ts'

const tasks: TenantTable = {
  name: 'tasks',
  inFile: {
    key: ['id'],
    columns: [
      'id',
      'org_id',
      'number',
      'title',
      'description',
      'status',
      'priority',
      'assignee_id',
      'assignee_name',
      'due',
      'due_text',
      'labels',
      'position',
      'source',
      'meeting_id',
      'evidence_speaker',
      'evidence_timestamp',
      'evidence_quote',
      'evidence_seqs',
      'connection_id',
      'provider',
      'external_id',
      'external_key',
      'external_url',
      'external_updated_at',
      'conflicts',
      'created_by',
      'created_at',
      'updated_at',
      'started_at',
      'completed_at',
    ],
  },
  leftOut: {
    search: 'The words of title and description.',
    accepted_revision: 'Says which readers see the task.',
    visible_to_members: 'Says which readers see the task.',
    link_sync: 'The state of the integration.',
    external_received_at: 'Orders two changes with the same time.',
    effect_key: 'The delivery that changed the task last.',
    revision: 'Counts the changes of the task.',
  },
  onErasure: 'DELETED',
  // Proposals and evidence quote meetings that not all members may read.
  ofOrganization: {
    column: 'org_id',
    notNull: 'accepted_revision',
    without: [
      'meeting_id',
      'evidence_speaker',
      'evidence_timestamp',
      'evidence_quote',
      'evidence_seqs',
      'connection_id',
      'external_id',
    ],
  },
}

/** Parents before children. */
export const taskTables: TenantTable[] = [
  tasks,
  {
    name: 'labelled_tasks',
    inFile: null,
    leftOut: { '*': 'The labels of the tasks again, in the order of lists.' },
    onErasure: 'DELETED',
  },
  {
    name: 'task_comments',
    inFile: { key: ['id'], columns: ['id', 'task_id', 'text', 'author_id', 'created_at', 'edited_at'] },
    leftOut: { revision: 'Counts the changes of the comment.' },
    onErasure: 'DELETED',
    ofOrganization: { column: 'task_id', parent: 'tasks' },
  },
  {
    name: 'task_changes',
    inFile: {
      key: ['task_id', 'revision', 'field'],
      columns: ['task_id', 'revision', 'field', 'from_value', 'to_value', 'origin', 'actor_id', 'at'],
    },
    leftOut: {},
    onErasure: 'DELETED',
    // What was changed before somebody accepted a proposal is for readers of its meeting.
    ofOrganization: {
      column: 'task_id',
      parent: 'tasks',
      reached: { column: 'revision', parentColumn: 'accepted_revision' },
    },
  },
  {
    name: 'task_proposals',
    inFile: null,
    leftOut: { '*': 'Places of transcripts from which a task was proposed once.' },
    onErasure: 'DELETED',
  },
  {
    name: 'task_counters',
    inFile: null,
    leftOut: { '*': 'Numbers and counts of the tasks.' },
    onErasure: 'DELETED',
  },
  {
    name: 'task_labels',
    inFile: null,
    leftOut: { '*': 'How many tasks have each label.' },
    onErasure: 'DELETED',
  },
  {
    name: 'task_reminders',
    inFile: { key: ['org_id', 'user_id', 'day'], columns: ['org_id', 'user_id', 'day'] },
    leftOut: { token_hash: 'A secret of the member.' },
    onErasure: 'DELETED',
  },
  {
    name: 'task_calendars',
    inFile: { key: ['org_id', 'user_id'], columns: ['org_id', 'user_id', 'created_at'] },
    leftOut: { token_hash: 'A secret of the member.' },
    onErasure: 'DELETED',
  },
]
