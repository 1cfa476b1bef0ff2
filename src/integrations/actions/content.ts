import { Refusal } from '../../kernel/refusal.ts'
import type { ChatAnswers } from '../../meetings/index.ts'
import type { AnswerText, MeetingContent, TaskText } from '../../providers/writers/writer.ts'
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

export type ContentDeps = {
  readMeetingSummary: ReadMeetingSummary
  findTask: FindTask
  chatAnswers: Pick<ChatAnswers, 'readText'>
}

export type ContentReader = ReturnType<typeof contentReader>

/** What actions write, read at the moment of writing. */
export function contentReader({ readMeetingSummary, findTask, chatAnswers }: ContentDeps) {
  /** Null: it is gone, or the user who asked may no longer read it. */
  async function read(scope: TenantScope, action: Action): Promise<MeetingContent | TaskText | AnswerText | null> {
    const { subjectId, userId } = action
    const { subject } = actionKinds[action.action]
    if (subject === 'task') return readTask(scope, subjectId)
    if (subject === 'answer') return readAnswer(scope, subjectId)
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

  async function readAnswer(scope: TenantScope, answerId: string): Promise<AnswerText | null> {
    const text = await chatAnswers.readText(scope, answerId)
    return text === null ? null : { text }
  }

  return { read }
}
