import type { Static } from 'typebox'
import {
  Id,
  isoOrNull,
  Nullable,
  OwnerOnly,
  PageQuery,
  PaginationSchema,
  StrictObject,
  StringEnum,
  Timestamp,
  TimestampInput,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { type AnswerRecord, answerText, pendingReason, type QuoteWithMeeting } from './drafted-answer.rules.ts'

const waitingFor = StringEnum(['user', 'answer', 'sending'], {
  description:
    'user: the connection names no user whose meetings may be quoted. answer: the meetings are still to be searched. sending: nothing is connected that could send it.',
})

export const AnswerQuery = StrictObject({
  ...PageQuery,
  status: Type.Optional(StringEnum(['pending', 'sent'])),
  waitingFor: Type.Optional(waitingFor),
  connectionId: Type.Optional(Id),
  userId: Type.Optional(Id),
  from: Type.Optional({ ...TimestampInput, description: 'Asked at this time or later.' }),
  to: Type.Optional({ ...TimestampInput, description: 'Asked before this time.' }),
})

const forOwners = 'Null for administrators of the platform below OWNER.'

const members = {
  id: Id,
  connectionId: { ...Id, description: 'The connection through which it was asked.' },
  channel: StringEnum(['chat', 'collab']),
  conversation: Type.String({ description: 'As the chat calls it.', examples: ['C024BE91L'] }),
  thread: Nullable(Type.String({ examples: ['1355517523.000005'] })),
  askedBy: Type.String({ description: 'As the chat calls them.', examples: ['U061F7AUR'] }),
  question: OwnerOnly(Type.String({ examples: ['What is the budget of the venue?'] }), forOwners),
  userId: Nullable(Id, 'The user whose meetings may be quoted.'),
  status: StringEnum(['pending', 'sent']),
  waitingFor: Nullable(waitingFor),
  reason: Nullable(Type.String({ examples: [pendingReason('sending')] }), 'What it waits for, in words.'),
  createdAt: Timestamp,
  answeredAt: Nullable(Timestamp, 'When the meetings were searched.'),
}

const AnswerLine = Type.Object(members, { title: 'DraftedAnswer', additionalProperties: false })

const Quote = StrictObject({
  meetingId: Id,
  meetingTitle: Type.String({ examples: ['Planning'] }),
  meetingAt: Timestamp,
  seq: Type.Integer({ description: 'The entry of the transcript.', examples: [12] }),
  speaker: Type.String({ examples: ['Ada'] }),
  timestamp: Type.String({ description: 'HH:MM:SS into the meeting.', examples: ['00:12:05'] }),
  quote: Type.String({ examples: ['The budget of the venue is 4000 euros.'] }),
})
const Quotes = Type.Array(Quote)

const AnswerWithQuotes = Type.Object(
  {
    ...members,
    text: OwnerOnly(
      Type.String({ examples: ['This is what was said about it: ...'] }),
      `The answer as it would be sent, made of the quotes that still exist. Null until the meetings are searched. ${forOwners}`,
    ),
    quotes: OwnerOnly(Quotes, `A quote is deleted together with its meeting. ${forOwners}`),
  },
  { title: 'DraftedAnswerWithQuotes', additionalProperties: false },
)

export const AnswerList = StrictObject({ answers: Type.Array(AnswerLine), pagination: PaginationSchema })
export const AnswerDetail = StrictObject({ answer: AnswerWithQuotes })

export function answerLine(answer: AnswerRecord): Static<typeof AnswerLine> {
  const { waitingFor, createdAt, answeredAt } = answer
  return {
    ...answer,
    reason: waitingFor === null ? null : pendingReason(waitingFor),
    createdAt: createdAt.toISOString(),
    answeredAt: isoOrNull(answeredAt),
  }
}

export function answerView(answer: AnswerRecord, quotes: QuoteWithMeeting[]): Static<typeof AnswerWithQuotes> {
  return {
    ...answerLine(answer),
    text: answer.answeredAt === null ? null : answerText(quotes),
    quotes: quotes.map(({ meetingAt, ...quote }) => ({ ...quote, meetingAt: meetingAt.toISOString() })),
  }
}
