import type { TenantTable } from '../kernel/tenant-table.ts'

/** Parents before children. */
export const aiTables: TenantTable[] = [
  {
    name: 'model_tokens',
    inFile: { key: ['day'], columns: ['day', 'tokens'] },
    leftOut: {},
    onErasure: 'DELETED',
  },
]
