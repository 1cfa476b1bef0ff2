/** What an answer waits for: somebody whose meetings may be quoted, the search in them, a way to send it. */
export type WaitingFor = 'user' | 'answer' | 'sending'

export type DraftedQuote = { meetingId: string; seq: number; speaker: string; timestamp: string; quote: string }

/** With what the meeting is called now. */
export type QuoteWithMeeting = DraftedQuote & { meetingTitle: string; meetingAt: Date }

const reasons: Record<WaitingFor, string> = {
  user: 'The connection names no user whose meetings may be quoted.',
  answer: 'The meetings are still to be searched.',
  sending: 'There is nothing connected yet that sends the answer.',
}

export function pendingReason(waiting: WaitingFor): string {
  return reasons[waiting]
}

const notFound = 'I looked through the latest meetings and found nothing about this.'

/** An answer in words: quotes alone, under the meeting in which they were said. Quotes of one meeting stand together. */
export function answerText(quotes: QuoteWithMeeting[]): string {
  if (quotes.length === 0) return notFound
  const lines = quotes.flatMap(({ meetingId, meetingTitle, meetingAt, speaker, timestamp, quote }, index) => {
    const line = `${speaker} (${timestamp}): “${quote}”`
    if (quotes[index - 1]?.meetingId === meetingId) return [line]
    return ['', `${meetingTitle}, ${meetingAt.toISOString().slice(0, 10)}`, line]
  })
  return `This is what was said about it:\n${lines.join('\n')}`
}
