import type { TenantTable } from '../kernel/tenant-table.ts'

/** Parents before children. */
export const knowledgeTables: TenantTable[] = [
  {
    name: 'collections',
    inFile: { key: ['id'], columns: ['id', 'org_id', 'name', 'access', 'is_default', 'created_at', 'updated_at'] },
    leftOut: {
      document_count: 'Can be counted from the documents.',
      revision: 'Counts the changes of the collection.',
    },
    onErasure: 'DELETED',
    // An owner of the organization may not read restricted ones by this role alone.
    ofOrganization: { column: 'org_id', where: { access: 'open' } },
  },
  {
    name: 'collection_members',
    inFile: {
      key: ['collection_id', 'user_id'],
      columns: ['collection_id', 'org_id', 'user_id', 'access'],
    },
    leftOut: {},
    onErasure: 'DELETED',
    ofOrganization: { column: 'collection_id', parent: 'collections' },
  },
  {
    name: 'collection_changes',
    inFile: {
      key: ['collection_id', 'revision'],
      columns: ['collection_id', 'revision', 'action', 'fields', 'actor_id', 'user_id', 'at'],
    },
    leftOut: {},
    onErasure: 'DELETED',
    ofOrganization: { column: 'collection_id', parent: 'collections' },
  },
  {
    name: 'documents',
    inFile: {
      key: ['id'],
      columns: [
        ...['id', 'org_id', 'collection_id', 'title', 'tags', 'version', 'status', 'created_by'],
        ...['created_at', 'updated_at'],
      ],
    },
    leftOut: {
      last_version: 'Numbers the versions.',
      reindex_id: 'The job that puts a new title into the index.',
      revision: 'Counts the changes of the document.',
    },
    onErasure: 'DELETED',
    ofOrganization: { column: 'collection_id', parent: 'collections' },
  },
  {
    name: 'document_versions',
    inFile: {
      key: ['document_id', 'version'],
      columns: [
        ...['document_id', 'version', 'filename', 'mime_type', 'size', 'sha256', 'status', 'failure_code'],
        ...[
          'failure_detail',
          'language',
          'pages',
          'characters',
          'restored_from',
          'created_by',
          'created_at',
          'indexed_at',
        ],
      ],
    },
    leftOut: {
      type: 'Says how the file is read, as `mime_type` does.',
      pages_read: 'How far the reading is at the moment.',
      page_total: 'How far the reading is at the moment.',
      text_bytes: 'The size of the text.',
      extraction_id: 'The job that reads the file.',
      lost_jobs: 'How often that job was lost.',
    },
    onErasure: 'DELETED',
    ofOrganization: { column: 'document_id', parent: 'documents' },
  },
  {
    name: 'document_chunks',
    inFile: {
      key: ['document_id', 'version', 'ordinal'],
      columns: ['document_id', 'version', 'ordinal', 'start_at', 'page', 'headings', 'text'],
    },
    leftOut: {},
    onErasure: 'DELETED',
    ofOrganization: { column: 'document_id', parent: 'documents' },
  },
  {
    name: 'erased_documents',
    inFile: null,
    leftOut: { '*': 'The ids of what was erased, until a nightly job has searched for them.' },
    onErasure: 'DELETED',
  },
]
