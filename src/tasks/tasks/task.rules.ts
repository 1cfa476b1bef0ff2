/** In the order of the board's columns. */
export const taskStatuses = ['proposed', 'open', 'in_progress', 'done', 'dismissed'] as const
export type TaskStatus = (typeof taskStatuses)[number]

export const priorities = ['none', 'low', 'medium', 'high', 'urgent'] as const
export type Priority = (typeof priorities)[number]

export const taskSources = ['manual', 'meeting', 'tracker'] as const
export type TaskSource = (typeof taskSources)[number]

export const linkSyncs = ['READ_ONLY', 'SYNCED', 'PENDING', 'FAILED'] as const

/** Who made a change: a person, a meeting's action items, the tracker of an issue, or the service itself. */
export const origins = ['user', 'meeting', 'tracker', 'system'] as const
export type Origin = (typeof origins)[number]

/** The words of a meeting from which a task was proposed. */
export type Evidence = { meetingId: string; speaker: string; timestamp: string; quote: string; seqs: number[] }

/** The issue of a tracker that a task follows. */
export type TaskLink = { provider: string; key: string; url: string | null; sync: (typeof linkSyncs)[number] }

/** The fields that a task and its issue have in common. */
export const sharedFields = ['title', 'status', 'assigneeId', 'due'] as const

/**
 * A field that was changed here and in the tracker. The tracker's value stands; `ours` is the one that was lost. Of an assignee
 * `ours` is a user's id, and `theirs` the name in the tracker.
 */
export type TaskConflict = {
  field: (typeof sharedFields)[number]
  ours: string | null
  theirs: string | null
  /** In ISO 8601. */
  at: string
}

export type Task = {
  id: string
  /** Null, with `number` and `position`: an issue of a connection without an organization. */
  orgId: string | null
  number: number | null
  title: string
  description: string
  status: TaskStatus
  priority: Priority
  assigneeId: string | null
  /** As it was spoken, or as the tracker calls them. */
  assigneeName: string | null
  /** YYYY-MM-DD, a day in the organization's time zone. */
  due: string | null
  dueText: string | null
  labels: string[]
  /** A fractional index among the tasks of the same status. */
  position: string | null
  source: TaskSource
  hasEvidence: boolean
  link: TaskLink | null
  conflicts: TaskConflict[]
  createdBy: string | null
  createdAt: Date
  updatedAt: Date
  startedAt: Date | null
  completedAt: Date | null
  revision: number
  /** The revision at which a person accepted a proposal. Null: only readers of the meeting see the task. */
  acceptedRevision: number | null
}

const moves: Record<TaskStatus, readonly TaskStatus[]> = {
  proposed: ['open', 'in_progress', 'done', 'dismissed'],
  open: ['in_progress', 'done', 'dismissed'],
  in_progress: ['open', 'done', 'dismissed'],
  done: ['open'],
  dismissed: ['open'],
}

function isFinished(status: TaskStatus): boolean {
  return status === 'done' || status === 'dismissed'
}

/** @param today in the organization's time zone. */
export function isOverdue({ due, status }: Pick<Task, 'due' | 'status'>, today: string): boolean {
  return due !== null && due < today && !isFinished(status)
}

/** The times and the acceptance that follow from a new status. */
export function afterMove(task: Task, status: TaskStatus, now: Date): Task {
  const isAccepted = task.acceptedRevision !== null
  return {
    ...task,
    status,
    startedAt: status === 'in_progress' ? (task.startedAt ?? now) : task.startedAt,
    completedAt: status === 'done' ? now : null,
    acceptedRevision: isAccepted || status === 'dismissed' ? task.acceptedRevision : task.revision + 1,
  }
}

/** YYYY-MM-DD in a time zone. */
export function dayIn(timeZone: string, now: Date): string {
  // Canada's English writes days like ISO 8601.
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)
}

/** The fields that people change, and whose changes are the history. */
export const changedFields = [
  'title',
  'description',
  'status',
  'priority',
  'assigneeId',
  'assigneeName',
  'due',
  'labels',
] as const
export type ChangedField = (typeof changedFields)[number]

/** Why a task refuses a change. `allowed`: the statuses that may follow. */
export type Conflict = { detail: string; allowed?: TaskStatus[] }

/** Of a status that cannot follow, and of what belongs to the tracker of an issue. The same status again may follow. */
export function conflictOf(task: Task, change: Partial<Pick<Task, ChangedField>>): Conflict | null {
  const wanted = { ...task, ...normalized(change) }
  const isForeign = task.link?.sync === 'READ_ONLY'
  const foreign = isForeign ? sharedFields.filter((field) => differs(task, wanted, field)) : []
  if (foreign.length > 0)
    return { detail: `The task follows ${task.link?.key}. Change this there: ${foreign.join(', ')}.` }
  const [from, to] = [task.status, wanted.status]
  if (from === to || moves[from].includes(to)) return null
  return { detail: `A task that is ${from} cannot become ${to}.`, allowed: [...moves[from]] }
}

/** Without spaces around names, and each label once. */
export function normalized<T extends { title?: string; labels?: string[] }>(body: T): T {
  const { title, labels } = body
  return {
    ...body,
    ...(title === undefined ? {} : { title: title.trim() }),
    ...(labels === undefined ? {} : { labels: [...new Set(labels.map((label) => label.trim()))] }),
  }
}

/** A value as the history shows it. Descriptions are left out: they are long, and what was deleted must not stay. */
export function historyValue(task: Task, field: ChangedField): string | null {
  if (field === 'description') return null
  return field === 'labels' ? task.labels.join(', ') : task[field]
}

export function differs(before: Task, after: Task, field: ChangedField): boolean {
  if (field !== 'labels') return before[field] !== after[field]
  // Not as the history shows them: a label may contain a comma.
  return JSON.stringify(before.labels) !== JSON.stringify(after.labels)
}

const wordsMax = 1000
const wordLettersMax = 64

/** The distinct words of a text in lower case, for the search. */
export function searchWords(text: string): string[] {
  const words = new Set<string>()
  for (const [word] of text
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]+/gu)) {
    words.add(word.slice(0, wordLettersMax))
    if (words.size === wordsMax) break
  }
  return [...words]
}

/** Words are indexed behind the organization's id: so one index finds those of one organization. */
export function wordTerm(orgId: string, word: string): string {
  return `${orgId} ${word}`
}
