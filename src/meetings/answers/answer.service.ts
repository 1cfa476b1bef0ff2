import { ModelFailure } from '../../ai/model-failure.ts'
import type { TenantModel } from '../../ai/tenant-model.ts'
import { concurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { findEntries } from '../entries/entry.store.ts'
import type { AnswerFallbackReason, Citation } from './answer.schema.ts'
import type { Answer, Question } from './answer.ts'
import type { Ranking } from './entry-ranking.rules.ts'
import { quoteParts, textPart, toCitation } from './local-answer.ts'
import { modelAnswer } from './model-answer.ts'
import { rankEntries } from './passages.ts'
import { answerTone } from './tone.rules.ts'

/**
 * Refuses with UNAVAILABLE where too many questions wait.
 * @param withoutModel why the model must not be asked.
 */
export type AnswerQuestion = (
  scope: TenantScope,
  question: Question,
  withoutModel?: AnswerFallbackReason,
) => Promise<Answer>

const quotesMax = 3
// Each search reads a whole transcript, so two run at a time and few may wait.
const searchesAtOnce = 2
const searchesWaiting = 50

/**
 * Answers from the transcript alone: in the words of the model where there is one and its answer is good, else by
 * quotes.
 */
export function answerService({ model }: { model: TenantModel | null }): AnswerQuestion {
  const limitSearches = concurrencyLimit(searchesAtOnce, searchesWaiting)

  return async (scope, question, withoutModel) => {
    const ranking = await limitSearches(() => rankEntries(scope, question.meeting.id, question.text))
    const locally = (fallbackReason: AnswerFallbackReason | null) =>
      quotedAnswer(scope, { question, ranking, fallbackReason })
    if (model === null) return locally(null)
    if (withoutModel !== undefined) return locally(withoutModel)
    try {
      const parts = await modelAnswer(scope, { question, ranking, model })
      if (parts === null) return await locally('NOTHING_FOUND')
      if (parts === 'unanswered') return await closestQuotes(scope, { question, ranking })
      return { found: true, parts, engine: 'llm', fallbackReason: null }
    } catch (error) {
      if (error instanceof ModelFailure) return locally(error.reason)
      throw error
    }
  }
}

type RankedQuestion = { question: Question; ranking: Ranking }

async function quotedAnswer(
  scope: TenantScope,
  { question, ranking, fallbackReason }: RankedQuestion & { fallbackReason: AnswerFallbackReason | null },
): Promise<Answer> {
  const tone = answerTone(question.meeting.settings.personality)
  const citations = await bestQuotes(scope, { question, ranking })
  const entries = ranking.entryCount()
  const rest = { engine: 'local' as const, fallbackReason }
  if (citations.length === 0) return { found: false, parts: [textPart(tone.nothing(entries))], ...rest }
  const opening = tone.opening({ passages: citations.length, matches: ranking.matchCount(), entries })
  return { found: true, parts: quoteParts(opening, citations, tone), ...rest }
}

/** The model found no answer. The answer says so and shows the closest quotes. */
async function closestQuotes(scope: TenantScope, { question, ranking }: RankedQuestion): Promise<Answer> {
  const tone = answerTone(question.meeting.settings.personality)
  const citations = await bestQuotes(scope, { question, ranking })
  return { found: false, parts: quoteParts(tone.unanswered, citations, tone), engine: 'llm', fallbackReason: null }
}

/** The best quotes in the order of the transcript, read again so that they are current. */
async function bestQuotes(scope: TenantScope, { question, ranking }: RankedQuestion): Promise<Citation[]> {
  const seqs = ranking.best({ max: quotesMax }).map(({ seq }) => seq)
  const entries = await findEntries(scope, question.meeting.id, seqs)
  return entries.flatMap((entry) => toCitation(entry, ranking.terms) ?? [])
}
