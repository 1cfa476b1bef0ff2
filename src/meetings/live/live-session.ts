import type { UserCaller } from '../../http/access/callers.ts'
import type { Frame, SocketClient, SocketSession } from '../../http/sockets/socket-declaration.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { AnswerQuestion } from '../answers/answer.service.ts'
import { type NewEntryBody, toNewEntry } from '../entries/entry.schema.ts'
import type { SummaryMode } from '../meetings/meeting.rules.ts'
import { getMeeting } from '../meetings/meeting-access.ts'
import type { Transcripts } from '../transcripts/transcript.service.ts'
import { joinedMeetings } from './joined-meetings.ts'
import type { MeetingFeeds } from './meeting-feeds.ts'
import { questionQueue } from './question-queue.ts'

/** The summary as the HTTP route answers it. Refuses with NOT_FOUND. */
export type GetSummary = (
  scope: TenantScope,
  user: UserCaller,
  request: { meetingId: string; mode?: SummaryMode },
) => Promise<object>

export type LiveDeps = {
  feeds: MeetingFeeds
  transcripts: Pick<Transcripts, 'append'>
  answerQuestion: AnswerQuestion
  getSummary: GetSummary
}

type Sent<Members = object> = Frame & { meetingId?: string } & Members
type Handler = (frame: never) => Promise<void>

/** The session of one client: it follows meetings, adds to their transcripts and asks about them. */
export function liveSession(deps: LiveDeps, opened: SocketClient): SocketSession {
  const meetings = joinedMeetings(opened, deps.feeds)
  const questions = questionQueue({ ...opened, answerQuestion: deps.answerQuestion })
  let isOver = false
  const session = { deps, opened, meetings, questions, isOver: () => isOver }
  const handlers: Record<string, Handler> = {
    join: (frame: JoinFrame) => join(session, frame),
    leave: (frame: Sent) => leave(session, frame),
    'transcript.append': (frame: AppendFrame) => append(session, frame),
    message: (frame: MessageFrame) => ask(session, frame),
    'summary.get': (frame: SummaryFrame) => summarize(session, frame),
  }
  return {
    // Only frames with a schema arrive here, and each of them has a handler.
    receive: (frame) => (handlers[frame.type] as Handler)(frame as never),
    drained: meetings.drained,
    closed: () => {
      isOver = true
      questions.close()
      meetings.leaveAll()
    },
  }
}

type Session = {
  deps: LiveDeps
  opened: SocketClient
  meetings: ReturnType<typeof joinedMeetings>
  questions: ReturnType<typeof questionQueue>
  isOver: () => boolean
}

type JoinFrame = Sent<{ meetingId: string; afterSeq?: number }>
async function join({ opened, meetings, isOver }: Session, { id, meetingId, afterSeq }: JoinFrame): Promise<void> {
  const { scope, user, connection } = opened
  meetings.checkJoinLimit(meetingId)
  const meeting = await getMeeting(scope, user, meetingId)
  if (isOver()) return // the client left while the meeting was read
  meetings.leave(meetingId) // no entry may come between `joined` and what follows from its number
  const { lastSeq: seq, status } = meeting
  connection.send({ type: 'joined', ...withId(id), meetingId, seq, status })
  meetings.follow(meeting, Math.min(afterSeq ?? seq, seq))
}

async function leave({ opened, meetings }: Session, frame: Sent): Promise<void> {
  const meetingId = meetings.resolveMeetingId(frame)
  meetings.leave(meetingId)
  opened.connection.send({ type: 'left', ...withId(frame.id), meetingId })
}

type AppendFrame = Sent<{ entries: NewEntryBody[] }>
async function append({ deps, opened, meetings }: Session, frame: AppendFrame): Promise<void> {
  const { scope, user, connection } = opened
  const meetingId = meetings.resolveMeetingId(frame)
  const appended = await deps.transcripts.append(scope, { user, id: meetingId }, frame.entries.map(toNewEntry))
  const { meeting, added, replaced, unchanged } = appended
  connection.send({ type: 'ack', ...withId(frame.id), meetingId, seq: meeting.lastSeq, added, replaced, unchanged })
}

type MessageFrame = Sent<{ text: string }>
async function ask({ opened, meetings, questions }: Session, frame: MessageFrame): Promise<void> {
  const meeting = await getMeeting(opened.scope, opened.user, meetings.resolveMeetingId(frame))
  questions.ask(withId(frame.id), { meeting, text: frame.text, userId: opened.user.id })
}

type SummaryFrame = Sent<{ mode?: SummaryMode }>
async function summarize({ deps, opened, meetings }: Session, frame: SummaryFrame): Promise<void> {
  const { scope, user, connection } = opened
  const { id, mode } = frame
  const meetingId = meetings.resolveMeetingId(frame)
  await getMeeting(scope, user, meetingId)
  const summary = await deps.getSummary(scope, user, { meetingId, ...(mode === undefined ? {} : { mode }) })
  connection.send({ type: 'summary', ...withId(id), meetingId, summary })
}

function withId(id: string | undefined): { id?: string } {
  return id === undefined ? {} : { id }
}
