import type { HandleIssue } from '../inbound/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import { taskTables } from './tenant-tables.ts'
import { trackerIssueHandler } from './tracker-issue.service.ts'

export type Tasks = {
  tenantTables: TenantTable[]
  /** Creates or updates the task of a tracker's issue. */
  handleIssue: HandleIssue
}

/** Tasks of a tenant. So far they only follow the issues of a tracker. */
export function tasks({ clock }: { clock: Clock }): Tasks {
  return { tenantTables: taskTables, handleIssue: trackerIssueHandler(clock) }
}
