import type { SocketClient } from '../../http/sockets/socket-declaration.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import type { Citation } from '../answers/answer.schema.ts'
import type { AnswerQuestion } from '../answers/answer.service.ts'
import type { Question } from '../answers/answer.ts'
import type { MeetingForUser } from '../meetings/meeting.rules.ts'
import { isClosedTo } from '../meetings/sharing.store.ts'

const waitingMax = 3

type MeetingQuestion = Question & { meeting: MeetingForUser }
type QuestionQueueDeps = SocketClient & { answerQuestion: AnswerQuestion }

/** The questions of one client, answered one after another. Other frames of the client do not wait for them. */
export function questionQueue({ scope, user, connection, answerQuestion }: QuestionQueueDeps) {
  let queue = Promise.resolve()
  let waiting = 0
  let isOver = false

  const answer = async (meta: object, question: MeetingQuestion): Promise<void> => {
    // The client has gone, and a model costs money.
    if (isOver) return
    const { found, parts, engine, fallbackReason } = await answerQuestion(scope, question)
    // The user may have lost the meeting while the question waited for its turn and its answer. Of a deleted one the answer
    // quotes nothing.
    if (await isClosedTo(scope, { id: question.meeting.id, userId: user.id })) throw notFound()
    for (const { text } of parts) connection.send({ type: 'message.delta', ...meta, text })
    const text = parts.map((part) => part.text).join('')
    const citations = withoutDuplicates(parts.flatMap((part) => part.citations))
    connection.send({ type: 'message.done', ...meta, text, found, citations, engine, fallbackReason })
  }

  return {
    /** Refuses with STATE_CONFLICT where too many questions wait. `id` is the client's id of the frame. */
    ask: (id: { id?: string }, question: MeetingQuestion): void => {
      if (waiting >= waitingMax)
        throw new Refusal('STATE_CONFLICT', {
          detail: 'Too many questions are waiting. Ask again when the earlier ones are answered.',
        })
      waiting += 1
      queue = queue
        .then(() => answer({ ...id, meetingId: question.meeting.id }, question))
        .catch((error) => connection.refuse(error, id))
        .finally(() => {
          waiting -= 1
        })
    },
    close: (): void => {
      isOver = true
    },
  }
}

/** Two sentences may cite the same entry. */
function withoutDuplicates(citations: Citation[]): Citation[] {
  return [...new Map(citations.map((citation) => [citation.seq, citation])).values()]
}
