import type { UserCaller } from '../../http/access.ts'
import type { Frame, Opened, SocketSession } from '../../http/sockets/socket-part.ts'
import { faulty, Refusal } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { SummaryMode } from '../meetings/meeting.rules.ts'
import { meetingOf } from '../meetings/meeting-access.ts'
import { entryOf, type NewEntryBody } from '../transcripts/entry.schema.ts'
import type { Transcripts } from '../transcripts/transcript.service.ts'
import type { AnswerPart, LocalAnswers, Question } from './answers/answer.service.ts'
import type { Citation } from './live.schema.ts'
import type { MeetingFeed } from './meeting-feed.ts'
import type { MeetingFeeds } from './meeting-feeds.ts'

/** A summary as HTTP answers it. Refuses with NOT_FOUND. */
export type SummaryOf = (
  scope: TenantScope,
  user: UserCaller,
  asked: { meetingId: string; mode?: SummaryMode },
) => Promise<object>

/** An answer of a model, a piece at a time; what fails before its first piece is answered by quotes. */
export type ModelAnswer = (scope: TenantScope, question: Question) => AsyncIterable<AnswerPart>

export type LiveDeps = {
  feeds: MeetingFeeds
  transcripts: Pick<Transcripts, 'append'>
  answers: LocalAnswers
  summaryOf: SummaryOf
  answer?: ModelAnswer | undefined
}

const joinsMax = 20
const questionsWaitingMax = 3

type Sent<Members = object> = Frame & { meetingId?: string } & Members
type Handler = (frame: never) => Promise<void>

/** What one client does: follows meetings, adds to their transcripts, asks about them. */
export function liveSession(deps: LiveDeps, { scope, user, connection }: Opened): SocketSession {
  const joined = new Map<string, MeetingFeed>()
  let questions = Promise.resolve()
  let waiting = 0
  let isOver = false

  /** The meeting a frame is about: the one it names, or the one that was joined last. */
  const meetingIdOf = ({ meetingId }: Sent): string => {
    const named = meetingId ?? [...joined.keys()].at(-1)
    if (named === undefined)
      throw faulty('/frame/meetingId', { code: 'required', message: 'is required before a join' })
    return named
  }

  const leave = (meetingId: string): void => {
    joined.get(meetingId)?.remove(connection)
    joined.delete(meetingId)
  }

  const join = async ({ id, meetingId, afterSeq }: Sent<{ meetingId: string; afterSeq?: number }>): Promise<void> => {
    if (!joined.has(meetingId) && joined.size >= joinsMax)
      throw new Refusal('STATE_CONFLICT', { detail: `A connection follows at most ${joinsMax} meetings.` })
    const meeting = await meetingOf(scope, user, meetingId)
    if (isOver) return // it left while the meeting was read
    leave(meetingId) // a second join begins anew, from where it says
    const { lastSeq: seq, status } = meeting
    connection.send({ type: 'joined', ...named(id), meetingId, seq, status })
    joined.set(meetingId, deps.feeds.follow(connection, meeting, Math.min(afterSeq ?? seq, seq)))
  }

  const append = async (frame: Sent<{ entries: NewEntryBody[] }>): Promise<void> => {
    const meetingId = meetingIdOf(frame)
    const appended = await deps.transcripts.append(scope, { user, id: meetingId }, frame.entries.map(entryOf))
    const { meeting, added, replaced, unchanged } = appended
    connection.send({ type: 'ack', ...named(frame.id), meetingId, seq: meeting.lastSeq, added, replaced, unchanged })
  }

  /** Answered beside the frames that follow: what is being said does not wait for it. */
  const ask = async (frame: Sent<{ text: string }>): Promise<void> => {
    const meeting = await meetingOf(scope, user, meetingIdOf(frame))
    if (waiting >= questionsWaitingMax)
      throw new Refusal('STATE_CONFLICT', { detail: 'Earlier questions have not been answered yet.' })
    waiting += 1
    const question = { meeting, text: frame.text }
    questions = questions
      .then(() => answer(frame.id, question))
      .catch((error) => connection.refuse(error, named(frame.id)))
      .finally(() => {
        waiting -= 1
      })
  }

  const answer = async (id: string | undefined, question: Question): Promise<void> => {
    const about = { ...named(id), meetingId: question.meeting.id }
    const { found, parts } = await deps.answers(scope, question)
    const citations: Citation[] = []
    for (const { text, citation } of parts) {
      connection.send({ type: 'message.delta', ...about, text })
      if (citation) citations.push(citation)
    }
    const text = parts.map((part) => part.text).join('')
    connection.send({ type: 'message.done', ...about, text, found, citations, engine: 'local' })
  }

  const summarize = async (frame: Sent<{ mode?: SummaryMode }>): Promise<void> => {
    const { id, mode } = frame
    const meetingId = meetingIdOf(frame)
    await meetingOf(scope, user, meetingId)
    const summary = await deps.summaryOf(scope, user, { meetingId, ...(mode === undefined ? {} : { mode }) })
    connection.send({ type: 'summary', ...named(id), meetingId, summary })
  }

  const handlers: Record<string, Handler> = {
    join,
    'transcript.append': append,
    message: ask,
    'summary.get': summarize,
    leave: async (frame: Sent) => {
      const meetingId = meetingIdOf(frame)
      leave(meetingId)
      connection.send({ type: 'left', ...named(frame.id), meetingId })
    },
  }

  return {
    // Only frames with a schema come here, and each of those has a handler.
    receive: (frame) => (handlers[frame.type] as Handler)(frame as never),
    drained: () => {
      for (const feed of joined.values()) feed.drained(connection)
    },
    closed: () => {
      isOver = true
      for (const meetingId of [...joined.keys()]) leave(meetingId)
    },
  }
}

function named(id: string | undefined): { id?: string } {
  return id === undefined ? {} : { id }
}
