import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { Limits } from '../../kernel/quota.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { EventBus } from '../../storage/events.ts'
import { pipelined, type TenantScope } from '../../storage/scope.ts'
import {
  afterMove,
  type ChangedField,
  changedFields,
  differs,
  type Evidence,
  historyValue,
  type Origin,
  searchWords,
  type Task,
  type TaskSource,
  type TaskStatus,
  wordTerm,
} from './task.rules.ts'
import { deleteTask, insertTask, lastPosition, saveTasks } from './task.store.ts'
import { addLabels, removeLabels, takeNumbers } from './task-counts.store.ts'
import { insertChanges } from './task-history.store.ts'
import { releaseTasks } from './task-release.ts'

export type RecordDeps = { clock: Clock; events: EventBus; audit: Audit }

const labelsOfOrgMax = 50

/** What a new task is made of. The rest has defaults. */
export type TaskDraft = {
  orgId: string
  title: string
  status: 'proposed' | 'open'
  source: TaskSource
  createdBy: string | null
} & Partial<Pick<Task, 'description' | 'priority' | 'assigneeId' | 'assigneeName' | 'due' | 'dueText' | 'labels'>> & {
    /** Where it was proposed. */
    meetingId?: string
    evidence?: Omit<Evidence, 'meetingId'>
  }

/** A change of a task; a new status goes with the end of its column, unless a position is given. */
export type TaskChanges = Partial<
  Pick<
    Task,
    | 'title'
    | 'description'
    | 'status'
    | 'priority'
    | 'assigneeId'
    | 'assigneeName'
    | 'due'
    | 'labels'
    | 'position'
    | 'conflicts'
  >
>

/** Who changes a task. */
export type ChangedBy = { origin: Origin; actorId: string | null }

export type TaskRecords = ReturnType<typeof taskRecords>

/** Writes tasks with their numbers, labels, history, audit and events. The organization must be locked. */
export function taskRecords({ clock, events, audit }: RecordDeps) {
  /** Refuses QUOTA_EXCEEDED. Take the limits with `Quotas.lockLimits`, before the organization is locked. */
  async function create(tx: TenantScope, draft: TaskDraft, limits: Pick<Limits, 'maxTasks'>): Promise<Task> {
    const now = clock.now()
    const { orgId, status, meetingId = null, evidence = null } = draft
    const number = await takeNumbers(tx, { orgId, count: 1 }, limits)
    const task: Task = {
      description: '',
      priority: 'none',
      assigneeId: null,
      assigneeName: null,
      due: null,
      dueText: null,
      labels: [],
      ...draft,
      id: newId(now),
      number,
      position: await endOfColumn(tx, { orgId, status }),
      hasEvidence: evidence !== null,
      link: null,
      conflicts: [],
      createdAt: now,
      updatedAt: now,
      startedAt: null,
      completedAt: null,
      revision: 1,
      acceptedRevision: status === 'proposed' ? null : 1,
    }
    await addLabelsOf(tx, orgId, task.labels)
    await insertTask(tx, { ...task, meetingId, evidence, search: searchTerms(task) })
    await audit(tx, { action: 'task.create', target: auditTarget(task), changes: { orgId } })
    await events.emit(tx, 'org.tasks.created', { tenantId: tx.tenantId, orgId, taskIds: [task.id] })
    return task
  }

  /** Changes a locked task. Refuses QUOTA_EXCEEDED. */
  async function change(tx: TenantScope, task: Task, changes: TaskChanges, by: ChangedBy): Promise<Task> {
    const [changed = task] = await changeAll(tx, [task], changes, by)
    return changed
  }

  /**
   * Makes one change in locked tasks of one organization, or of none. What is the same already changes nothing. Returns all
   * tasks in their order. Refuses QUOTA_EXCEEDED.
   */
  async function changeAll(tx: TenantScope, tasks: Task[], changes: TaskChanges, by: ChangedBy): Promise<Task[]> {
    const now = clock.now()
    const steps = await atEndOfColumn(
      tx,
      tasks
        .map((before) => ({ before, after: withoutDecided(before, { ...before, ...changes }, by) }))
        .filter(isChange),
      changes,
    )
    const done = steps.map(({ before, after }) => {
      const isMoved = after.status !== before.status
      return {
        before,
        after: {
          ...(isMoved ? afterMove(after, after.status, now) : after),
          updatedAt: fieldsOf({ before, after }).length === 0 ? before.updatedAt : now,
          revision: before.revision + 1,
        },
      }
    })
    if (done.length === 0) return tasks
    await countLabels(tx, done)
    await saveTasks(
      tx,
      done.map((step) => ({ task: step.after, search: isSearched(step) ? searchTerms(step.after) : null })),
    )
    await record(tx, done, by)
    const byId = new Map(done.map(({ after }) => [after.id, after]))
    return tasks.map((task) => byId.get(task.id) ?? task)
  }

  /** Records changes that were written: history, audit and events. */
  async function record(tx: TenantScope, done: Change[], by: ChangedBy): Promise<void> {
    const now = clock.now()
    await insertChanges(
      tx,
      done.flatMap((step) => historyOf(step).map((entry) => ({ ...entry, ...by, at: now }))),
    )
    await pipelined(
      done.map((step) => {
        const fields = fieldsOf(step)
        // Only the names of the fields: the audit entry outlives the task.
        const changes = { orgId: step.after.orgId, fields: fields.length === 0 ? otherFieldsOf(step) : fields }
        return audit(tx, { action: 'task.update', target: auditTarget(step.after), changes })
      }),
    )
    const isCompletion = ({ before, after }: Change) => after.status === 'done' && before.status !== 'done'
    await emit(tx, 'org.tasks.completed', done.filter(isCompletion))
    await emit(
      tx,
      'org.tasks.changed',
      done.filter((step) => !isCompletion(step)),
    )
  }

  async function emit(tx: TenantScope, name: 'org.tasks.completed' | 'org.tasks.changed', done: Change[]) {
    const orgId = done[0]?.after.orgId ?? null
    if (orgId === null) return
    await events.emit(tx, name, { tenantId: tx.tenantId, orgId, taskIds: done.map(({ after }) => after.id) })
  }

  /** Deletes a locked task with its comments and history. */
  async function remove(tx: TenantScope, task: Task): Promise<void> {
    await deleteTask(tx, task.id)
    await releaseTasks(tx, [task], events)
    await audit(tx, { action: 'task.delete', target: auditTarget(task), changes: { orgId: task.orgId } })
  }

  return { create, change, changeAll, remove }
}

