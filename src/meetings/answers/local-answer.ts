import type { Entry } from '../entries/entry.rules.ts'
import { offsetView } from '../entries/entry.schema.ts'
import type { Citation } from './answer.schema.ts'
import type { AnswerPart } from './answer.ts'
import { bestQuote, plainSpeaker } from './quote.rules.ts'
import type { Tone } from './tone.rules.ts'

/** The part of an entry that fits the question; null where nothing of it can be shown. */
export function toCitation({ seq, speaker, text, offsetSeconds }: Entry, terms: readonly string[]): Citation | null {
  const quote = bestQuote(text, terms)
  return quote === '' ? null : { seq, speaker: plainSpeaker(speaker), ...offsetView(offsetSeconds), quote }
}

/** Quotes after an opening, in the words of the tone. */
export function quoteParts(opening: string, citations: Citation[], { closing }: Tone): AnswerPart[] {
  const quotes = citations.map((citation) => ({ text: `\n${quoteLine(citation)}`, citations: [citation] }))
  return [textPart(opening), ...quotes, ...(closing === '' ? [] : [textPart(`\n${closing}`)])]
}

/** Text of the service itself, without citations. */
export function textPart(text: string): AnswerPart {
  return { text, citations: [] }
}

function quoteLine({ speaker, timestamp, quote, seq }: Citation): string {
  return `${speaker} (${timestamp}): “${quote}” [${seq}]`
}
