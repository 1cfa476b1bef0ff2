import type { JobKind, Jobs } from '../../../jobs/jobs.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Metrics } from '../../../kernel/metrics.ts'
import type { Correspondence, Issue, SharedState, Tracker, TrackerApi } from '../../../providers/trackers/tracker.ts'
import { trackerOf } from '../../../providers/trackers/trackers.ts'
import { type TenantScope, transaction } from '../../../storage/scope.ts'
import type { LinkedTaskChange, LinkedTasks, Task } from '../../../tasks/index.ts'
import type { FindTask } from '../../actions/content.ts'
import { type IssueLink, leaseLink, markHinted, releaseLink, saveCommon } from './issue.store.ts'
import { afterWriting, type CommonState, isNewsOf, type Merge, mergeIssue } from './issue-merge.rules.ts'
import type { People } from './people.ts'

export type ReadJob = { linkId: string }
/** Reads one issue. A provider that fails is asked again, and every hour anyway. */
export const readIssueJob: JobKind<ReadJob> = {
  name: 'integrations.issue.read',
  attemptsMax: 5,
  backoffSeconds: 20,
  timeoutSeconds: 120,
  order: 'key',
}

export type IssueSyncDeps = {
  clock: Clock
  jobs: Jobs
  metrics: Metrics
  tasks: LinkedTasks
  findTask: FindTask
  people: People
  /** Makes the action that writes a change of the task. */
  addUpdate(tx: TenantScope, link: IssueLink): Promise<void>
}

/** `busy`: somebody else compares it. `gone`: the issue or the task no longer exists. */
export type SyncOutcome = 'equal' | 'pending' | 'busy' | 'gone'
export type IssueSync = ReturnType<typeof issueSync>

/** Longer than the requests of one comparison may take. */
const leaseMs = 120_000
const triesMax = 3

