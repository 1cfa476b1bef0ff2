// A checked draft and the local summary in, the sentences of a short summary out.

import { joinSentences } from '../compose/short-summary.ts'
import type { SummarySentence } from '../summary.ts'
import { countSentences } from '../text/sentence-counts.ts'
import type { CheckedDraft } from './check-draft.ts'

const sentencesMin = 4
const sentencesMax = 6
/** With fewer sentences of the model, the local summary is the better one. */
export const modelSentencesMin = 2
/** Between the opening and the outcomes. */
const modelSentencesMax = 4

/**
 * Four to six sentences by every way of counting: the local opening, which names the people, then the model's
 * sentences, then the decisions and tasks. Local sentences fill up where the model has too few. Null where no such
 * summary is possible.
 */
export function shortFromDraft(
  local: readonly SummarySentence[],
  { sentences }: CheckedDraft,
): SummarySentence[] | null {
  const [opening] = local
  const plain = sentences.filter(({ text }) => Math.max(...countSentences(text)) === 1)
  if (opening === undefined || plain.length < modelSentencesMin) return null
  const wanted = Math.min(plain.length, modelSentencesMax)
  const closing = local
    .slice(1)
    .filter(isClosing)
    .slice(0, sentencesMax - 1 - wanted)
  const fill = local.slice(1).filter((it) => !isClosing(it) && it.role !== 'outline')
  const middle: SummarySentence[] = plain.slice(0, wanted).map((it) => ({ ...it, basis: 'speech' as const }))
  for (;;) {
    const whole = [opening, ...middle, ...closing]
    const counts = countSentences(joinSentences(whole))
    if (Math.min(...counts) >= sentencesMin && Math.max(...counts) <= sentencesMax) return whole
    if (Math.max(...counts) > sentencesMax) {
      // A sentence with a dot inside counts twice, and closing sentences often quote figures.
      if (closing.pop() === undefined) return null
      continue
    }
    const next = fill.shift()
    if (next === undefined) return null
    middle.push(next)
  }
}

/** The decisions and tasks, and the sentence of the personality. */
const isClosing = ({ role }: SummarySentence) => role === 'outcome' || role === 'personal'
