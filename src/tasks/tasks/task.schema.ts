import type { Static } from 'typebox'
import { FormatQuery } from '../../http/csv-answer.ts'
import {
  Id,
  isoOrNull,
  Nullable,
  PageQuery,
  PaginationSchema,
  SingleLine,
  StrictObject,
  StringEnum,
  Timestamp,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { isOverdue, linkSyncs, priorities, sharedFields, taskSources, taskStatuses } from './task.rules.ts'
import type { ReadTask } from './task.store.ts'

const Title = SingleLine({ lettersMax: 500, example: 'Write the release notes' })
const Description = Type.String({ maxLength: 20_000, examples: ['For version 2.'] })
export const Status = StringEnum(taskStatuses)
const Priority = StringEnum(priorities)
// Years of four digits: a database and every calendar can read them.
const Due = Type.String({
  format: 'date',
  pattern: '^[1-9]',
  description: 'A day in the time zone of the organization.',
  examples: ['2026-11-27'],
})
const Label = SingleLine({ lettersMax: 50, example: 'release' })
const Labels = Type.Array(Label, { maxItems: 20, description: 'An organization has at most 50 different ones.' })
const AssigneeId = Nullable(Id, 'A member of the organization.')

export const NewTask = StrictObject({
  title: Title,
  description: Type.Optional(Description),
  priority: Type.Optional({ ...Priority, default: 'none' }),
  assigneeId: Type.Optional(AssigneeId),
  due: Type.Optional(Nullable(Due)),
  labels: Type.Optional(Labels),
})
export type NewTask = Static<typeof NewTask>

const change = {
  title: Type.Optional(Title),
  description: Type.Optional(Description),
  status: Type.Optional(Status),
  priority: Type.Optional(Priority),
  assigneeId: Type.Optional(AssigneeId),
  due: Type.Optional(Nullable(Due)),
  labels: Type.Optional(Labels),
}
export const TaskChange = StrictObject(change)
export type TaskChange = Static<typeof TaskChange>

const Evidence = Type.Unsafe<ReadTask['evidence']>({
  ...StrictObject(
    {
      meetingId: Id,
      speaker: Type.String({ examples: ['Ada'] }),
      timestamp: Type.String({ examples: ['00:12:05'] }),
      quote: Type.String({ examples: ['I will write the release notes by Friday.'] }),
      seqs: Type.Array(Type.Integer({ examples: [41] }), { description: 'The entries of the transcript.' }),
    },
    { description: 'What was said. Null for who may not read the meeting.' },
  ),
  type: ['object', 'null'],
})

const Link = Type.Unsafe<ReadTask['link']>({
  ...StrictObject(
    {
      provider: Type.String({ examples: ['linear'] }),
      key: Type.String({ examples: ['ATR-17'] }),
      url: Nullable(Type.String({ examples: ['https://linear.app/acme/issue/ATR-17'] })),
      sync: StringEnum(linkSyncs, {
        description:
          '`READ_ONLY`: changes in the tracker appear here, but not the other way round. Otherwise both are kept in sync: `SYNCED`, `PENDING` (a change here is on its way), or `FAILED` (it could not be written, or the issue is gone).',
      }),
    },
    { description: 'The issue of the task in a tracker.' },
  ),
  type: ['object', 'null'],
})

const ConflictField = StringEnum(sharedFields)
const Conflict = Type.Object(
  {
    field: ConflictField,
    ours: Nullable(
      Type.String({ examples: ['Ship on Friday'] }),
      'What the task had. Of an assignee the id of the user.',
    ),
    theirs: Nullable(
      Type.String({ examples: ['Ship on Monday'] }),
      'What the issue has. Of an assignee the name there.',
    ),
    at: Timestamp,
  },
  { title: 'TaskConflict', additionalProperties: false },
)

export const TaskAnswer = Type.Object(
  {
    id: Id,
    orgId: Nullable(Id, 'Null: an issue of a connection without an organization.'),
    number: Nullable(Type.Integer({ examples: [12] }), 'In the organization.'),
    title: Title,
    description: Description,
    status: Status,
    priority: Priority,
    assigneeId: AssigneeId,
    assigneeName: Nullable(Type.String({ examples: ['Grace'] }), 'As it was spoken, or as the tracker has it.'),
    due: Nullable(Due),
    dueText: Nullable(Type.String({ examples: ['by Friday'] }), 'As it was spoken.'),
    overdue: Type.Boolean({ description: 'Never for a task that is done or dismissed.', examples: [false] }),
    labels: Labels,
    position: Nullable(
      Type.String({ examples: ['a0'] }),
      'Orders the tasks of a status, compared byte by byte. May change when other tasks are moved.',
    ),
    source: StringEnum(taskSources),
    evidence: Evidence,
    hasEvidence: Type.Boolean({ examples: [false] }),
    link: Link,
    conflicts: Type.Array(Conflict, {
      description:
        'Fields that were changed here and in the tracker at the same time. The tracker’s value wins. A new value here ends the conflict, and so does `DELETE .../conflicts/:field`.',
    }),
    createdBy: Nullable(Id, 'Null: the service, or a user who was removed.'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    startedAt: Nullable(Timestamp),
    completedAt: Nullable(Timestamp),
    revision: Type.Integer({ description: 'Grows with every change. The ETag contains it.', examples: [1] }),
  },
  { title: 'Task', additionalProperties: false },
)

export const TaskDetail = StrictObject({ task: TaskAnswer })
export const TaskList = StrictObject({
  tasks: Type.Array(TaskAnswer),
  pagination: {
    ...PaginationSchema,
    description:
      'If more than 1,000 tasks match, `total` is a lower bound: while there is a next page, it is more than the tasks up to this page.',
  },
})

const filters = {
  status: Type.Optional(
    Type.Array(Type.Unsafe<(typeof taskStatuses)[number]>({ type: 'string', enum: [...taskStatuses] }), {
      maxItems: 5,
      description: 'May be repeated.',
    }),
  ),
  due: Type.Optional(
    StringEnum(['overdue', 'today', 'week', 'none'], {
      description: '`week`: today and the six days after it. `none`: without a day.',
    }),
  ),
  from: Type.Optional({ ...Due, description: 'Due on this day or later.' }),
  to: Type.Optional({ ...Due, description: 'Due on this day or earlier.' }),
  label: Type.Optional(Label),
  source: Type.Optional(StringEnum(taskSources)),
  meetingId: Type.Optional({ ...Id, description: 'Tasks from a meeting that you may read.' }),
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Words of the title or description, or their beginnings. All must match. Only the first ten are used.',
      examples: ['release notes'],
    }),
  ),
}

