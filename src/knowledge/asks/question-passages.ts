import { answerQuestion, type LocalAnswer } from '../../retrieval/answering/answer-question.ts'
import type { Passage as AnsweringPassage, Quote as PassageQuote } from '../../retrieval/answering/passage.ts'
import type { Language } from '../../retrieval/language/language.ts'
import { questionTerms } from '../../retrieval/query/query-terms.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { type Passage, type Quote, quoteOf, toReadChunk } from '../search/passage.rules.ts'
import type { Searching } from '../search/search.service.ts'
import type { Asking } from '../search/visible.store.ts'

/** What an answer rests on. */
const passagesMax = 20

/** The passages that fit a question best, and the answer that consists of their sentences. */
export type AnsweredPassages = {
  answering: AnsweringPassage[]
  local: LocalAnswer
  corrected: Record<string, string>
  /** Quotes of these passages. Those that cannot be shown are left out. */
  quoted(quotes: readonly PassageQuote[]): Quote[]
}

export async function answerFromPassages(
  scope: TenantScope,
  { asking, question }: { asking: Asking; question: string },
  searching: Pick<Searching, 'findBest'>,
): Promise<AnsweredPassages> {
  const read = (languages: Language[]) => ({ terms: questionTerms(question, languages) })
  const { ranking, best } = await searching.findBest(scope, asking, { text: question, read, count: passagesMax })
  const found = best.map(({ passage }) => passage)
  const answering = best.map(({ passage, score }) => ({ ...toReadChunk(passage), score }))
  const { terms, statistics, corrected } = ranking
  return {
    answering,
    local: answerQuestion({ question, terms, statistics, passages: answering }),
    corrected,
    quoted: (quotes) => toQuotes(found, quotes),
  }
}

function toQuotes(found: readonly Passage[], quotes: readonly PassageQuote[]): Quote[] {
  return quotes.flatMap(({ passage, start, end }) => {
    const quoted = found[passage]
    return (quoted && quoteOf(quoted, { start, end })) ?? []
  })
}
