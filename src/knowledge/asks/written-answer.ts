import { ModelFailure } from '../../ai/model-failure.ts'
import type { TenantModel } from '../../ai/tenant-model.ts'
import { estimateTokens } from '../../kernel/token-estimate.ts'
import type { Passage, Quote } from '../../retrieval/answering/passage.ts'
import { checkWrittenSentence } from '../../retrieval/answering/written-answer.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { readAnswer } from '../../summarizer/model/draft-answer.ts'
import { isPromptInjection } from '../../summarizer/model/prompt.ts'
import { askPrompt } from './ask-prompt.ts'

/** A sentence with the quotes that bear it out. */
export type WrittenPart = { text: string; quotes: Quote[] }

type Asked = { question: string; passages: readonly Passage[]; subject: { orgId: string; userId: string | null } }

const passagesMax = 12
const passagesTokensMax = 6_000
/** The tokens that JSON and the passage's number cost beside its words. */
const tokensPerPassage = 12

/**
 * The answer of a model that was shown the best passages. Each sentence was checked against quotes of what it cites. Null where
 * the model found no answer. Rejects with ModelFailure, also where no sentence holds.
 */
export async function writeAnswer(
  scope: TenantScope,
  { question, passages, subject }: Asked,
  model: TenantModel,
): Promise<WrittenPart[] | null> {
  const shown = choose(passages, Math.min(model.inputTokensMax, passagesTokensMax))
  if (shown.length === 0) return null
  const { text } = await model.ask(
    scope,
    askPrompt(
      question,
      shown.map(({ passage }) => passage),
    ),
    subject,
  )
  const items = readAnswer(text)
  if (items === null) throw new ModelFailure('INVALID_OUTPUT')
  if (items.length === 0) return null
  const sentences = items.map(({ text, entries }) => ({ text, passages: entries.map((n) => n - 1) }))
  // Who cites what was never shown invents the rest, too.
  const isInvented = sentences.some(({ passages: cited }) => cited.some((index) => shown[index] === undefined))
  if (isInvented) throw new ModelFailure('INVALID_OUTPUT')
  const checked = sentences.flatMap(
    (sentence) =>
      checkWrittenSentence(
        sentence,
        shown.map(({ passage }) => passage),
      ) ?? [],
  )
  if (checked.length === 0) throw new ModelFailure('INVALID_OUTPUT')
  return checked.map(({ text, quotes }) => ({
    text,
    quotes: quotes.map((quote) => ({ ...quote, passage: shown[quote.passage]?.index ?? 0 })),
  }))
}

/** The best passages that fit, without those that try to give orders. `index`: among all. */
function choose(passages: readonly Passage[], tokensMax: number): { passage: Passage; index: number }[] {
  let left = tokensMax
  return passages.slice(0, passagesMax).flatMap((passage, index) => {
    if (isPromptInjection(passage.text)) return []
    const cost = estimateTokens(passage.title) + estimateTokens(passage.text) + tokensPerPassage
    if (cost > left) return []
    left -= cost
    return [{ passage, index }]
  })
}
