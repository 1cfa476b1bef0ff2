import type { TenantTable } from '../kernel/tenant-table.ts'

const index = 'Is made from documents and transcripts, and can be made again.'

/** Of search and ask. Parents before children. */
export const searchTables: TenantTable[] = [
  ...['indexed_items', 'indexed_chunks', 'indexed_vectors', 'indexed_sources', 'indexed_terms'].map(
    (name): TenantTable => ({ name, inFile: null, leftOut: { '*': index }, onErasure: 'DELETED' }),
  ),
  {
    name: 'asks',
    inFile: {
      key: ['id'],
      columns: [
        ...['id', 'org_id', 'user_id', 'question', 'found', 'engine', 'model', 'fallback_reason', 'searched'],
        ...['helpful', 'comment', 'created_at'],
      ],
    },
    leftOut: {},
    onErasure: 'DELETED',
  },
  {
    name: 'ask_parts',
    inFile: { key: ['ask_id', 'place'], columns: ['ask_id', 'place', 'text', 'citations'] },
    leftOut: {},
    onErasure: 'DELETED',
  },
  {
    name: 'ask_citations',
    inFile: {
      key: ['ask_id', 'number'],
      columns: ['ask_id', 'number', 'kind', 'item_id', 'version', 'place', 'start_at', 'end_at', 'is_closest'],
    },
    leftOut: {},
    onErasure: 'DELETED',
  },
]