type Change = { before: Task; after: Task }

function fieldsOf({ before, after }: Change): ChangedField[] {
  return changedFields.filter((field) => differs(before, after, field))
}

function isChange(change: Change): boolean {
  return otherFieldsOf(change).length > 0 || fieldsOf(change).length > 0
}

/** What changes without an entry in the history. */
function otherFieldsOf({ before, after }: Change): string[] {
  return [
    ...(after.position === before.position ? [] : ['position']),
    ...(JSON.stringify(after.conflicts) === JSON.stringify(before.conflicts) ? [] : ['conflicts']),
  ]
}

/** A new value of a field settles its conflict. */
function withoutDecided(before: Task, after: Task, { origin }: ChangedBy): Task {
  if (origin !== 'user' || after.conflicts.length === 0) return after
  return { ...after, conflicts: after.conflicts.filter(({ field }) => !differs(before, after, field)) }
}

/** Whether a change is found by other words or labels. */
function isSearched(change: Change): boolean {
  return fieldsOf(change).some((field) => field === 'title' || field === 'description' || field === 'labels')
}

/** The entries of a change in the history, one for each field. */
function historyOf(change: Change) {
  const { before, after } = change
  const { id: taskId, revision } = after
  // Every member reads the entry of an acceptance, also when the meeting is gone: what it replaced is for its readers alone.
  const isAcceptance = before.acceptedRevision === null && after.acceptedRevision !== null
  return fieldsOf(change).map((field) => {
    const from = isAcceptance && field !== 'status' ? null : historyValue(before, field)
    return { taskId, revision, field, from, to: historyValue(after, field) }
  })
}

/** Puts tasks with a new status at the end of its column, in their order, unless the change says where. */
async function atEndOfColumn(tx: TenantScope, changes: Change[], { status, position }: TaskChanges): Promise<Change[]> {
  const moved = changes.filter(({ before, after }) => after.status !== before.status)
  const orgId = moved[0]?.after.orgId ?? null
  if (status === undefined || position !== undefined || orgId === null) return changes
  const positions = generateNKeysBetween(await lastPosition(tx, { orgId, status }), null, moved.length)
  const positionById = new Map(moved.map(({ after }, index) => [after.id, positions[index] as string]))
  return changes.map(({ before, after }) => ({
    before,
    after: { ...after, position: positionById.get(after.id) ?? after.position },
  }))
}

/** The position after all tasks of a column. */
async function endOfColumn(tx: TenantScope, column: { orgId: string; status: TaskStatus }): Promise<string> {
  return generateKeyBetween(await lastPosition(tx, column), null)
}

async function countLabels(tx: TenantScope, changes: Change[]): Promise<void> {
  const orgId = changes[0]?.after.orgId ?? null
  if (orgId === null) return
  const without = (labels: string[], others: string[]) => labels.filter((label) => !others.includes(label))
  await removeLabels(tx, {
    orgId,
    labels: changes.flatMap(({ before, after }) => without(before.labels, after.labels)),
  })
  await addLabelsOf(
    tx,
    orgId,
    changes.flatMap(({ before, after }) => without(after.labels, before.labels)),
  )
}

async function addLabelsOf(tx: TenantScope, orgId: string, labels: string[]): Promise<void> {
  if (await addLabels(tx, { orgId, labels, max: labelsOfOrgMax })) return
  throw new Refusal('QUOTA_EXCEEDED', { detail: `An organization can have at most ${labelsOfOrgMax} labels.` })
}

/** The terms of a task in the index. */
export function searchTerms({ orgId, title, description }: Task): string[] {
  return orgId === null ? [] : searchWords(`${title} ${description}`).map((word) => wordTerm(orgId, word))
}

/** The target of an audit entry about a task. */
export function auditTarget({ id }: { id: string }): { type: string; id: string } {
  return { type: 'task', id }
}
