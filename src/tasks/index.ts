import type { HandleIssue } from '../inbound/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import { taskTables } from './tenant-tables.ts'
import { trackerIssues } from './tracker-issue.service.ts'

export type Tasks = {
  tenantTables: TenantTable[]
  /** Brings the task of a tracker's issue up to date. */
  handleIssue: HandleIssue
}

/** Tasks of a tenant; so far those that follow the issues of a tracker. */
export function tasks({ clock }: { clock: Clock }): Tasks {
  return { tenantTables: taskTables, handleIssue: trackerIssues(clock) }
}
