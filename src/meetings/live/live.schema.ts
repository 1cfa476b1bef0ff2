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
  description: 'Counts what is written to the transcript, replacements too; grows, with gaps.',
  examples: [17],
})

// Without the format of an id, so that a malformed id is answered like an unknown one.
const MeetingIdInput = Type.String({
  maxLength: 64,
  description: 'The id of a meeting.',
  examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'],
})
const lastJoined = 'Absent: the meeting that was joined last.'
const optionalMeetingId = { meetingId: Type.Optional({ ...MeetingIdInput, description: lastJoined }) }

/** The frames of a client, apart from `auth` and `ping`. */
export const clientFrames = {
  join: ClientFrame('join', {
    meetingId: MeetingIdInput,
    afterSeq: Type.Optional({
      ...Seq,
      description:
        'The `seq` of the last entry that you have: what came after it is sent first. 0: all. Absent: only what is new.',
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
    seq: { ...Seq, description: 'Where the transcript ends now: with the entry of this number you have caught up.' },
    status: StringEnum(meetingStatuses),
  }),
  left: AnswerFrame('left', { meetingId }),
  ack: AnswerFrame('ack', {
    meetingId,
    seq: Seq,
    added: Type.Integer({ examples: [1] }),
    replaced: Type.Integer({ examples: [0] }),
    unchanged: Type.Integer({ examples: [0] }),
  }),
  'transcript.entry': ServerFrame('transcript.entry', {
    meetingId,
    seq: { ...Seq, description: 'Greater with each frame of a meeting: remember it for `afterSeq`.' },
    replaced: Type.Boolean({
      description: 'Whether it takes the place of what stood at `entry.seq`, which you may not have seen.',
      examples: [false],
    }),
    entry: EntryAnswer,
  }),
  'meeting.status': ServerFrame('meeting.status', { meetingId, status: StringEnum(meetingStatuses) }),
  'message.delta': AnswerFrame('message.delta', {
    meetingId,
    text: Type.String({ description: 'To be put behind what came before.', examples: ['The transcript says:'] }),
  }),
  'message.done': AnswerFrame('message.done', {
    meetingId,
    text: Type.String({
      description: 'The whole answer.',
      examples: ['The transcript says: “I will send the figures.”'],
    }),
    found: Type.Boolean({
      description:
        'Whether anything in the transcript answers. Where not, `citations` are what comes closest, if anything does.',
      examples: [true],
    }),
    citations: Type.Array(CitationAnswer, { description: 'What the answer rests on, each entry once.' }),
    engine: StringEnum(['local', 'llm']),
    fallbackReason: Nullable(
      StringEnum(answerFallbackReasons),
      'Why the local engine answered although a language model is configured.',
    ),
  }),
  summary: AnswerFrame('summary', {
    meetingId,
    summary: Type.Object({}, { description: 'As `GET .../summary` answers it.', examples: [{ mode: 'short' }] }),
  }),
}
