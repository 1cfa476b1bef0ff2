// A model's draft and the request in, a summary out: the model's where enough of the draft holds, else the local
// engine's.

import { analyze } from '../analysis.ts'
import { renderSections } from '../compose/composition.ts'
import { framesFor } from '../compose/frames/frames.ts'
import { detailedPadding } from '../compose/padding.ts'
import { joinSentences } from '../compose/short-summary.ts'
import { summarize } from '../summarize.ts'
import type { Summary, SummaryRequest, SummarySection } from '../summary.ts'
import { countSentences } from '../text/sentence-counts.ts'
import { countWords } from '../text/word-counts.ts'
import type { WrittenSummary } from '../written-summary.ts'
import { fromLocalEngine, toWrittenSentences } from '../written-summary.ts'
import { type CheckedDraft, checkDraft } from './check-draft.ts'
import { detailedFromDraft } from './detailed-from-draft.ts'
import type { Draft } from './draft.ts'
import { modelSentencesMin, shortFromDraft } from './short-from-draft.ts'

/**
 * The summary made of a model's draft, in the same form as the local engine's. Only what the transcript supports is
 * used; sentences of the local engine fill it up. Where too little of the draft holds, the result is the local summary.
 */
export function summaryFromDraft(draft: Draft, request: SummaryRequest): WrittenSummary {
  const local = summarize(request)
  const checked = checkDraft(draft, request)
  const sections = sectionsFromDraft(local, checked, request)
  if (sections === null) return fromLocalEngine(local)
  const { mode } = local
  const { headings } = framesFor(local.language)
  const text =
    mode === 'short'
      ? joinSentences(sections.flatMap(({ sentences }) => sentences))
      : renderSections(sections, [headings.course, headings.contributions, headings.actions, headings.decisions])
  if (!hasPromisedLength(text, mode)) return fromLocalEngine(local)
  const localTexts = new Set(local.sections.flatMap((it) => it.sentences).map((it) => it.text))
  const all = sections.flatMap((it) => it.sentences)
  const byModel = new Set(all.filter((it) => it.basis === 'speech' && !localTexts.has(it.text)).map((it) => it.text))
  return {
    engine: 'llm',
    mode,
    text,
    sentences: toWrittenSentences(sections, byModel),
    sentenceCount: all.length,
    wordCount: countWords(text)[0],
    participants: participantsFromDraft(local, checked),
    topics: checked.topics.length > 0 ? checked.topics : local.keywords,
    decisions: orLocal(checked.decisions, local.decisions),
    actionItems: orLocal(checked.actionItems, local.actionItems),
    questions: orLocal(checked.questions, local.questions),
  }
}

function sectionsFromDraft(local: Summary, checked: CheckedDraft, request: SummaryRequest): SummarySection[] | null {
  if (local.mode === 'short') {
    const sentences = shortFromDraft(
      local.sections.flatMap((it) => it.sentences),
      checked,
    )
    return sentences && [{ heading: '', sentences }]
  }
  if (checked.sentences.length + checked.contributions.size < modelSentencesMin) return null
  const padding = () => detailedPadding(analyze(request), { isByModel: true })
  return detailedFromDraft({ local: local.sections, draft: checked, padding, frames: framesFor(local.language) })
}

const orLocal = <T>(found: T[], local: T[]) => (found.length > 0 ? found : local)

/** The final check of the promised length, whatever was done before. */
function hasPromisedLength(text: string, mode: WrittenSummary['mode']): boolean {
  const counts = mode === 'short' ? countSentences(text) : countWords(text)
  const [min, max] = mode === 'short' ? [4, 6] : [400, 700]
  return Math.min(...counts) >= min && Math.max(...counts) <= max
}

function participantsFromDraft({ participants }: Summary, { contributions }: CheckedDraft): Summary['participants'] {
  return participants.map((it) => {
    const written = contributions.get(it.speaker)
    return written ? { ...it, contribution: written.text, citations: written.citations } : it
  })
}
