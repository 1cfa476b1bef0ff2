import type { Quote } from '../search/passage.rules.ts'
import { placeView } from '../search/search.view.ts'
import { answerText, type KeptAsk } from './ask.rules.ts'
import type { AskAnswerView, CitationView, KeptAskView } from './ask.schema.ts'
import type { QuotedAsk } from './ask.service.ts'
import type { AskLine } from './ask.store.ts'

export function askView({ ask, citations, parts, closest }: QuotedAsk): AskAnswerView {
  const { orgId } = ask
  const shown = parts.map(({ text, citations: indexes }) => {
    const quotes = indexes.flatMap((index) => citations[index]?.quote ?? [])
    return { text, numbers: indexes.map((index) => index + 1), quotes }
  })
  return {
    answerId: ask.id,
    found: ask.found,
    answer: answerText(shown),
    parts: shown.map(({ text, numbers, quotes }) => ({ text: text ?? quotes[0] ?? '', citations: numbers })),
    citations: citations.map((quote, index) => citationView(orgId, quote, index + 1)),
    closest: closest.map((quote, index) => ({ citation: citationView(orgId, quote, index + 1) })),
    corrected: ask.corrected,
    engine: ask.engine,
    model: ask.model,
    fallbackReason: ask.fallbackReason,
    searched: ask.searched,
    generatedAt: ask.createdAt.toISOString(),
  }
}

export function keptAskView(quoted: QuotedAsk<KeptAsk>): KeptAskView {
  const { question, feedback } = quoted.ask
  return { ...askView(quoted), question, feedback }
}

export function askLineView({ id, question, found, engine, createdAt }: AskLine) {
  return { answerId: id, question, found, engine, generatedAt: createdAt.toISOString() }
}

function citationView(orgId: string, quote: Quote, n: number): CitationView {
  return { n, ...placeView(orgId, quote), quote: quote.quote, start: quote.start, end: quote.end }
}
