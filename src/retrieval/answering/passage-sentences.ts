import { type Span, splitSentences } from '../sentences/split-sentences.ts'
import type { Passage } from './passage.ts'

/** The sentences of a passage, each within one of its spans. */
export function passageSentences({ text, language, spans }: Passage): Span[] {
  const whole = spans ?? [{ start: 0, end: text.length }]
  return whole.flatMap((span) =>
    splitSentences(text.slice(span.start, span.end), language).map(({ start, end }) => ({
      start: span.start + start,
      end: span.start + end,
    })),
  )
}