/** Keeps a task and its issue equal: the issue is read, both are compared with their last common state, and each side gets what is new. */
export function issueSync({ clock, jobs, metrics, tasks, findTask, people, addUpdate }: IssueSyncDeps) {
  const effects = metrics.counter({
    name: 'integration_issue_changes_total',
    help: 'Fields that were brought over between tasks and issues: to the task, to the issue, or shown as a conflict.',
    labels: ['provider', 'effect'],
  })

  /** @param mayWrite whether it writes to the tracker now, or makes an action for that. */
  async function compare(
    scope: TenantScope,
    { linkId, api, mayWrite }: { linkId: string; api: TrackerApi; mayWrite: boolean },
  ): Promise<SyncOutcome> {
    const now = clock.now()
    const link = await leaseLink(scope, { id: linkId, now, until: new Date(now.getTime() + leaseMs) })
    if (link?.common == null || link.externalKey === null) return 'busy'
    try {
      return await compareLeased(scope, { link, api, mayWrite })
    } finally {
      await releaseLink(scope, link)
    }
  }

  type Leased = { link: IssueLink; api: TrackerApi; mayWrite: boolean }

  async function compareLeased(scope: TenantScope, { link, api, mayWrite }: Leased): Promise<SyncOutcome> {
    const tracker = trackerOf(link.provider)
    const issue = await tracker.get(api, link.externalKey ?? '')
    if (issue === null) return gone(scope, link)
    for (let tried = 1; ; tried++) {
      const step = await bringOver(scope, { link, api, mayWrite, tracker, issue })
      if (typeof step !== 'object') {
        // The task was assigned to somebody else while people were looked up.
        if (step !== 'changed') return step
        if (tried === triesMax) return 'busy'
        continue
      }
      const after = await tracker.update(api, issue, step.merge.theirs)
      return after === null ? gone(scope, link) : recordWritten(scope, { ...step, link, issue, after })
    }
  }

  type Step = { merge: Merge; ours: SharedState; correspondence: Correspondence }

  /** Brings over to the task what is new in the issue. Returns what is to be written to the issue. */
  async function bringOver(
    scope: TenantScope,
    { link, api, mayWrite, tracker, issue }: Leased & { tracker: Tracker; issue: Issue },
  ): Promise<Step | SyncOutcome | 'changed'> {
    const common = link.common as CommonState
    const seen = await findTask(scope, link.taskId)
    if (seen === null || seen.orgId === null) return 'gone'
    const { provider } = link
    const correspondence = await people.correspondenceOf(scope, {
      provider,
      tracker,
      api,
      orgId: seen.orgId,
      common,
      ours: seen,
      issue,
    })
    return transaction(scope, async (tx) => {
      const task = await tasks.lock(tx, link.taskId)
      if (task === null) return 'gone'
      if (task.assigneeId !== seen.assigneeId) return 'changed'
      const merge = mergeIssue({ common, ours: sharedOf(task), theirs: issue.state }, correspondence)
      const { id, version } = link
      const saved = { id, version, common: merge.common, externalId: issue.id, externalKey: issue.key }
      if (!(await saveCommon(tx, saved))) return 'busy'
      await applyToTask(tx, { task, merge, issue })
      const isPending = Object.keys(merge.theirs).length > 0
      if (isPending && !mayWrite) await addUpdate(tx, link)
      await showLink(tx, { link, task, issue, sync: isPending ? 'PENDING' : 'SYNCED' })
      count(tx, provider, merge)
      if (!isPending) return 'equal'
      return mayWrite ? { merge, ours: { ...sharedOf(task), ...merge.ours }, correspondence } : 'pending'
    })
  }

  const recordWritten = (
    scope: TenantScope,
    { merge, ours, correspondence, link, issue, after }: Step & { link: IssueLink; issue: Issue; after: Issue },
  ): Promise<SyncOutcome> =>
    transaction(scope, async (tx) => {
      const task = await tasks.lock(tx, link.taskId)
      if (task === null) return 'gone'
      const result = afterWriting(
        { common: merge.common, ours, written: merge.theirs, before: issue.state, after: after.state },
        correspondence,
      )
      const { id, version } = link
      const saved = { id, version, common: result.common, externalId: after.id, externalKey: after.key }
      if (!(await saveCommon(tx, saved))) return 'busy'
      const now = sharedOf(task)
      // What was refused goes back, unless the task has another value by now.
      const isStill = (field: keyof SharedState) => now[field] === ours[field]
      const refused = {
        ...result,
        ours: Object.fromEntries(Object.entries(result.ours).filter(([field]) => isStill(field as keyof SharedState))),
        conflicts: result.conflicts.filter(({ field }) => isStill(field)),
      }
      await applyToTask(tx, { task, merge: refused, issue: after })
      await showLink(tx, { link, task, issue: after, sync: 'SYNCED' })
      count(tx, link.provider, refused)
      if (isNewsOf(result.common, after.state, correspondence.fields)) await askToRead(tx, link.id)
      return 'equal'
    })

  async function applyToTask(
    tx: TenantScope,
    { task, merge, issue }: { task: Task; merge: Pick<Merge, 'ours' | 'conflicts'>; issue: Issue },
  ): Promise<void> {
    const name = issue.assignee?.name ?? null
    const isAssigned = 'assigneeId' in merge.ours
    const changes = { ...merge.ours, ...(isAssigned ? { assigneeName: name } : {}) } as LinkedTaskChange
    const conflicts = merge.conflicts.map((it) => (it.field === 'assigneeId' ? { ...it, theirs: name } : it))
    if (Object.keys(changes).length > 0 || conflicts.length > 0) await tasks.change(tx, task, { changes, conflicts })
  }

  const showLink = (
    tx: TenantScope,
    shown: { link: IssueLink; task: Task; issue: Issue; sync: 'SYNCED' | 'PENDING' },
  ): Promise<void> => {
    const { link, task, issue, sync } = shown
    const url = issue.url ?? task.link?.url ?? null
    const provider = trackerOf(link.provider).name
    return tasks.saveLink(tx, {
      id: task.id,
      formerKey: link.externalKey,
      link: { provider, key: issue.key, url, sync },
    })
  }

  /** The task stays; it shows that its issue is not there. */
  async function gone(scope: TenantScope, { provider, taskId, externalKey }: IssueLink): Promise<SyncOutcome> {
    await tasks.setSync(scope, {
      id: taskId,
      provider: trackerOf(provider).name,
      key: externalKey ?? '',
      sync: 'FAILED',
    })
    return 'gone'
  }

  /** A job reads the issue, once for all that ask before it does. */
  async function askToRead(tx: TenantScope, linkId: string): Promise<void> {
    if (await markHinted(tx, linkId)) await enqueueRead(tx, linkId, null)
  }

  const enqueueRead = (tx: TenantScope, linkId: string, runAt: Date | null): Promise<void> =>
    jobs.enqueue(tx, readIssueJob, {
      data: { linkId },
      tenantId: tx.tenantId,
      key: linkId,
      ...(runAt === null ? {} : { runAt }),
    })

  function count(tx: TenantScope, provider: string, { ours, theirs, conflicts }: Merge | Omit<Merge, 'common'>): void {
    const counts = { task: Object.keys(ours).length, issue: Object.keys(theirs).length, conflict: conflicts.length }
    tx.handle.afterCommit(() => {
      for (const [effect, fields] of Object.entries(counts)) if (fields > 0) effects(provider, effect).add(fields)
    })
  }

  return { compare, askToRead, enqueueRead }
}

function sharedOf({ title, status, assigneeId, due }: Pick<Task, keyof SharedState>): SharedState {
  return { title, status, assigneeId, due }
}
