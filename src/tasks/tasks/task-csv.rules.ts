import { csvLine } from '../../kernel/csv.ts'
import { isOverdue, type Task } from './task.rules.ts'

const columns = [
  'number',
  'title',
  'status',
  'priority',
  'assigneeId',
  'assigneeName',
  'due',
  'overdue',
  'labels',
  'source',
  'link',
  'createdAt',
  'completedAt',
  'description',
  'id',
]

/** A CSV file of tasks, one batch after another. */
export async function* taskCsv(batches: AsyncIterable<{ tasks: Task[]; today: string }>): AsyncGenerator<string> {
  yield csvLine(columns)
  for await (const { tasks, today } of batches) yield tasks.map((task) => line(task, today)).join('')
}

function line(task: Task, today: string): string {
  return csvLine([
    String(task.number),
    task.title,
    task.status,
    task.priority,
    task.assigneeId,
    task.assigneeName,
    task.due,
    String(isOverdue(task, today)),
    task.labels.join(', '),
    task.source,
    task.link?.key ?? null,
    task.createdAt.toISOString(),
    task.completedAt?.toISOString() ?? null,
    task.description,
    task.id,
  ])
}