export const TaskQuery = StrictObject({
  ...PageQuery,
  ...filters,
  assignee: Type.Optional(
    Type.String({
      pattern: '^(?:me|none|[0-9a-f-]{36})$',
      description: '`me`, `none`, or a user’s id.',
      examples: ['me'],
    }),
  ),
  sort: Type.Optional(
    StringEnum(['board', 'due', 'updated', 'created'], {
      description: '`board` (the default): by status and position. `updated` and `created`: newest first.',
    }),
  ),
  format: FormatQuery,
})
export type TaskQuery = Static<typeof TaskQuery>

export const OwnTaskQuery = StrictObject({
  ...PageQuery,
  ...filters,
  scope: Type.Optional(
    StringEnum(['own', 'tenant'], {
      description:
        '`own`: assigned to you, in all organizations. `tenant`: issues of trackers whose connection has no organization, for administrators of the tenant, newest first and without filters.',
    }),
  ),
  sort: Type.Optional(StringEnum(['due', 'updated', 'created'])),
})
export type OwnTaskQuery = Static<typeof OwnTaskQuery>

/** @param today in the time zone of the task's organization. */
export function taskView({ acceptedRevision: _, ...task }: ReadTask, today: string): Static<typeof TaskAnswer> {
  return {
    ...task,
    overdue: isOverdue(task, today),
    createdAt: task.createdAt.toISOString(),
    updatedAt: task.updatedAt.toISOString(),
    startedAt: isoOrNull(task.startedAt),
    completedAt: isoOrNull(task.completedAt),
  }
}
