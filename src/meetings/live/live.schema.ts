import { AnswerFrame, ClientFrame, ServerFrame } from '../../http/sockets/envelope.schema.ts'
import { Id, Nullable, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { answerFallbackReasons, CitationAnswer } from '../answers/answer.schema.ts'
import { entriesPerCallMax } from '../entries/entry.rules.ts'
import { EntryAnswer, NewEntryBody } from '../entries/entry.schema.ts'
import { meetingStatuses, summaryModes } from '../meetings/meeting.rules.ts'

const Seq = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Counts the writes to the transcript, including replacements. Numbers grow and may have gaps.',
  examples: [17],
})

// Without the format of an id, so that a malformed id is answered like an unknown one.
const MeetingIdInput = Type.String({
  maxLength: 64,
  description: 'The id of a meeting.',
  examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'],
})
const lastJoined = 'Default: the meeting that was joined last.'
const optionalMeetingId = { meetingId: Type.Optional({ ...MeetingIdInput, description: lastJoined }) }

/** The frames of a client, apart from `auth` and `ping`. */
export const clientFrames = {
  join: ClientFrame('join', {
    meetingId: MeetingIdInput,
    afterSeq: Type.Optional({
      ...Seq,
      description:
        'The `seq` of the last frame that you have. Later entries are sent first; 0 sends all. Default: only new entries are sent.',
    }),
  }),
  leave: ClientFrame('leave', { meetingId: Type.Optional({ ...Id, description: lastJoined }) }),
  'transcript.append': ClientFrame('transcript.append', {
    ...optionalMeetingId,
    entries: Type.Array(NewEntryBody, { minItems: 1, maxItems: entriesPerCallMax }),
  }),
  message: ClientFrame('message', {
    ...optionalMeetingId,
    text: Type.String({
      minLength: 1,
      maxLength: 2000,
      pattern: '\\S',
      description: 'A question about what was said.',
      examples: ['Who sends the figures?'],
    }),
  }),
  'summary.get': ClientFrame('summary.get', { ...optionalMeetingId, mode: Type.Optional(StringEnum(summaryModes)) }),
}

const meetingId = Id

/** The frames of the server, apart from `ready`, `pong` and `error`. */
export const serverFrames = {
  joined: AnswerFrame('joined', {
    meetingId,
    seq: { ...Seq, description: 'The last number of the transcript now. You have caught up when you receive it.' },
    status: StringEnum(meetingStatuses),
  }),
  left: AnswerFrame('left', {
    meetingId: {
      ...meetingId,
      description:
        'You no longer follow this meeting. Without an `id` the frame answers no `leave`: the meeting was deleted, or is no longer shared with you.',
    },
  }),
  ack: AnswerFrame('ack', {
    meetingId,
    seq: Seq,
    added: Type.Integer({ examples: [1] }),
    replaced: Type.Integer({ examples: [0] }),
    unchanged: Type.Integer({ examples: [0] }),
  }),
  'transcript.entry': ServerFrame('transcript.entry', {
    meetingId,
    seq: { ...Seq, description: 'Grows with each frame of a meeting. Remember it for `afterSeq`.' },
    replaced: Type.Boolean({
      description: 'Whether this entry replaces the one with the number `entry.seq`, which you may not have received.',
      examples: [false],
    }),
    entry: EntryAnswer,
  }),
  'meeting.status': ServerFrame('meeting.status', { meetingId, status: StringEnum(meetingStatuses) }),
  'message.delta': AnswerFrame('message.delta', {
    meetingId,
    text: Type.String({
      description: 'The next part of the answer. Append it to the previous parts.',
      examples: ['The transcript says:'],
    }),
  }),
  'message.done': AnswerFrame('message.done', {
    meetingId,
    text: Type.String({
      description: 'The whole answer.',
      examples: ['The transcript says: “I will send the figures.”'],
    }),
    found: Type.Boolean({
      description:
        'Whether the transcript answers the question. If not, `citations` holds the closest entries, if there are any.',
      examples: [true],
    }),
    citations: Type.Array(CitationAnswer, { description: 'The entries the answer rests on, each once.' }),
    engine: StringEnum(['local', 'llm']),
    fallbackReason: Nullable(
      StringEnum(answerFallbackReasons),
      'Why the local engine answered although a language model is configured.',
    ),
  }),
  summary: AnswerFrame('summary', {
    meetingId,
    summary: Type.Object(
      {},
      { description: 'The summary as `GET .../summary` returns it.', examples: [{ mode: 'short' }] },
    ),
  }),
}
