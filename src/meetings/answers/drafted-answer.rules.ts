/** What the answer waits for: a user whose meetings may be quoted, the search, or something that sends it. */
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
  status: AnswerStatus
  /** Null once it is sent. */
  waitingFor: WaitingFor | null
  createdAt: Date
  /** When the meetings were searched. */
  answeredAt: Date | null
}

export type DraftedQuote = { meetingId: string; seq: number; speaker: string; timestamp: string; quote: string }

/** A quote with the current title and time of its meeting. */
export type QuoteWithMeeting = DraftedQuote & { meetingTitle: string; meetingAt: Date }

const reasons: Record<WaitingFor, string> = {
  user: 'The settings of the connection do not name a user whose meetings may be quoted.',
  answer: 'The meetings have not been searched yet.',
  sending: 'Nothing is connected that could send the answer.',
}

export function pendingReason(waiting: WaitingFor): string {
  return reasons[waiting]
}

const notFound = 'I looked through the latest meetings and found nothing about this.'

/** The text of an answer: only the quotes that still exist, grouped by meeting. Those of erased meetings are gone. */
export function answerText(quotes: QuoteWithMeeting[]): string {
  if (quotes.length === 0) return notFound
  const lines = quotes.flatMap(({ meetingId, meetingTitle, meetingAt, speaker, timestamp, quote }, index) => {
    const line = `${speaker} (${timestamp}): “${quote}”`
    if (quotes[index - 1]?.meetingId === meetingId) return [line]
    return ['', `${meetingTitle}, ${meetingAt.toISOString().slice(0, 10)}`, line]
  })
  return `This is what was said about it:\n${lines.join('\n')}`
}
