/** What the answer waits for: somebody whose meetings may be quoted, the search, or something that sends it. */
export type WaitingFor = 'user' | 'answer' | 'sending'

export type AnswerStatus = 'pending' | 'sent'

/** A drafted answer as administrators read it. */
export type AnswerRecord = {
  id: string
  connectionId: string
  channel: 'chat' | 'collab'
  conversation: string
  thread: string | null
  askedBy: string
  question: string
  userId: string | null
  orgId: string | null
  status: AnswerStatus
  /** Null once it is sent. */
  waitingFor: WaitingFor | null
  createdAt: Date
  /** When the search was done. */
  answeredAt: Date | null
  /** Nothing was searched: the questions of the month were used up. */
  isRefused: boolean
}

/** An answer as its sender needs it. */
export type ChatAnswer = {
  id: string
  channel: 'chat' | 'collab'
  workspace: string | null
  team: string | null
  conversation: string
  isDirect: boolean
  thread: string | null
  /** The name in the chat of the person who asked. */
  askedBy: string
  /** The user who asked, where the person is known here. */
  askerId: string | null
  userId: string | null
  orgId: string | null
  status: AnswerStatus
  waitingFor: WaitingFor | null
  createdAt: Date
  isRefused: boolean
}

export type DraftedQuote = { meetingId: string; seq: number; speaker: string; timestamp: string; quote: string }

/** A quote with the current title and time of its meeting. */
export type MeetingQuote = DraftedQuote & { meetingTitle: string; meetingAt: Date }

/** A quote of the current or a former version of a document, with the current title. */
export type DocumentQuote = {
  documentId: string
  documentTitle: string
  version: number
  page: number | null
  heading: string[]
  quote: string
}

export type AnswerQuote = MeetingQuote | DocumentQuote

const reasons: Record<WaitingFor, string> = {
  user: 'The connection belongs to no organization, and its settings do not name a user whose meetings may be quoted.',
  answer: 'The search for an answer has not been done yet.',
  sending: 'It is sent as soon as an account that may do so is connected.',
}

export function pendingReason(waiting: WaitingFor): string {
  return reasons[waiting]
}

const nothingIn = {
  meetings: 'I looked through the latest meetings and found nothing about this.',
  organization: 'I looked through what all members may read and found nothing about this.',
}

const usedUp = 'I cannot answer this: the questions of this month are used up.'

/**
 * The text of an answer: only the quotes that still exist, grouped by what they are taken from. Those of erased meetings and
 * documents are gone.
 */
export function answerText(
  { orgId, isRefused }: Pick<AnswerRecord, 'orgId' | 'isRefused'>,
  quotes: AnswerQuote[],
): string {
  if (isRefused) return usedUp
  if (quotes.length === 0) return orgId === null ? nothingIn.meetings : nothingIn.organization
  const lines = quotes.flatMap((quote, index) => {
    const before = quotes[index - 1]
    const isSame = before !== undefined && sourceLine(before) === sourceLine(quote)
    return isSame ? [quoteLine(quote)] : ['', sourceLine(quote), quoteLine(quote)]
  })
  const opening = orgId === null ? 'This is what was said about it:' : 'This is what I found about it:'
  return `${opening}\n${lines.join('\n')}`
}

function sourceLine(quote: AnswerQuote): string {
  if ('meetingId' in quote) return `${quote.meetingTitle}, ${quote.meetingAt.toISOString().slice(0, 10)}`
  return quote.page === null ? quote.documentTitle : `${quote.documentTitle}, page ${quote.page}`
}

function quoteLine(quote: AnswerQuote): string {
  return 'meetingId' in quote ? `${quote.speaker} (${quote.timestamp}): “${quote.quote}”` : `“${quote.quote}”`
}
