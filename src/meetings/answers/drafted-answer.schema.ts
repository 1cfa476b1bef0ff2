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
import { type AnswerQuote, type AnswerRecord, answerText, pendingReason } from './drafted-answer.rules.ts'

const waitingFor = StringEnum(['user', 'answer', 'sending'], {
  description:
    'user: the connection has no organization and names no user whose meetings may be quoted, and the person who asked is not known. answer: the search is still to be done. sending: it is being sent, or no account is connected that may send it.',
})

export const AnswerQuery = StrictObject({
  ...PageQuery,
  status: Type.Optional(StringEnum(['pending', 'sent'])),
  waitingFor: Type.Optional(waitingFor),
  connectionId: Type.Optional(Id),
  userId: Type.Optional(Id),
  orgId: Type.Optional(Id),
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
  orgId: Nullable(Id, 'The organization. What all its members may read is quoted.'),
  status: StringEnum(['pending', 'sent']),
  waitingFor: Nullable(waitingFor),
  reason: Nullable(Type.String({ examples: [pendingReason('sending')] }), 'What it waits for, in words.'),
  createdAt: Timestamp,
  answeredAt: Nullable(Timestamp, 'When the search was done.'),
}

const AnswerLine = Type.Object(members, { title: 'DraftedAnswer', additionalProperties: false })

const ofDocument = 'Null for a document.'
const ofMeeting = 'Null for a meeting.'

const Quote = StrictObject({
  meetingId: Nullable(Id, ofDocument),
  meetingTitle: Nullable(Type.String({ examples: ['Planning'] }), ofDocument),
  meetingAt: Nullable(Timestamp, ofDocument),
  seq: Nullable(Type.Integer({ examples: [12] }), `The entry of the transcript. ${ofDocument}`),
  speaker: Nullable(Type.String({ examples: ['Ada'] }), ofDocument),
  timestamp: Nullable(Type.String({ examples: ['00:12:05'] }), `HH:MM:SS into the meeting. ${ofDocument}`),
  documentId: Nullable(Id, ofMeeting),
  documentTitle: Nullable(Type.String({ examples: ['Handbook'] }), ofMeeting),
  version: Nullable(Type.Integer({ examples: [1] }), `The version of the document. ${ofMeeting}`),
  page: Nullable(Type.Integer({ examples: [3] }), 'Null where the document has no pages, and for a meeting.'),
  heading: Type.Array(Type.String({ examples: ['Costs'] }), {
    description: 'Of the document, from the highest heading to the nearest.',
  }),
  quote: Type.String({ examples: ['The budget of the venue is 4000 euros.'] }),
})
const Quotes = Type.Array(Quote)

const AnswerWithQuotes = Type.Object(
  {
    ...members,
    text: OwnerOnly(
      Type.String({ examples: ['This is what was said about it: ...'] }),
      `The answer as it would be sent, made of the quotes that still exist. Null until the search is done. ${forOwners}`,
    ),
    quotes: OwnerOnly(Quotes, `A quote is deleted together with its meeting or document. ${forOwners}`),
  },
  { title: 'DraftedAnswerWithQuotes', additionalProperties: false },
)

export const AnswerList = StrictObject({ answers: Type.Array(AnswerLine), pagination: PaginationSchema })
export const AnswerDetail = StrictObject({ answer: AnswerWithQuotes })

export function answerLine(answer: AnswerRecord): Static<typeof AnswerLine> {
  const { isRefused: _isInItsText, ...shown } = answer
  const { waitingFor, createdAt, answeredAt } = shown
  return {
    ...shown,
    reason: waitingFor === null ? null : pendingReason(waitingFor),
    createdAt: createdAt.toISOString(),
    answeredAt: isoOrNull(answeredAt),
  }
}

export function answerView(answer: AnswerRecord, quotes: AnswerQuote[]): Static<typeof AnswerWithQuotes> {
  return {
    ...answerLine(answer),
    text: answer.answeredAt === null ? null : answerText(answer, quotes),
    quotes: quotes.map(quoteView),
  }
}

const noMeeting = { meetingId: null, meetingTitle: null, meetingAt: null, seq: null, speaker: null, timestamp: null }
const noDocument = { documentId: null, documentTitle: null, version: null, page: null, heading: [] }

function quoteView(quote: AnswerQuote): Static<typeof Quote> {
  if ('documentId' in quote) return { ...noMeeting, ...quote }
  return { ...noDocument, ...quote, meetingAt: quote.meetingAt.toISOString() }
}
