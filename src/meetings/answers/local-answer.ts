import type { Entry } from '../entries/entry.rules.ts'
import { timestampOf } from '../entries/entry.rules.ts'
import type { Citation } from './answer.schema.ts'
import type { AnswerPart } from './answer.ts'
import { plainSpeaker, quoteOf } from './quote.rules.ts'
import type { Tone } from './tone.rules.ts'

/** What an entry says about a question; null where nothing of it can be shown. */
export function citationOf({ seq, speaker, text, offsetSeconds }: Entry, terms: readonly string[]): Citation | null {
  const quote = quoteOf(text, terms)
  return quote === '' ? null : { seq, speaker: plainSpeaker(speaker), timestamp: timestampOf(offsetSeconds), quote }
}

/** Quotes under an opening, in the words of the tone. */
export function quoting(opening: string, citations: Citation[], { closing }: Tone): AnswerPart[] {
  const quotes = citations.map((citation) => ({ text: `\n${lineOf(citation)}`, citations: [citation] }))
  return [part(opening), ...quotes, ...(closing === '' ? [] : [part(`\n${closing}`)])]
}

/** Words of ours, which rest on nothing that was said. */
export function part(text: string): AnswerPart {
  return { text, citations: [] }
}

function lineOf({ speaker, timestamp, quote, seq }: Citation): string {
  return `${speaker} (${timestamp}): “${quote}” [${seq}]`
}
