import { Refusal } from '../../kernel/refusal.ts'
import type { MeetingContent, TaskText } from '../../providers/writers/writer.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Tasks } from '../../tasks/index.ts'
import { type Action, actionKinds } from './action.rules.ts'

/** A meeting with its short summary, as the user may read it. Refuses NOT_FOUND and UNAVAILABLE. */
export type ReadMeetingSummary = (
  scope: TenantScope,
  user: { id: string },
  meetingId: string,
) => Promise<MeetingContent>

export type FindTask = Tasks['findContent']

export type ContentDeps = { readMeetingSummary: ReadMeetingSummary; findTask: FindTask }

export type ContentReader = ReturnType<typeof contentReader>

/** What actions write, read at the moment of writing. */
export function contentReader({ readMeetingSummary, findTask }: ContentDeps) {
  /** Null: it is gone, or the user who asked may not read it any more. */
  async function read(scope: TenantScope, action: Action): Promise<MeetingContent | TaskText | null> {
    const { subjectId, userId } = action
    if (actionKinds[action.action].subject === 'task') return readTask(scope, subjectId)
    if (userId === null) return null
    try {
      return await readMeetingSummary(scope, { id: userId }, subjectId)
    } catch (error) {
      if (error instanceof Refusal && error.code === 'NOT_FOUND') return null
      throw error
    }
  }

  async function readTask(scope: TenantScope, taskId: string): Promise<TaskText | null> {
    const task = await findTask(scope, taskId)
    return task && { title: task.title, description: task.description, due: task.due }
  }

  return { read }
}
