import type { Route } from '../http/route.ts'
import type { Audit } from '../identity/index.ts'
import type { HandleIssue } from '../inbound/index.ts'
import { housekeeping, type JobHandler, type Jobs, jobHandler } from '../jobs/jobs.ts'
import type { Clock } from '../kernel/clock.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { ActionItems } from '../meetings/index.ts'
import type { OrganizationMembers } from '../organizations/index.ts'
import type { EventBus } from '../storage/events.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { LimitCounts, Quotas } from '../usage/index.ts'
import { moveRoute } from './board/move.routes.ts'
import { moveService } from './board/move.service.ts'
import { bulkRoute } from './bulk/bulk.routes.ts'
import { bulkService } from './bulk/bulk.service.ts'
import { calendarRoutes } from './calendar/calendar.routes.ts'
import { calendarService } from './calendar/calendar.service.ts'
import { commentRoutes } from './comments/comment.routes.ts'
import { commentService } from './comments/comment.service.ts'
import { conflictRoute } from './conflicts/conflict.routes.ts'
import { type LinkedTasks, linkedTasks } from './conflicts/linked-task.service.ts'
import { historyRoute } from './history/history.routes.ts'
import { dueDays } from './proposals/due-days.ts'
import { proposalRoutes } from './proposals/proposal.routes.ts'
import { proposalService, proposeAfterMeetings, proposingJob } from './proposals/proposal.service.ts'
import { type ReminderDeps, type Reminders, reminderService } from './reminders/reminder.service.ts'
import { listOwnTasks } from './tasks/own-tasks.store.ts'
import { taskRoutes } from './tasks/task.routes.ts'
import { taskService } from './tasks/task.service.ts'
import type { MeetingReadableBy } from './tasks/task.store.ts'
import { findTaskContent } from './tasks/task-content.store.ts'
import { countTasks } from './tasks/task-counts.store.ts'
import { eraseWithOthers } from './tasks/task-erasure.ts'
import { taskRecords } from './tasks/task-record.ts'
import { taskTables } from './tenant-tables.ts'
import { moveWithConnections } from './trackers/placement.ts'
import { trackerIssueHandler } from './trackers/tracker-issue.service.ts'

export type { LinkedTaskChange, LinkedTasks } from './conflicts/linked-task.service.ts'
export type { Task } from './tasks/task.rules.ts'

declare module '../storage/events.ts' {
  interface DomainEvents {
    'org.tasks.created': { tenantId: string; orgId: string; taskIds: string[] }
    /** All of one organization. Not emitted for tasks that are done with the change: see `org.tasks.completed`. */
    'org.tasks.changed': { tenantId: string; orgId: string; taskIds: string[] }
    'org.tasks.completed': { tenantId: string; orgId: string; taskIds: string[] }
    /** A task and its issue were changed at once, in the same field. */
    'task.conflicted': { tenantId: string; orgId: string; taskId: string }
    'org.tasks.deleted': { tenantId: string; orgId: string; taskIds: string[] }
  }
}

export type TasksDeps = {
  platform: PlatformScope
  clock: Clock
  log: ReminderDeps['log']
  jobs: Jobs
  events: EventBus
  audit: Audit
  quotas: Quotas
  members: OrganizationMembers
  meetingReadableBy: MeetingReadableBy
  actionItems: ActionItems
  outbox: ReminderDeps['outbox']
  notify: ReminderDeps['notify']
  publicUrl: string | null
}

export type Tasks = {
  routes: Route[]
  jobs: JobHandler[]
  tenantTables: TenantTable[]
  /** Creates or updates the task of a tracker's issue. */
  handleIssue: HandleIssue
  /** What is stored now, of what has limits. */
  limitCounts: LimitCounts
  reminders: Reminders
  /** The open tasks of a user. */
  listOwnTasks: typeof listOwnTasks
  /** What a task says, for those who write it elsewhere. */
  findContent: typeof findTaskContent
  /** For those who keep tasks equal with issues. */
  linked: LinkedTasks
  /** Ends the worker that reads due days. */
  flush(): Promise<void>
}

/** Tasks of organizations: written by hand, proposed from meetings, or following the issues of a tracker. */
export function tasks(deps: TasksDeps): Tasks {
  const records = taskRecords(deps)
  const service = taskService({ ...deps, records })
  const parts = { ...deps, records, tasks: service }
  eraseWithOthers(deps)
  moveWithConnections(deps)
  const days = dueDays()
  const proposals = proposalService({ ...deps, records, dueDays: days })
  proposeAfterMeetings(deps)
  const reminders = reminderService(deps)
  return {
    routes: [
      ...taskRoutes({ ...deps, tasks: service }),
      moveRoute({ moves: moveService(parts) }),
      bulkRoute({ ...deps, bulk: bulkService(parts) }),
      historyRoute(parts),
      conflictRoute(parts),
      ...commentRoutes({ ...deps, comments: commentService(parts) }),
      ...proposalRoutes(proposals),
      ...calendarRoutes({ ...deps, calendars: calendarService(deps) }),
    ],
    jobs: [
      jobHandler(proposingJob, ({ scope, data }) => proposals.proposeAll(scope, data.meetingId)),
      // Every quarter of an hour, because the offsets of time zones are whole quarters.
      housekeeping('tasks.reminders.send', '*/15 * * * *', () => reminders.sendDue(deps.platform)),
      housekeeping('tasks.reminders.drop-old', '45 3 * * *', () => reminders.dropOld(deps.platform)),
    ],
    tenantTables: taskTables,
    limitCounts: { org: { maxTasks: countTasks } },
    handleIssue: trackerIssueHandler({ ...deps, records }),
    reminders,
    listOwnTasks,
    findContent: findTaskContent,
    linked: linkedTasks({ ...deps, records }),
    flush: () => days.close(),
  }
}
